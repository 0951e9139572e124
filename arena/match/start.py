"""Where games begin if not with the deal: in a position, or in the middle of a saved game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.match.game_view import GameView
from arena.seeds import derive_seed
from games.errors import GameError
from games.questions import PosedPosition
from games.registry import Game
from games.replay import Replay
from games.state import NOBODY, Rng


@dataclass(frozen=True)
class Start:
    """The beginning of one or many games."""

    players: int
    words: tuple[str, ...]
    """The options of a command that say the same."""
    played: Replay
    """The game up to the start; empty if it starts from a position."""
    posed: PosedPosition | None = None
    """The position it starts from; parts of it may be unknown."""

    def opening(self, seed: int) -> Replay:
        """The game up to the start; the seed decides what is unknown in a position."""
        if self.posed is None:
            return self.played
        world = self.posed.draw(Rng(derive_seed(seed, "position")))
        return replace(self.played, position=str(self.posed.filled(world)))

    def check_players(self, players: int, named: str) -> None:
        """GameError unless it is for that many players; `named` says how they were counted."""
        if players != self.players:
            raise GameError(f"the position is for {self.players} players, but {named}")


def start_in_position(rules: Game, posed: PosedPosition, words: tuple[str, ...]) -> Start:
    """Start from a position; what seats have learned before follows from it."""
    empty = Replay(rules.name, posed.players, (), posed.options())
    start = Start(posed.players, words, empty, posed)
    _check_not_over(start.opening(0))
    return start


def start_in_game(replay: Replay, moves: int, words: tuple[str, ...]) -> Start:
    """Start after so many moves of a game; every seat knows what it has seen in it."""
    played = replace(replay, moves=replay.moves[: GameView(replay).ply(moves)], notes={}, extra={})
    _check_not_over(played)
    return Start(replay.players, words, played)


def _check_not_over(opening: Replay) -> None:
    if opening.state().actor == NOBODY:
        raise GameError("the game is over there, so nothing is left to play")
