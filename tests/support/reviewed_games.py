"""Games whose moves are known to be good or bad, for tests of reviews."""

from __future__ import annotations

from games.registry import game, read_position
from games.replay import Replay
from games.state import CHANCE, NOBODY, Rng

RULES = game("hidden-leaders")

CERTAIN_WIN = (
    "threshold 2; red 6; A leader Xiadul hand ShSo FrFr open FlKn; B leader Cyra open BlCo"
)
"""Both cards of A win this turn, whatever B's leader is; the game goes on after anything else."""


def game_from(position: str, *words: str, finish: bool = True, seed: int = 0) -> Replay:
    """The game that starts in the position with these moves; plausible moves finish it."""
    posed = read_position(RULES, position)
    opening = Replay(RULES.name, posed.players, (), posed.options(), position=position)
    state, moves, rng = opening.new(), list[int](), Rng(seed)

    def play(move: int) -> None:
        moves.append(move)
        state.play(move)

    for move_text in words:
        play(RULES.text.parse(state, move_text))
    while finish and state.actor != NOBODY:
        legal = state.moves()
        play(rng.choice(legal) if state.actor == CHANCE else int(state.rollout_move(rng)))
    return Replay(RULES.name, posed.players, tuple(moves), posed.options(), position=position)


def lost_game_from(position: str, *words: str) -> Replay:
    """The same, with the first seed with which the seat to move does not win."""
    for seed in range(100):
        replay = game_from(position, *words, seed=seed)
        if replay.new().actor not in replay.state().winners():
            return replay
    raise AssertionError("it always wins")
