"""What a bot says about its moves: checked, rounded and bounded, ready for the replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bots.bot import Bot
from bots.runtime.faults import (
    MOST_WORDS,
    BotFailure,
    FaultKind,
    clean_line,
    one_line,
    plain_int,
    reraise_ctrl_c,
)
from games.replay import Belief, ConsideredMove, Note
from games.seats import seat_name

MOST_REASON: Final = 500
"""Characters of a reason that are kept."""

MOST_NOTES: Final = 32_000
"""Characters, as `length` counts them, that are kept of all notes of one bot in one game; ismcts
needs a tenth of that."""

MOST_BELIEFS: Final = 64
"""Entries that a belief may have."""

MOST_ROLES: Final = 32
"""Roles that a belief may have for one seat."""

MOST_CANDIDATES: Final = 32
"""Candidates that are kept: the first ones."""

MOST_VALUE: Final = 1e9
"""The largest value of a candidate, positive or negative."""

MOST_VISITS: Final = 10**12

_DIGITS: Final = 4
"""Decimal places that are kept of probabilities and values."""

_TOLERANCE: Final = 0.02
"""How far the probabilities of a seat's roles may add up to something other than 1."""

_CANDIDATE: Final = 10
"""Characters that a candidate counts for."""

_LISTS: Final = (list, tuple)
_NO_NOTE: Final = Note()


def says_nothing(bot: Bot) -> bool:
    """Whether the bot never says anything about its moves."""
    kind = type(bot)
    ours = (Bot.explain, Bot.belief, Bot.considered)
    return (kind.explain, kind.belief, kind.considered) == ours


def note_of(bot: Bot, legal: Sequence[int], players: int) -> Note:
    """What the bot says about its last move; BotFailure if that cannot be recorded."""
    kind = type(bot)
    reason = "" if kind.explain is Bot.explain else check_reason(bot.explain())
    belief = {} if kind.belief is Bot.belief else check_belief(bot.belief(), players)
    candidates: tuple[ConsideredMove, ...] = ()
    if kind.considered is not Bot.considered:
        candidates = check_candidates(bot.considered(), legal)
    return Note(reason, belief, candidates) if reason or belief or candidates else _NO_NOTE


def length(note: Note) -> int:
    """About how many characters it takes to write a note down."""
    words = len(note.reason) + _CANDIDATE * len(note.candidates)
    for statement, value in note.belief.items():
        roles = value.keys() if isinstance(value, Mapping) else ()
        words += len(statement) + sum(map(len, roles))
    return words


def check_reason(reason: object) -> str:
    """A bot's reason, ready to be recorded; None counts as no reason."""
    if reason is not None and not isinstance(reason, str):
        raise BotFailure(
            FaultKind.PROTOCOL, f"gave the reason {one_line(reason)}, which is not text"
        )
    return clean_line(reason or "", MOST_REASON)


def check_belief(belief: object, players: int) -> Belief:
    """A bot's belief, ready to be recorded; None counts as no belief."""
    if belief is None:
        return {}
    if not isinstance(belief, Mapping) or len(belief) > MOST_BELIEFS:
        raise BotFailure(
            FaultKind.PROTOCOL,
            f"gave the belief {one_line(belief)}, "
            f"which is not a dict of at most {MOST_BELIEFS} probabilities",
        )
    checked: dict[str, float | Mapping[str, float]] = {}
    for words, value in belief.items():
        if isinstance(value, Mapping):
            checked[_seat(words, players)] = _check_roles(words, value)
        else:
            checked.update([_check_chance(words, value)])
    return checked


def _seat(words: object, players: int) -> str:
    seats = [seat_name(seat) for seat in range(players)]
    if words not in seats:
        raise BotFailure(
            FaultKind.PROTOCOL,
            f"gave a belief about the roles of {one_line(words)}; seats are {', '.join(seats)}",
        )
    return str(words)


def _check_roles(seat: object, roles: Mapping[object, object]) -> dict[str, float]:
    """The probability of every role of one seat."""
    if len(roles) > MOST_ROLES:
        raise BotFailure(
            FaultKind.PROTOCOL,
            f"gave {len(roles)} roles of {seat} a probability; {MOST_ROLES} is the most",
        )
    checked = dict(_check_chance(role, value) for role, value in roles.items())
    total = sum(checked.values())
    if abs(total - 1) > _TOLERANCE:
        raise BotFailure(
            FaultKind.PROTOCOL,
            f"gave the roles of {seat} probabilities that add up to {total:.4g}, not to 1",
        )
    return checked


def _check_chance(words: object, value: object) -> tuple[str, float]:
    """A statement or a role, and its probability."""
    chance = _number(value)
    if not isinstance(words, str) or chance is None or not 0 <= chance <= 1:
        raise BotFailure(
            FaultKind.PROTOCOL,
            f"gave {one_line(words)} the probability {one_line(value)}; "
            "a belief is a dict from words to numbers from 0 to 1",
        )
    return clean_line(words, MOST_WORDS), round(chance, _DIGITS)


def check_candidates(candidates: object, legal: Sequence[int]) -> tuple[ConsideredMove, ...]:
    """A bot's candidate moves, ready to be recorded; None counts as no candidates."""
    if candidates is None:
        return ()
    if not isinstance(candidates, _LISTS):
        raise BotFailure(
            FaultKind.PROTOCOL,
            f"considered {one_line(candidates)}, which is not a list of (move, visits, value)",
        )
    return tuple(_check_candidate(entry, legal) for entry in candidates[:MOST_CANDIDATES])


def _check_candidate(entry: object, legal: Sequence[int]) -> ConsideredMove:
    if isinstance(entry, _LISTS) and len(entry) == 3:
        move, visits, value = entry
        if type(move) is not int or type(visits) is not int or type(value) is not float:
            move, visits, value = plain_int(move), plain_int(visits), _number(value)
        if move is not None and visits is not None and value is not None:
            if move not in legal:
                raise BotFailure(
                    FaultKind.PROTOCOL, f"considered {one_line(move)}, which is not legal"
                )
            if 0 <= visits <= MOST_VISITS and -MOST_VALUE <= value <= MOST_VALUE:
                return ConsideredMove(move, visits, round(value, _DIGITS))
    raise BotFailure(
        FaultKind.PROTOCOL,
        f"considered {one_line(entry)}, which is not (move, visits, value) in numbers",
    )


def _number(value: object) -> float | None:
    """A number of any type as a plain one; None if it is not a number. It may be infinite."""
    kind = type(value)
    if kind is float:
        return value  # type: ignore[return-value]
    if issubclass(kind, float):
        return float.__float__(value)  # type: ignore[arg-type]
    number = plain_int(value)
    if number is not None or kind is bool or not hasattr(kind, "__float__"):
        return number
    try:
        return float.__float__(float(value))  # type: ignore[arg-type]  # of NumPy, or a fraction
    except BaseException as error:  # noqa: BLE001  (a bot's class may do anything here)
        reraise_ctrl_c(error)
        return None
