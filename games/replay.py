"""Replays: a finished or unfinished game as JSON lines, verified when it is read.

Line by line: a header (`format`, `version`, `game`, `rules`, `players`, `options` and anything the
writer adds), one object for each move (`actor`, `move`, `text`, the `seconds` it took, and the
player's comments on it: `reason`, `belief`, `candidates`), and an end line (`result`, `digest`).
The text is for people. The digest covers all lines above and the last position, so it reveals both
damage and a change of the rules. A game that began from a position has it in the header
(`position`). Version 1 had no `seconds`, `candidates` or beliefs about roles.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import isfinite
from typing import Final, NamedTuple

from games.errors import BadReplay, GameError
from games.questions import PosedPosition
from games.registry import Game, game, read_position
from games.seats import seat_name
from games.state import CHANCE, NOBODY, State
from games.view import EventTuple, View

REPLAY_FORMAT: Final = "arena-replay"
SEAT_FORMAT: Final = "arena-seat"
REPLAY_VERSION: Final = 2
SEAT_VERSION: Final = 1
_READABLE: Final = (1, REPLAY_VERSION)
_HEADER: Final = ("format", "version", "game", "rules", "players", "options", "position")


Belief = Mapping[str, float | Mapping[str, float]]
"""A seat's letter -> its possible roles and their probabilities; statement -> its probability."""


class ConsideredMove(NamedTuple):
    """A move that a player considered."""

    move: int
    visits: int
    """How often a search tried it; 0 if there was none."""
    value: float
    """How good it seemed, on the player's own scale; a share of wins if it searches."""


@dataclass(frozen=True)
class Note:
    """A player's comment on its own move."""

    reason: str = ""
    belief: Belief = field(default_factory=dict)
    candidates: tuple[ConsideredMove, ...] = ()
    """The moves it considered, best first."""

    def __bool__(self) -> bool:
        return bool(self.reason or self.belief or self.candidates)


@dataclass(frozen=True)
class Replay:
    """A game and the moves, chance outcomes included, that were made in it."""

    game: str
    players: int
    moves: tuple[int, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)
    """What else is in the header: players, seed, date."""
    notes: Mapping[int, Note] = field(default_factory=dict)
    """Number of a move -> its player's comment."""
    position: str = ""
    """The position it began from, with nothing unknown; empty if it began with the deal."""
    seconds: Mapping[int, float] = field(default_factory=dict, compare=False)
    """Number of a move -> how long its player took; two replays of a game may differ in it."""

    def new(self, record: bool = False) -> State:
        """The game before its first move."""
        if not self.position:
            return game(self.game).new(self.players, **{**self.options, "record": record})
        state = self._posed().worlds(1)[0]
        if record:
            state.record()
        return state

    def view(self, seat: int) -> View:
        """What a seat knows before the first move."""
        view = game(self.game).view(seat, self.players, **self.options)
        for event in self.known_before(seat):
            view.observe(event)
        return view

    def known_before(self, seat: int) -> list[EventTuple]:
        """The position as events for a seat; none if the game began with the deal."""
        if not self.position:
            return []
        posed, rules = self._posed(), game(self.game)
        state = posed.worlds(1)[0]
        events = rules.analysis.late_events(state, seat, posed.learned(seat))
        if events is None:
            raise GameError(f"{rules.title} cannot be played from a position")
        return events

    def _posed(self) -> PosedPosition:
        return read_position(game(self.game), self.position)

    def state(self, moves: int | None = None) -> State:
        """The game after that many moves, by default after all."""
        state = self.new()
        for move in self.moves[:moves]:
            state.play(move)
        return state


# ---- writing ----------------------------------------------------------------------------------


def write_replay(replay: Replay) -> str:
    """The replay as text; BadReplay if its moves are not legal."""
    return "".join(line + "\n" for line in _lines(replay))


