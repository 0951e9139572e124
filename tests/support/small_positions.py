"""Positions of Hidden Leaders shared by solver tests."""

from __future__ import annotations

from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.rules.state import HiddenLeaders

ONE_TURN = (
    "players 2; turn A; red 6; green 6; threshold 5; "
    "A leader Myrad hand ShSo UnMe FuFr open DeDr BlCo LoLo SpSh; "
    "B leader Lemron hand BoGo LeLi open CuTr"
)
"""A can win this turn only with Furious Frog and red -2."""


def one_turn() -> HiddenLeaders:
    return read(ONE_TURN).state()


def long_way() -> HiddenLeaders:
    """A position far from the end of the game."""
    return read(
        "players 3; A leader Myrad hand ShSo UnMe FuFr; B leader Lemron hand BoGo; "
        "C leader Pavyr hand GrGu"
    ).state()
