"""Numbers that the compiler writes into the code, instead of looking them up in every loop."""

import ast
import importlib

import pytest

from games.engine import ROOT
from games.hidden_leaders.rules import constants, solver_table, table
from games.secrets import constants as secrets_constants
from games.secrets import table as secrets_table

NOT_IN_LOOPS = {"EMPEROR", "_STAND_IN_COUNT", "BLANK", "SIZE", "_KEPT", "DECK"}
"""Numbers that are read once per game or per decision at most."""
NOT_IN_LOOPS |= {"ALL_HEROES", "_PLAYERS"}  # sets of cards, too large for a machine word

HOT = next(
    ast.literal_eval(node.value)
    for node in ast.parse((ROOT / "setup.py").read_text()).body
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HOT"
)


def numbers_looked_up(path: str) -> set[str]:
    """Constants of a module whose sum has a part that is not of the same module."""
    tree = ast.parse((ROOT / path).read_text())
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    finals = {
        node.target.id: node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.value is not None
        and isinstance(getattr(module, node.target.id, None), int)
    }
    return {
        name
        for name, value in finals.items()
        for part in ast.walk(value)
        if isinstance(part, ast.Call | ast.Attribute)
        or (isinstance(part, ast.Name) and part.id not in finals)
    }


@pytest.mark.parametrize("path", HOT)
def test_a_sum_has_only_parts_of_its_own_module(path: str) -> None:
    assert numbers_looked_up(path) <= NOT_IN_LOOPS


def test_numbers_written_twice_are_equal() -> None:
    assert table._ZONES == constants.ZONE_COUNT == constants.Zone.COUNT
    assert table._SEATS == constants.MOST_PLAYERS
    assert solver_table._ALL_HANDS == 63 << constants.Zone.HAND
    assert secrets_table._SEATS == secrets_constants.MOST_PLAYERS
    assert secrets_table._KINDS == secrets_constants.KINDS
    assert secrets_table._PLACES == secrets_constants.PLACES
