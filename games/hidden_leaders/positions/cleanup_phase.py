"""Whether the rest of a turn only draws, discards and refills cards.

Who wins depends on markers, leaders and parties, and those steps touch none of them. This looks
only at the texts of the legal moves, as an independent check for certificate checkers.
"""

from __future__ import annotations

from typing import Final

from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import FRAMES
from games.hidden_leaders.text.moves import move_text
from games.state import NOBODY, State

_CLEANUP: Final = ("draw ", "discard ", "stop discarding", "harbor: ")


def only_cleanup(state: State) -> bool:
    """Whether no card is being resolved and every legal move draws or discards.

    All moves of a step are of one kind, except in the action: there `play`, if possible, comes
    first, and `do nothing` last. So the first and the last move are enough.
    """
    assert isinstance(state, HiddenLeaders)
    if state.actor == NOBODY or state.frame != FRAMES:
        return False
    moves = state.moves()
    return all(move_text(state, move).startswith(_CLEANUP) for move in (moves[0], moves[-1]))
