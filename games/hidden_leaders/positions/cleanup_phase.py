"""Whether a turn has come to where cards are only drawn, discarded and refilled.

Who wins depends on markers, leaders and parties, and these steps touch none of them. It is judged
by what is offered, in words, and by nothing else: a second opinion for those who check proofs.
"""

from __future__ import annotations

from typing import Final

from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import FRAMES
from games.hidden_leaders.text.moves import move_text
from games.state import NOBODY, State

_CLEANUP: Final = ("draw ", "discard ", "stop discarding", "harbor: ")


def only_cleanup(state: State) -> bool:
    """Whether no card is being resolved and all that can be chosen is to draw or discard.

    Moves of one step are of one kind, apart from the action: there `play`, if possible, comes
    first, and `do nothing` last.
    """
    assert isinstance(state, HiddenLeaders)
    if state.actor == NOBODY or state.frame != FRAMES:
        return False
    moves = state.moves()
    return all(move_text(state, move).startswith(_CLEANUP) for move in (moves[0], moves[-1]))
