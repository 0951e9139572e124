"""A whole small game as a tree in OpenSpiel's own C++, where its solvers are fast.

    tree = tree_of(load("hidden-leaders", 2, variant="tiny"))
    solver = pyspiel.CFRPlusSolver(tree)

Its algorithms call Python at every node of a Python game; on this tree they do not.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.adapters.extras import MissingExtra

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingExtra("the OpenSpiel adapter", "openspiel", error.name) from None

from arena.adapters.openspiel import SpielGame, SpielState
from games.errors import GameError

__all__ = ["tree_of"]


def tree_of(game: SpielGame, most_nodes: int = 500_000) -> pyspiel.Game:
    """The game as an `efg_game`: the same players, chances, information sets and payoffs.

    Actions have the names of their numbers. GameError if the game has more than `most_nodes`.
    """
    players = " ".join(f'"{player}"' for player in range(game.num_players()))
    lines = [f'EFG 2 R "{game.get_type().short_name}" {{ {players} }}']
    sets: list[dict[str, int]] = [{} for _ in range(game.num_players())]
    for number, line in enumerate(_nodes(game.new_initial_state(), sets), 1):
        if number > most_nodes:
            raise GameError(f"the game has more than {most_nodes} nodes; make it smaller")
        lines.append(line)
    return pyspiel.load_efg_game("\n".join(lines) + "\n")


def _nodes(state: SpielState, sets: list[dict[str, int]]) -> Iterator[str]:
    """The lines of a subtree, in the order of the format: a node, then its children's subtrees."""
    if state.is_terminal():
        payoffs = " ".join(map(repr, state.returns()))
        yield f't "" 1 "" {{ {payoffs} }}'
        return
    if state.is_chance_node():
        moves = [f'"{outcome}" {chance!r}' for outcome, chance in state.chance_outcomes()]
        yield f'c "" 1 "" {{ {" ".join(moves)} }} 0'
    else:
        player = state.current_player()
        known = sets[player]
        number = known.setdefault(state.information_state_string(player), len(known) + 1)
        moves = [f'"{action}"' for action in state.legal_actions()]
        yield f'p "" {player + 1} {number} "" {{ {" ".join(moves)} }} 0'
    for action in state.legal_actions():
        yield from _nodes(state.child(action), sets)