def _lines(replay: Replay) -> Iterator[str]:
    rules = game(replay.game)
    header: dict[str, object] = _header(REPLAY_FORMAT, REPLAY_VERSION, replay, rules)
    if replay.position:
        header["position"] = replay.position
    header.update((key, value) for key, value in replay.extra.items() if key not in _HEADER)
    digest = sha256()
    state = replay.new()
    line = _json(header)
    yield line
    for number, move in enumerate(replay.moves):
        digest.update(line.encode() + b"\n")
        if move not in state.moves():
            raise BadReplay(f"move {number + 1} of the replay, {move}, is not legal")
        words = rules.text.move(state, move)
        entry: dict[str, object] = {"actor": _actor(state), "move": move, "text": words}
        if (seconds := replay.seconds.get(number)) is not None:
            entry["seconds"] = seconds
        if (note := replay.notes.get(number)) is not None:
            entry.update({key: value for key, value in vars(note).items() if value})
        line = _json(entry)
        state.play(move)
        yield line
    digest.update(line.encode() + b"\n" + state.key())
    result = _result(rules, state, len(replay.moves))
    yield _json({"result": result, "digest": digest.hexdigest()})


def _header(kind: str, version: int, replay: Replay, rules: Game) -> dict[str, object]:
    return {
        "format": kind,
        "version": version,
        "game": replay.game,
        "rules": rules.rules_version,
        "players": replay.players,
        "options": dict(replay.options),
    }


def _json(value: object) -> str:
    return json.dumps(value, separators=(", ", ": "), ensure_ascii=False)


def _actor(state: State) -> str:
    return "chance" if state.actor == CHANCE else seat_name(state.actor)


def _result(rules: Game, state: State, moves: int) -> dict[str, object]:
    over = state.actor == NOBODY
    winners = [seat_name(seat) for seat in state.winners()] if over else []
    result: dict[str, object] = {"over": over, "winners": winners, "moves": moves}
    if over and rules.hit_turn_limit(state):
        result["turn_limit"] = True
    return result


# ---- reading ----------------------------------------------------------------------------------


def read_replay(text: str) -> Replay:
    """The replay, with every line checked; BadReplay names the line and what is wrong with it."""
    reader = _Reader(text)
    replay = reader.header()
    state = _begin(replay)
    moves: list[int] = []
    notes: dict[int, Note] = {}
    seconds: dict[int, float] = {}
    while True:
        line = reader.next_line()
        if "digest" in line or "result" in line:
            break
        if note := reader.note(line):
            notes[len(moves)] = note
        if "seconds" in line:
            seconds[len(moves)] = reader.seconds(line)
        moves.append(reader.move(state, line))
        state.play(moves[-1])
    reader.end(_result(game(replay.game), state, len(moves)), state, line)
    return replace(replay, moves=tuple(moves), notes=notes, seconds=seconds)


def _begin(replay: Replay) -> State:
    try:
        return replay.new()
    except GameError as error:
        raise BadReplay(f"line 1: {error}") from None


def _is_number(value: object) -> bool:
    return type(value) is int or (type(value) is float and isfinite(value))


