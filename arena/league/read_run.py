"""Reads the results of a run from a run file or from JSON lines, and writes them as JSON lines.

In JSON lines, the first line is a header (`format`, `version`, `game`, `bots`) and every other line
a game: the fields of `GameRecord`, and in `spent` a list of seat, decisions, seconds and slowest
decision for each seat that was timed. Only times differ between machines.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from arena.league.database import is_run_file, no_run_file, refuse_bundle
from arena.league.journal import Journal
from arena.league.schedule import is_swiss
from arena.league.table_notes import is_deserted, table_notes
from arena.stats.game_record import GameRecord, TimeSpent
from arena.stats.run import BadResults, Run
from games.errors import did_you_mean
from games.registry import DEFAULT_GAME, game_names

_FORMAT: Final = "arena-results"
_VERSION: Final = 1


def read_run(path: Path) -> Run:
    """The results in a league's run file or in a file of JSON lines."""
    if not path.is_file():
        raise BadResults(no_run_file(path))
    if is_run_file(path):
        with Journal.read(path) as journal:
            return run_of(journal)
    refuse_bundle(path)
    content = path.read_bytes()
    if not content.startswith(b"{"):
        raise BadResults(f"{path} is neither a run file nor a file of results (results.jsonl)")
    try:
        return _read(content.decode().splitlines())
    except UnicodeDecodeError:
        raise BadResults(f"{path} is not a file of results: it is not UTF-8 text") from None
    except BadResults as error:
        raise BadResults(f"{path}, {error}") from None


def run_of(journal: Journal) -> Run:
    """The results in a league's journal so far."""
    games, spent = tuple(journal.played()), tuple(journal.spent())
    _check_rows(journal.path, games, spent)
    rounds = journal.rounds() if is_swiss(journal.league) else {}
    bots, notes = journal.taking_part(), tuple(table_notes(journal))
    deserted = is_deserted(journal)
    return Run(bots, games, spent, journal.league.game, rounds, notes, deserted)


def _check_rows(path: Path, games: Sequence[GameRecord], spent: Sequence[TimeSpent]) -> None:
    """BadResults if a row cannot be true; tables are computed from them without looking."""
    players = {game.number: len(game.seats) for game in games}
    for game in games:
        if game.players != len(game.seats):
            problem = f"has {len(game.seats)} seats for {game.players} players"
            raise BadResults(f"{path} is damaged: game {game.number} {problem}")
    for time in spent:
        seats = players.get(time.number, 0)
        numbers = (time.seat, time.decisions, time.seconds, time.slowest)
        if not all(isinstance(value, int | float) for value in numbers) or (
            time.seat not in range(seats)
        ):
            raise BadResults(
                f"{path} is damaged: the times of game {time.number} belong to no seat of it"
            )


# ---- writing ----------------------------------------------------------------------------------


def write_run(run: Run) -> str:
    """The results as JSON lines, games in schedule order."""
    spent: dict[int, list[TimeSpent]] = {}
    for time in run.spent:
        spent.setdefault(time.number, []).append(time)
    header: dict[str, object] = {
        "format": _FORMAT,
        "version": _VERSION,
        "game": run.game,
        "bots": list(run.bots),
    }
    lines = [header]
    for game in run.games:
        costs = [[*time][1:] for time in spent.get(game.number, ())]
        lines.append({**vars(game), "spent": costs} if costs else dict(vars(game)))
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


# ---- reading ----------------------------------------------------------------------------------


class _Line:
    """One line of the file, and checks of its values."""

    def __init__(self, place: int, lines: list[str]) -> None:
        self.place = place
        text = lines[place - 1] if place <= len(lines) else ""
        try:
            values = json.loads(text)
        except ValueError:
            raise self.error("this is not JSON; expected an object") from None
        if not isinstance(values, dict):
            raise self.error("expected an object")
        self.values: Mapping[str, object] = values

    def error(self, what: str) -> BadResults:
        return BadResults(f"line {self.place}: {what}")

    def expect(self, key: str, value: object) -> None:
        actual = self.values.get(key)
        if actual != value or type(actual) is not type(value):
            raise self.error(f"{key} is {actual!r}, expected {value!r}")

    def number(self, key: str, least: int = 0, below: int | None = None) -> int:
        value = self.values.get(key)
        if type(value) is not int or value < least or (below is not None and value >= below):
            most = "" if below is None else f" and below {below}"
            raise self.error(f"{key!r} must be a whole number from {least}{most}, not {value!r}")
        return value

    def names(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key)
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self.error(f"{key!r} must be a list of names, not {value!r}")
        if not all(name.isprintable() for name in value):
            raise self.error(f"a name in {key!r} cannot be printed: {value!r}")
        return tuple(value)

    def winners(self, players: int) -> tuple[int, ...]:
        value = self.values.get("winners")
        if not isinstance(value, list) or value != [s for s in range(players) if s in value]:
            raise self.error(f"'winners' must be a list of seats, ascending, not {value!r}")
        return tuple(seat for seat in range(players) if seat in value)


def _read(lines: list[str]) -> Run:
    header = _Line(1, lines)
    header.expect("format", _FORMAT)
    header.expect("version", _VERSION)
    bots = header.names("bots")
    games: dict[int, GameRecord] = {}
    spent: list[TimeSpent] = []
    for number in range(2, len(lines) + 1):
        line = _Line(number, lines)
        game = _game(line, bots)
        if game.number in games:
            raise line.error(f"game {game.number} occurs twice")
        games[game.number] = game
        spent += _spent(line, game)
    # Files from before there was a second game lack its name.
    name = header.values.get("game", DEFAULT_GAME)
    if name not in game_names():
        raise header.error(f"game is {name!r}, expected one of {', '.join(game_names())}")
    ordered = tuple(games[number] for number in sorted(games))
    return Run(bots, ordered, tuple(spent), str(name))


def _game(line: _Line, bots: tuple[str, ...]) -> GameRecord:
    players = line.number("players", least=2)
    seats, roles = line.names("seats"), line.names("roles")
    for name, count in (("seats", len(seats)), ("roles", len(roles))):
        if count != players:
            raise line.error(f"{count} {name} for {players} players")
    for bot in seats:
        if bot not in bots:
            raise line.error(f"bot {bot!r} is not in the header{did_you_mean(bot, bots)}")
    return GameRecord(
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


def _spent(line: _Line, game: GameRecord) -> list[TimeSpent]:
    costs = line.values.get("spent", [])
    if not isinstance(costs, list):
        raise line.error("'spent' must be a list")
    spent = []
    for cost in costs:
        match cost:
            case [int(seat), int(decisions), int() | float() as seconds, int() | float() as most]:
                spent.append(TimeSpent(game.number, seat, decisions, float(seconds), float(most)))
            case _:
                raise line.error(f"expected [seat, decisions, seconds, slowest], not {cost}")
        if not 0 <= spent[-1].seat < game.players:
            raise line.error(f"seat {spent[-1].seat} in 'spent' of {game.players} players")
    return spent
