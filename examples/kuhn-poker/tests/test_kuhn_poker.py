"""Kuhn poker keeps the arena's contract, and its value is the one Kuhn computed."""

from fractions import Fraction

import pytest
from arena_kuhn_poker.game import GAME
from arena_kuhn_poker.state import BET, DEAL, LOT, PASS, Kuhn

from arena import play_game
from games import BadPosition, GameError, IllegalMove, check_game, game, game_names
from solver import solve_for_equilibrium


def test_the_arena_finds_it() -> None:
    assert "kuhn-poker" in game_names()
    assert game("kuhn-poker") is GAME


def test_it_keeps_the_contract_in_random_play() -> None:
    assert check_game(GAME, games=200).games == 200


@pytest.mark.parametrize(
    ("bets", "chips"),
    [((PASS, PASS), 1), ((BET, BET), 2), ((BET, PASS), 1), ((PASS, BET, PASS), -1)],
)
def test_a_king_against_a_jack_wins_these_chips(bets: tuple[int, ...], chips: int) -> None:
    hand = Kuhn()
    for move in (DEAL + 2, DEAL + 0, *bets):
        hand.play(move)
    assert hand.chips() == chips
    assert hand.weights() == [lots for lots in (2 + chips, 2 - chips) if lots]
    hand.play(LOT)
    assert hand.winners() == (0,)


def test_the_value_is_the_one_of_1950() -> None:
    found = solve_for_equilibrium("A ?; B ?", horizon="end", game="kuhn-poker").equilibrium
    assert found.value == (Fraction(35, 72), Fraction(35, 72))
    assert 4 * (found.value[0] - Fraction(1, 2)) == Fraction(-1, 18)


@pytest.mark.parametrize("rival", ["random", "greedy", "ismcts:iterations=30"])
def test_the_arenas_bots_play_it(rival: str) -> None:
    results = [
        play_game(["ismcts:iterations=30", rival], game="kuhn-poker", seed=i) for i in range(5)
    ]
    assert all(len(result.winners) == 1 for result in results)


def test_bad_input_gets_a_sentence() -> None:
    with pytest.raises(GameError, match="Kuhn poker is for 2 players, not 3"):
        GAME.new(3)
    with pytest.raises(GameError, match="Kuhn poker has no option 'rake'"):
        GAME.new(2, rake=1)
    with pytest.raises(IllegalMove, match="no move is called 'raise'; legal here: deal J"):
        GAME.text.parse(Kuhn(), "raise")
    with pytest.raises(BadPosition, match="both seats have the same card"):
        GAME.positions.read("A J; B J")
