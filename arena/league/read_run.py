"""Results of a run: who played, every game, and what it cost; kept as JSON lines.

The first line is a header (`format`, `version`, `game`, `bots`), every further line a game: the
fields of `Played` under their own names, and under `spent` a list of seat, decisions, seconds and
slowest decision for each bot whose time was taken. Times are the only thing that differs between
machines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from arena.league.database import is_run_file
from arena.league.journal import Journal
from arena.stats.game_record import Played, Spent
from arena.stats.run import BadResults, Run
from games.errors import did_you_mean
from games.registry import DEFAULT_GAME, game_names

FORMAT: Final = "arena-results"
VERSION: Final = 1


def read_run(path: Path) -> Run:
    """The run kept under that path: the one place that knows how runs are stored.

    A league's run file, or results as JSON lines.
    """
    if not path.is_file():
        raise BadResults(f"there is no run file {str(path)!r}")
    if is_run_file(path):
        with Journal.read(path) as journal:
            return run_of(journal)
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        raise BadResults(f"{path} is not a file of results: it is not text") from None
    lines = text.splitlines()
    try:
        return _read(lines)
    except BadResults as error:
        raise BadResults(f"{path}, {error}") from None


def run_of(journal: Journal) -> Run:
    """The run a league's journal holds, as far as it has been played."""
    league = journal.league
    return Run(league.names, tuple(journal.played()), tuple(journal.spent()), league.game)


# ---- writing ----------------------------------------------------------------------------------


def write_run(run: Run) -> str:
    """The run as text, games in the order of the schedule."""
    spent: dict[int, list[Spent]] = {}
    for one in run.spent:
        spent.setdefault(one.number, []).append(one)
    header = {"format": FORMAT, "version": VERSION, "game": run.game, "bots": list(run.bots)}
    lines: list[object] = [header]
    lines += [_game_line(game, spent.get(game.number, ())) for game in run.games]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _game_line(game: Played, spent: Iterable[Spent]) -> dict[str, object]:
    line: dict[str, object] = dict(vars(game))
    costs = [[one.seat, one.decisions, one.seconds, one.slowest] for one in spent]
    return {**line, "spent": costs} if costs else line


# ---- reading ----------------------------------------------------------------------------------


def _read(lines: list[str]) -> Run:
    header = _Line(1, lines)
    header.expect("format", FORMAT)
    header.expect("version", VERSION)
    bots = header.names("bots")
    games: dict[int, Played] = {}
    spent: list[Spent] = []
    for number in range(2, len(lines) + 1):
        line = _Line(number, lines)
        game = _game(line, bots)
        if game.number in games:
            raise line.fault(f"game {game.number} is there twice")
        games[game.number] = game
        spent += _spent(line, game)
    return Run(bots, tuple(games[number] for number in sorted(games)), tuple(spent), _name(header))


def _name(header: _Line) -> str:
    """Of the game; files from before there was a second one do not say it."""
    name = header.values.get("game", DEFAULT_GAME)
    if name not in game_names():
        raise header.fault(f"game is {name!r}, one of {', '.join(game_names())} was expected")
    return str(name)


def _game(line: _Line, bots: tuple[str, ...]) -> Played:
    players = line.number("players", least=2)
    seats, roles = line.names("seats"), line.names("roles")
    for name, many in (("seats", len(seats)), ("roles", len(roles))):
        if many != players:
            raise line.fault(f"{many} {name} for {players} players")
    for bot in seats:
        if bot not in bots:
            raise line.fault(f"bot {bot!r} is not in the header{did_you_mean(bot, bots)}")
    return Played(
        number=line.number("number"),
        players=players,
        deal=line.number("deal"),
        seats=seats,
        winners=line.winners(players),
        roles=roles,
        decisions=line.number("decisions"),
        turns=line.number("turns"),
        faulty=None if line.values.get("faulty") is None else line.number("faulty", below=players),
        first=line.number("first", below=players),
    )


def _spent(line: _Line, game: Played) -> list[Spent]:
    costs = line.values.get("spent", [])
    if not isinstance(costs, list):
        raise line.fault("a list was expected under 'spent'")
    found = []
    for cost in costs:
        match cost:
            case [int(seat), int(decisions), int() | float() as seconds, int() | float() as most]:
                found.append(Spent(game.number, seat, decisions, float(seconds), float(most)))
            case _:
                raise line.fault(f"[seat, decisions, seconds, slowest] was expected, not {cost}")
        if not 0 <= found[-1].seat < game.players:
            raise line.fault(f"seat {found[-1].seat} under 'spent' of {game.players} players")
    return found


class _Line:
    """One line and what it must hold."""

    def __init__(self, place: int, lines: list[str]) -> None:
        self.place = place
        text = lines[place - 1] if place <= len(lines) else ""
        try:
            values = json.loads(text)
        except ValueError:
            raise self.fault("this is not JSON, an object was expected") from None
        if not isinstance(values, dict):
            raise self.fault("an object was expected")
        self.values: Mapping[str, object] = values

    def fault(self, what: str) -> BadResults:
        return BadResults(f"line {self.place}: {what}")

    def expect(self, key: str, value: object) -> None:
        found = self.values.get(key)
        if found != value or type(found) is not type(value):
            raise self.fault(f"{key} is {found!r}, {value!r} was expected")

    def number(self, key: str, least: int = 0, below: int | None = None) -> int:
        value = self.values.get(key)
        if type(value) is not int or value < least or (below is not None and value >= below):
            most = "" if below is None else f" and below {below}"
            raise self.fault(
                f"a whole number from {least}{most} was expected as {key!r}, not {value!r}"
            )
        return value

    def names(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key)
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self.fault(f"a list of names was expected as {key!r}, not {value!r}")
        return tuple(value)

    def winners(self, players: int) -> tuple[int, ...]:
        value = self.values.get("winners")
        if not isinstance(value, list) or value != [s for s in range(players) if s in value]:
            raise self.fault(f"winning seats, ascending, were expected, not {value!r}")
        return tuple(seat for seat in range(players) if seat in value)
