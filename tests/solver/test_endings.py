"""Endings solved by hand: the reasoning stands beside the position, the solver must agree."""

from fractions import Fraction

import pytest

from games.hidden_leaders.game import GAME, move_text
from games.hidden_leaders.posing import pose
from solver.asking import Asked, solve
from solver.effort import Effort

ON_THEIR_TURN = (
    "threshold 2; red 6; green 5; deck UnMe KeKo; "
    "A leader Enned; B leader Pavyr hand KeKo open UnMe"
)
"""B's Koi would end the game at red 5, green 6: Water wins, which A alone supports."""


def values(position: str, **asked: str) -> dict[str, Fraction]:
    """The exact value of every move, in words."""
    solved = solve(Asked(GAME, pose(position), **asked), Effort(50_000))  # type: ignore[arg-type]
    assert solved.answer.exact
    return {move_text(solved.worlds[0], one.move): one.likely[0] for one in solved.answer.values}


@pytest.mark.parametrize(
    ("others", "value"),
    [
        # Play, discard or do nothing: one of three even choices.
        ("random", Fraction(1, 3)),
        # B would rather do nothing.
        ("coalition", Fraction(0)),
        # B cannot win either way, and then takes what is worse for A.
        ("selfish", Fraction(0)),
    ],
)
def test_winning_on_the_turn_of_another(others: str, value: Fraction) -> None:
    assert values(ON_THEIR_TURN, others=others, horizon="2") == {"do nothing": value}
    assert values(ON_THEIR_TURN, others=others, horizon="turn") == {"do nothing": 0}


def test_a_selfish_player_ends_the_game_for_itself() -> None:
    # Cyra supports Water too, and B would have a Water hero more than A.
    position = ON_THEIR_TURN.replace("Pavyr", "Cyra")
    assert values(position, goal="deny:B", others="selfish", horizon="2") == {"do nothing": 0}
    assert values(position, goal="deny:B", others="random", horizon="2") == {
        "do nothing": Fraction(2, 3)
    }


def test_a_faction_that_nobody_leads_may_win() -> None:
    # The Collector brings red to 5 and green to 7: Tribes, whom neither leader supports.
    position = "threshold 1; A leader Xiadul hand BlCo UnMe; B leader Enned"
    tribes = values(position, goal="tribes")
    assert [move for move, value in tribes.items() if value] == ["play Blind Eye Collector"]
    assert values(position, goal="win")["play Blind Eye Collector"] == 0
    assert values(position, goal="win")["play Underpaid Mercenary"] == 1


def test_luck_that_buries_one_of_two() -> None:
    # Two Tribes heroes and three heroes each: B wins the tie by its leader. The Gorgon buries one
    # of B's two open heroes. Without the Loner B has one Tribes hero, and A wins; without the
    # Mercenary B has as many as before and fewer heroes.
    position = (
        "threshold 3; red 4; green 8; A leader Lemron hand GoGo open DeDr BlCo; "
        "B leader Pavyr open LoLo UnMe hidden WaWi"
    )
    found = values(position)
    assert found.pop("play Gorgeous Gorgon") == Fraction(1, 2)
    assert set(found.values()) == {0}


def test_the_turn_limit_ends_the_game_without_a_winner() -> None:
    # Only one turn is left and nobody can end the game in it: whatever is denied is denied.
    position = "turns 9; limit 10; A leader Xiadul hand UnMe; B leader Enned"
    assert set(values(position, horizon="end").values()) == {0}
    assert set(values(position, goal="deny:B", horizon="end").values()) == {1}
