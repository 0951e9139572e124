"""Perft counts of Secrets, worked out by hand: the ways a deal and an offer can go."""

from __future__ import annotations

import pytest

from games.secrets.state import new_game
from tests.games.perft.counting import count
from tests.support.secrets_table import given


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
