"""Whole games, stored move by move: the rules must still allow them and reach the same end.

The files are read as they lie there; only `scripts/update-golden` plays anew.
"""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from games.hidden_leaders.rules.cards import BEGINNER, HEROES
from games.hidden_leaders.rules.state import HiddenLeaders
from games.registry import game, game_names
from games.replay import Replay, read_replay, write_replay
from games.seats import seat_name
from games.secrets.constants import Character
from games.secrets.state import Secrets
from games.state import CHANCE, NOBODY
from tests.support.goldens import GAMES, golden_game, golden_games

EVERY_GAME = pytest.mark.parametrize("name", GAMES)


stored = cache(golden_game)


@cache
def replay(name: str) -> Replay:
    return read_replay(stored(name))


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_stored_at_every_player_count(name: str) -> None:
    assert {GAMES[one].players for one in golden_games(name)} == set(game(name).player_counts)


@EVERY_GAME
def test_the_file_is_valid_and_written_back_unchanged(name: str) -> None:
    meant = GAMES[name]
    assert (replay(name).game, replay(name).players) == (meant.game, meant.players)
    assert (replay(name).options, replay(name).extra) == (meant.options, {"seed": meant.seed})
    assert write_replay(replay(name)) == stored(name)


@EVERY_GAME
def test_every_line_describes_its_move(name: str) -> None:
    """Actor and words of every move, compared line by line while the game is played again."""
    state = replay(name).new()
    rules = game(replay(name).game)
    lines = [json.loads(line) for line in stored(name).splitlines()]
    for number, line in enumerate(lines[1:-1], 2):
        who = "chance" if state.actor == CHANCE else seat_name(state.actor)
        told = (who, rules.text.move(state, line["move"]))
        assert (line["actor"], line["text"]) == told, f"{name}.jsonl, line {number}"
        assert rules.text.parse(state, line["text"]) == line["move"], f"{name}.jsonl, line {number}"
        state.play(line["move"])
    assert state.actor == NOBODY
    assert [seat_name(seat) for seat in state.winners()] == lines[-1]["result"]["winners"]


# ---- Hidden Leaders ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", golden_games("hidden-leaders"))
def test_no_turn_limit_ended_the_game(name: str) -> None:
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
    seen = set[str]().union(*(taking_part(name) for name in golden_games("hidden-leaders")))
    missing = [hero.name for hero in HEROES if hero.name not in seen]
    assert not missing, f"choose other seeds, nobody plays: {', '.join(missing)}"


def test_the_beginner_game_has_no_advanced_hero() -> None:
    assert taking_part("games/beginner-4") <= {HEROES[card].name for card in BEGINNER}


# ---- Secrets ----------------------------------------------------------------------------------


def test_every_character_is_taken_in_some_stored_game() -> None:
    taken = set()
    for name in golden_games("secrets"):
        state = replay(name).state()
        assert isinstance(state, Secrets)
        for seat in range(state.players):
            both = (state.up, state.down)
            taken |= {c for c in range(Character.COUNT) if any(lying(seat, c) for lying in both)}
    assert taken == set(range(Character.COUNT))
