"""Plays games of a run again with the bots themselves: who searches by iterations repeats himself.

Nothing else shows that a stored move is the one which the bot chose, and not another legal one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Final

from arena.league.bot_sources import bot_identities
from arena.league.config import League
from arena.league.database import BadRun
from arena.league.journal import Journal, SavedGame
from arena.league.outcome import Crashed, Fault, Finished, Outcome, unpack_moves
from arena.league.schedule import GameKey
from arena.league.start import check_bots
from arena.league.worker import GameRunner
from bots.runtime.faults import FaultKind
from bots.runtime.loading import split_options
from games.seats import seat_name

_BY_THE_MACHINE: Final = (FaultKind.TIME, FaultKind.KILLED, FaultKind.DIED, FaultKind.MEMORY)
"""Faults that another machine need not repeat."""


@dataclass
class PlayedAgain:
    """What came of playing a sample of games again."""

    games: list[int]
    """Their numbers."""
    repeated: int = 0
    """How many had the same moves and the same end."""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Differences that prove nothing."""


def replay_bots(
    journal: Journal,
    league: League,
    count: int,
    played: Callable[[int], object] = lambda _games: None,
) -> PlayedAgain:
    """Play so many games of the run again, chosen at random, after `check_same_bots`.

    `league`: that of the run; its bots may be found elsewhere, or not be trusted. A game that comes
    out differently is played twice: if those two differ as well, its bots do not repeat themselves,
    and nothing is proven.
    """
    check_bots(league)
    numbers = sorted(journal.numbers(counted=False))
    chosen = sorted(SystemRandom().sample(numbers, min(count, len(numbers))))
    result = PlayedAgain(chosen)
    timed = timed_bots(league)
    if timed:
        why = f"{timed}, so moves may differ"
        result.notes.append(f"{why}: of games that differ, only the legality was checked")
    runner = GameRunner(league, hidden=journal.files())
    for number in chosen:
        (saved,) = journal.games(number)
        key = key_of(league, saved)
        again = runner.play(key)
        difference = _difference(saved, again)
        result.repeated += not difference
        if difference and not timed:
            certain = _same(again, runner.play(key)) and not _excused(saved, again)
            findings = result.problems if certain else result.notes
            why = "" if certain else "; that proves nothing, its bots do not repeat themselves"
            findings.append(f"game {number} played again: {difference}{why}")
        elif difference and (fault := _new_illegal_move(saved, again)) is not None:
            how = f"it ended with {_told(fault)}, in the run with {_told(saved.fault)}"
            result.notes.append(f"game {number} played again: {how}")
        played(1)
    return result


def timed_bots(league: League) -> str:
    """Why the bots need not repeat their moves, as far as the config says; empty if they must."""
    if league.seconds_per_move or league.seconds_per_game:
        return "the league has a time limit"
    for spec in league.bots:
        options = split_options(spec.bot)[1].split(",")
        if any(option.strip().startswith("seconds=") for option in options):
            return f"{spec.name} thinks by the clock"
    return ""


def key_of(league: League, saved: SavedGame) -> GameKey:
    """What a worker needs to play the game."""
    record = saved.record
    seats = tuple(league.names.index(name) for name in record.seats)
    return GameKey(record.number, record.players, record.deal, saved.seed, seats)


def check_same_bots(journal: Journal, league: League) -> None:
    """BadRun unless the bots of this league are, by their digests, those that played."""
    if journal.converted:
        raise BadRun(f"{journal.path} was converted; which bots played is not known exactly")
    for name, identity in bot_identities(league).items():
        if journal.bots.get(name) != identity:
            raise BadRun(f"{name} is not the bot that played: its sources or its spec are others")


def _difference(saved: SavedGame, again: Outcome) -> str:
    """How the new game differs, and by whose choice; empty if it does not."""
    if isinstance(again, Crashed):
        return again.problem
    old, new = saved.replay.moves, unpack_moves(again.moves)
    if old == new and _how(saved.fault) == _how(again.fault):
        return ""
    place = next((ply for ply, pair in enumerate(zip(old, new)) if pair[0] != pair[1]), None)  # noqa: B905
    if place is None:
        return f"it ended with {_told(saved.fault)} at {len(old)} moves, now {_told(again.fault)}"
    seat = saved.replay.state(place).actor
    who = f"{seat_name(seat)} ({saved.record.seats[seat]})" if seat >= 0 else "the deal"
    return f"at place {place} {who} chose {new[place]}, but the run has {old[place]}"


def _same(one: Outcome, other: Outcome) -> bool:
    if isinstance(one, Crashed) or isinstance(other, Crashed):
        return False
    return (one.moves, _how(one.fault)) == (other.moves, _how(other.fault))


def _how(fault: Fault | None) -> Sequence[object]:
    """Of a fault what must be the same again; its words may name a place in memory."""
    return () if fault is None else fault[:3]


def _excused(saved: SavedGame, again: Outcome) -> bool:
    """Whether the machine had a part in how one of the games ended."""
    faults = [saved.fault, again.fault if isinstance(again, Finished) else None]
    return any(fault is not None and fault.kind in _BY_THE_MACHINE for fault in faults)


def _new_illegal_move(saved: SavedGame, again: Outcome) -> Fault | None:
    """The illegal move that ended the new game, unless that seat made one in the saved game too."""
    before, now = saved.fault, again.fault if isinstance(again, Finished) else None
    if now is None or now.kind not in (FaultKind.ILLEGAL, FaultKind.NOT_A_MOVE):
        return None
    return None if before and (before.seat, before.kind) == (now.seat, now.kind) else now


def _told(fault: Fault | None) -> str:
    return "no fault" if fault is None else f"a fault of {seat_name(fault.seat)} ({fault.kind})"
