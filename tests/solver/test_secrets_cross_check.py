"""The solver and the plain checker say the same about random small positions of Secrets."""

import pytest

from games.engine import COMPILED
from solver.reference.cross_check import secrets_case, sweep

OPEN, HIDDEN, NODES = (70, 35, 800) if COMPILED else (15, 7, 250)
"""Cases of each kind; the pure engine is slower."""


@pytest.mark.parametrize(("hidden", "count"), [(False, OPEN), (True, HIDDEN)])
def test_on_random_small_positions(hidden: bool, count: int) -> None:
    tally = sweep(1, count, NODES, hidden, secrets_case)
    assert tally.disagreements == []
    assert tally.cases == count
    assert tally.telling > count // 4
    assert tally.chancy
    seated = {players for players, _, _ in tally.compared}
    assert seated == {4, 5, 6, 7, 8} if COMPILED else len(seated) > 3
    assert len({others for _, others, _ in tally.compared}) == (3 if hidden else 4)
