"""Whole games of Secrets, stored move by move, and lines of play counted by hand."""

from __future__ import annotations

import json

import pytest

from games.registry import game
from games.replay import Replay, read_replay, seat_name, write_replay
from games.secrets.state import Secrets, new_game
from games.secrets.words import CHARACTERS
from games.state import CHANCE, NOBODY
from tests.goldens import ROOT, SECRETS_GAMES
from tests.perft.counting import count
from tests.secrets.table import given

RULES = game("secrets")
EVERY_GAME = pytest.mark.parametrize("players", SECRETS_GAMES)


def stored(players: int) -> str:
    return (ROOT / f"tests/golden/secrets/{players}.jsonl").read_text(encoding="utf-8")


def replay(players: int) -> Replay:
    return read_replay(stored(players))


@EVERY_GAME
def test_the_file_proves_itself_and_is_written_alike(players: int) -> None:
    assert replay(players).players == players
    assert write_replay(replay(players)) == stored(players)


@EVERY_GAME
def test_every_line_tells_what_happens(players: int) -> None:
    state = replay(players).new()
    lines = [json.loads(line) for line in stored(players).splitlines()]
    for number, line in enumerate(lines[1:-1], 2):
        who = "chance" if state.actor == CHANCE else seat_name(state.actor)
        told = (who, RULES.move_text(state, line["move"]))
        assert (line["actor"], line["text"]) == told, f"{players}.jsonl, line {number}"
        assert RULES.parse_move(state, line["text"]) == line["move"]
        state.play(line["move"])
    assert state.actor == NOBODY
    assert [seat_name(seat) for seat in state.winners()] == lines[-1]["result"]["winners"]


def test_every_character_is_taken_in_some_stored_game() -> None:
    taken = set()
    for players in SECRETS_GAMES:
        state = replay(players).state()
        assert isinstance(state, Secrets)
        for seat in range(players):
            both = (state.up, state.down)
            taken |= {c for c in range(CHARACTERS) if any(lying(seat, c) for lying in both)}
    assert taken == set(range(CHARACTERS))


# ---- lines of play ----------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "deals"), [(4, 30), (5, 90), (6, 140)])
def test_tokens_are_dealt_in_as_many_ways_as_they_can_be_arranged(players: int, deals: int) -> None:
    """Five tokens, two and two alike: 5! / (2! 2!), and so on."""
    assert count(new_game(players, first=0), players + 1) == deals


def test_the_first_cards_are_any_two() -> None:
    """Every character has copies enough to come twice."""
    assert count(new_game(4, first=0), 7) == 30 * 8 * 8


def test_an_offer_has_cards_targets_claims_and_answers() -> None:
    table = given(
        "CIA KGB Hippie CIA", "KGB", ["Psychiatrist", "Detective", "Assassin", "Diplomat"]
    )
    assert count(table.state, 3) == 2 * 3 * 9
    assert count(table.state, 4) == 2 * 3 * 9 * 2
    swaps, looks = 6, 5
    assert count(table.state, 5) == 3 * 9 * 2 * (swaps + looks)


def test_the_un_window_adds_an_interruption_to_the_two_answers() -> None:
    lying = {0: ["Journalist"], 1: ["Journalist"], 2: ["Journalist"]}
    deck = ["Psychiatrist", "Detective", "Assassin", "Diplomat"]
    table = given("CIA KGB Hippie CIA", "KGB", deck, lying)
    offers = 2 * 9
    to_others = 2 * offers
    assert count(table.state, 4) == offers * 2 + to_others * 2
    # The UN player's answer leads to an effect, staying out to the answer of the target.
    effects = 9 * (6 + 5)
    assert count(table.state, 5) == effects * 2 + 2 * effects + to_others * 2
