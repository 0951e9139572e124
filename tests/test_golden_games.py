"""Whole games, stored move by move: the rules must still allow them and lead to the same end.

The files are read as they lie there; only `scripts/update-golden` plays anew.
"""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from games.hidden_leaders.cards import BEGINNER, HEROES
from games.hidden_leaders.state import HiddenLeaders
from games.hidden_leaders.text import move_text, parse_move
from games.replay import Replay, read_replay, seat_name, write_replay
from games.state import CHANCE, NOBODY
from tests.goldens import GAMES, ROOT

EVERY_GAME = pytest.mark.parametrize("name", GAMES)


@cache
def stored(name: str) -> str:
    return (ROOT / f"tests/golden/games/{name}.jsonl").read_text(encoding="utf-8")


@cache
def replay(name: str) -> Replay:
    return read_replay(stored(name))


def start(name: str) -> HiddenLeaders:
    state = replay(name).new()
    assert isinstance(state, HiddenLeaders)
    return state


@EVERY_GAME
def test_the_file_proves_itself_and_is_written_alike(name: str) -> None:
    players, seed, options = GAMES[name]
    assert (replay(name).players, replay(name).extra) == (players, {"seed": seed})
    assert replay(name).options == options
    assert write_replay(replay(name)) == stored(name)


@EVERY_GAME
def test_every_line_tells_what_happens(name: str) -> None:
    """Actor and words of every move, compared line by line while the game is played again."""
    state = start(name)
    lines = [json.loads(line) for line in stored(name).splitlines()]
    for number, line in enumerate(lines[1:-1], 2):
        who = "chance" if state.actor == CHANCE else seat_name(state.actor)
        told = (who, move_text(state, line["move"]))
        assert (line["actor"], line["text"]) == told, f"{name}.jsonl, line {number}"
        assert parse_move(state, line["text"]) == line["move"], f"{name}.jsonl, line {number}"
        state.play(line["move"])
    assert state.actor == NOBODY
    assert [seat_name(seat) for seat in state.winners()] == lines[-1]["result"]["winners"]


@EVERY_GAME
def test_the_game_ended_by_itself(name: str) -> None:
    state = replay(name).state()
    assert isinstance(state, HiddenLeaders)
    assert state.actor == NOBODY
    assert state.faction


def taking_part(name: str) -> set[str]:
    """Heroes played from hand or chosen to be performed."""
    texts = [json.loads(line).get("text", "") for line in stored(name).splitlines()]
    found = (re.fullmatch("(?:play|perform) (.*)", text) for text in texts)
    return {match[1] for match in found if match}


def test_every_hero_takes_part_in_some_game() -> None:
    seen = set[str]().union(*(taking_part(name) for name in GAMES))
    missing = [hero.name for hero in HEROES if hero.name not in seen]
    assert not missing, f"choose other seeds, nobody plays: {', '.join(missing)}"


def test_the_beginner_game_knows_no_advanced_hero() -> None:
    assert taking_part("beginner-4") <= {HEROES[card].name for card in BEGINNER}