class _Reader:
    """Reads a replay line by line."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.whole = self.lines.pop() == ""
        """Whether the last line ends with a newline."""
        self.number = 0
        self.digest = sha256()

    def fault(self, what: str) -> BadReplay:
        return BadReplay(f"line {self.number}: {what}")

    def next_line(self) -> dict[str, object]:
        """The object in the next line."""
        if self.number:
            self.digest.update(self.lines[self.number - 1].encode() + b"\n")
        self.number += 1
        if self.number > len(self.lines):
            end = "the file ends here" if self.whole else "half a line"
            expected = "a move or the end line" if self.number > 1 else "a header"
            raise self.fault(f"the replay is cut short: {end}, but {expected} was expected")
        try:
            value = json.loads(self.lines[self.number - 1])
        except (ValueError, RecursionError):  # numbers may be too long, lists too deep
            raise self.fault("this is not JSON, an object was expected") from None
        if not isinstance(value, dict):
            raise self.fault(f"this is a {type(value).__name__}, an object was expected")
        return value

    def header(self) -> Replay:
        line = self.next_line()
        self.expect(line, "format", REPLAY_FORMAT)
        version = line.get("version")
        if type(version) is not int or version not in _READABLE:
            readable = " or ".join(map(str, _READABLE))
            raise self.fault(f"version is {version!r}, {readable} was expected")
        name, players, options = line.get("game"), line.get("players"), line.get("options")
        if not isinstance(name, str):
            raise self.fault("the game's name was expected under 'game'")
        try:
            rules = game(name)
        except GameError as error:
            raise self.fault(str(error)) from None
        self.expect(line, "rules", rules.rules_version)
        if type(players) is not int:
            raise self.fault("a number was expected under 'players'")
        if not isinstance(options, dict):
            raise self.fault("an object was expected under 'options'")
        position = line.get("position", "")
        if not isinstance(position, str):
            raise self.fault("text was expected under 'position'")
        extra = {key: value for key, value in line.items() if key not in _HEADER}
        return Replay(name, players, (), options, extra, position=position)

    def expect(self, line: dict[str, object], key: str, value: object) -> None:
        actual = line.get(key)
        if actual != value or type(actual) is not type(value):
            raise self.fault(f"{key} is {actual!r}, {value!r} was expected")

    def move(self, state: State, line: dict[str, object]) -> int:
        """The move of a line; it must be legal."""
        if state.actor == NOBODY:
            raise self.fault("a move after the end of the game, the end line was expected")
        self.expect(line, "actor", _actor(state))
        move = line.get("move")
        legal = state.moves()
        if type(move) is not int or move not in legal:
            raise self.fault(f"move {move!r} is not legal, one of {legal} was expected")
        return move

    def note(self, line: dict[str, object]) -> Note:
        reason, belief = line.get("reason", ""), line.get("belief", {})
        if not isinstance(reason, str):
            raise self.fault(f"reason is {reason!r}, text was expected")
        if not isinstance(belief, dict) or not all(
            _is_number(p) or (isinstance(p, dict) and all(map(_is_number, p.values())))
            for p in belief.values()
        ):
            raise self.fault(f"belief is {belief!r}, an object of numbers was expected")
        return Note(reason, belief, self.candidates(line.get("candidates", [])))

    def candidates(self, listed: object) -> tuple[ConsideredMove, ...]:
        candidates: list[ConsideredMove] = []
        for entry in listed if isinstance(listed, list) else [listed]:
            match entry:
                case [int(move), int(visits), int(value) | float(value)] if _is_number(value):
                    candidates.append(ConsideredMove(move, visits, value))
                case _:
                    raise self.fault(
                        f"a candidate is {entry!r}, [move, visits, value] was expected"
                    )
        return tuple(candidates)

    def seconds(self, line: dict[str, object]) -> float:
        seconds = line["seconds"]
        if not isinstance(seconds, int | float) or not _is_number(seconds) or seconds < 0:
            raise self.fault(f"seconds is {seconds!r}, a number from 0 on was expected")
        return seconds

    def end(self, result: dict[str, object], state: State, line: dict[str, object]) -> None:
        if line.get("result") != {**result, "turn_limit": True}:  # files of 0.2.0 have no such flag
            result = {key: value for key, value in result.items() if key != "turn_limit"}
        self.expect(line, "result", result)
        self.digest.update(state.key())
        self.expect(line, "digest", self.digest.hexdigest())
        if not self.whole or len(self.lines) > self.number:
            self.number += 1
            raise self.fault("something follows the end line, the end of the file was expected")


# ---- what one seat perceived ------------------------------------------------------------------


def redact(replay: Replay, seat: int) -> str:
    """The game as that seat perceived it: a header, the seat's events in order, an end line.

    The writer's additions to the header are left out, since a seed would reveal everything; so are
    the players' comments and times.
    """
    rules = game(replay.game)
    if not 0 <= seat < replay.players:
        raise GameError(
            f"there is no seat {seat_name(seat)}; the game has {replay.players} players"
        )
    state = replay.new(record=True)
    events = [*replay.known_before(seat), *state.take_events(seat)]
    for move in replay.moves:
        state.play(move)
        events += state.take_events(seat)
    lines: list[object] = [
        {**_header(SEAT_FORMAT, SEAT_VERSION, replay, rules), "seat": seat_name(seat)}
    ]
    lines += [{"event": list(event)} for event in events]
    result = _result(rules, state, len(replay.moves))
    del result["moves"]
    lines.append({"result": result, "events": len(events)})
    return "".join(_json(line) + "\n" for line in lines)
