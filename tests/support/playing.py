"""Random play for tests: the same seed gives the same game on every engine."""

from __future__ import annotations

from games.registry import game
from games.replay import Replay
from games.state import CHANCE, NOBODY, Rng, State


def random_move(state: State, rng: Rng) -> int:
    """Play a random legal move or outcome of chance and return it."""
    assert state.actor != NOBODY
    if state.actor == CHANCE:
        return state.sample_chance(rng)
    moves = state.moves()
    move = moves[rng.below(len(moves))]
    state.play(move)
    return move


def random_replay(
    players: int, seed: int, name: str = "hidden-leaders", /, **options: object
) -> Replay:
    """A complete random game, of Hidden Leaders by default."""
    state = game(name).new(players, **options)
    rng = Rng(seed)
    moves: list[int] = []
    while state.actor != NOBODY:
        moves.append(random_move(state, rng))
    return Replay(name, players, tuple(moves), options, {"seed": seed})
