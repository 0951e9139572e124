"""Results of a run: written and read back, with an error for every mistake."""

import json
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.league.read_run import read_run, write_run
from arena.stats.game_record import GameRecord, TimeSpent
from arena.stats.run import BadResults, Run
from tests.support.leagues import play, small
from tests.support.simulated_league import World, league

GAMES = tuple(league(World({"a": 0.0, "b": 1.0}, nobody=-1.0), 3, 3, random.Random(1)))
SPENT = (TimeSpent(0, 2, 14, 0.25, 0.1), TimeSpent(1, 0, 9, 1.0, 0.5))
RUN = Run(("a", "b"), GAMES, SPENT)

GAME = {
    "number": 0,
    "players": 2,
    "deal": 0,
    "seats": ["a", "bee"],
    "winners": [1],
    "roles": ["x", "y"],
    "decisions": 5,
    "turns": 3,
    "faulty": None,
    "first": 1,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "r.jsonl"


def lines(*games: object) -> str:
    header = {"format": "arena-results", "version": 1, "bots": ["a", "bee"]}
    return "".join(json.dumps(line) + "\n" for line in (header, *games))


def test_the_game_is_saved_and_files_without_it_are_of_the_default_game(path: Path) -> None:
    path.write_text(lines())
    assert read_run(path).game == "hidden-leaders"
    path.write_text(write_run(replace(RUN, game="secrets")))
    assert read_run(path).game == read_run(path).at(GAMES[0].players).game == "secrets"


def test_results_survive_a_round_trip(path: Path) -> None:
    path.write_text(write_run(RUN))
    assert read_run(path) == RUN


def test_games_are_in_schedule_order(path: Path) -> None:
    path.write_text(write_run(Run(("a", "b"), GAMES[::-1])))
    assert read_run(path).games == GAMES


def test_games_of_one_player_count_can_be_selected() -> None:
    pair = GameRecord(99, 2, 0, ("a", "b"), (0,), ("x", "y"), 5, 3)
    mixed = Run(("a", "b"), (*GAMES, pair), SPENT)
    assert mixed.counts() == (2, 3)
    assert mixed.at(3) == RUN
    assert mixed.at(2).spent == ()
    with pytest.raises(BadResults, match=r"there are no games with 4 players, only with 2, 3"):
        mixed.at(4)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"seats": ["a", "be"]}, "line 2: bot 'be' is not in the header; did you mean 'bee'"),
        ({"seats": ["a"]}, "line 2: 1 seats for 2 players"),
        ({"roles": ["x"]}, "line 2: 1 roles for 2 players"),
        ({"players": 1}, "'players' must be a whole number from 2, not 1"),
        ({"winners": [2]}, r"'winners' must be a list of seats, ascending, not \[2\]"),
        ({"winners": "A"}, "'winners' must be a list of seats, ascending, not 'A'"),
        ({"faulty": 2}, "'faulty' must be a whole number from 0 and below 2, not 2"),
        ({"deal": "x"}, "'deal' must be a whole number from 0, not 'x'"),
        ({"turns": True}, "'turns' must be a whole number from 0, not True"),
        ({"seats": "ab"}, "'seats' must be a list of names, not 'ab'"),
        ({"roles": ["\x1b[31m", "b"]}, "a name in 'roles' cannot be printed: "),
        ({"spent": 3}, "'spent' must be a list"),
        ({"spent": [[0, 1]]}, r"expected \[seat, decisions, seconds, slowest\], not \[0, 1\]"),
        ({"spent": [[7, 1, 1, 1]]}, "seat 7 in 'spent' of 2 players"),
    ],
)
def test_mistakes_are_named(path: Path, change: dict[str, object], complaint: str) -> None:
    path.write_text(lines({**GAME, **change}))
    with pytest.raises(BadResults, match=complaint):
        read_run(path)


def test_a_game_twice_is_refused(path: Path) -> None:
    path.write_text(lines(GAME, GAME))
    with pytest.raises(BadResults, match="line 3: game 0 occurs twice"):
        read_run(path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "is neither a run file nor a file of results"),
        (b"{\n", "line 1: this is not JSON"),
        (b"\xff\xfe\x00", "is neither a run file nor a file of results"),
        (b"{\xff", "is not a file of results: it is not UTF-8 text"),
        (b"[1]\n", "is neither a run file nor a file of results"),
        (b'{"format": "arena-replay"}\n', "format is 'arena-replay', expected 'arena-results'"),
        (b'{"format": "arena-results", "version": 2}\n', "version is 2, expected 1"),
        (
            b'{"format": "arena-results", "version": 1, "bots": [], "game": "go"}\n',
            "line 1: game is 'go', expected one of hidden-leaders, secrets",
        ),
    ],
)
def test_other_files_are_refused(path: Path, content: bytes, complaint: str) -> None:
    path.write_bytes(content)
    with pytest.raises(BadResults, match=complaint):
        read_run(path)


@pytest.mark.parametrize(
    ("winners", "faulty", "shares"),
    [
        ((1,), None, (0, 1, 0)),
        ((0, 2), None, (0.5, 0, 0.5)),
        ((), None, (0, 0, 0)),
        ((), 0, (0, 0.5, 0.5)),
    ],
)
def test_shares_of_a_game_add_up(
    winners: tuple[int, ...], faulty: int | None, shares: tuple[float, ...]
) -> None:
    game = GameRecord(0, 3, 0, ("a", "b", "c"), winners, ("", "", ""), 1, 1, faulty)
    assert game.shares() == shares


def test_turn_order_starts_with_the_first_seat() -> None:
    game = GameRecord(0, 4, 0, ("a",) * 4, (), ("",) * 4, 1, 1, first=3)
    assert [game.place(seat) for seat in range(4)] == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("UPDATE spent SET seat = 7", "the times of game 0 belong to no seat of it"),
        ("UPDATE spent SET seconds = 'long'", "the times of game 0 belong to no seat of it"),
        ("UPDATE games SET players = 5", "game 0 has 2 seats for 5 players"),
    ],
)
def test_damaged_rows_of_a_run_file_are_named(tmp_path: Path, change: str, complaint: str) -> None:
    assert play(tmp_path / "run.db", small("random", "greedy", players=2, deals=1))
    with closing(sqlite3.connect(tmp_path / "run.db")) as base, base:
        base.execute(change.replace("UPDATE spent", "UPDATE OR REPLACE spent"))
    with pytest.raises(BadResults, match=f"run.db is damaged: {complaint}"):
        read_run(tmp_path / "run.db")
