"""The game clock: times every answer and finds the ones that took too long."""

from __future__ import annotations

from collections.abc import MutableSequence
from time import monotonic
from typing import Final

from arena.sandbox.bot_process import START_FREE
from bots.runtime.faults import MachineFault
from bots.runtime.processes import pauses

NO_GAME: Final = -1.0
NO_SEAT: Final = -1.0


class Board:
    """Places on the clock's board: the game, the seat that is thinking, and since when."""

    GAME: Final = 0
    SEAT: Final = 1
    SINCE: Final = 2


def new_board() -> list[float]:
    """What a watchdog may read; shared memory if it runs in another process."""
    return [NO_GAME, NO_SEAT, 0.0]


class Clock:
    """Times the answers of one game.

    A decision may take `move` seconds, all answers of a seat together `game` seconds; 0 means no
    limit. The machine may be busy with other work, so a decision is late only after twice its
    limit plus a second.
    """

    def __init__(
        self,
        players: int,
        move: float = 0.0,
        game: float = 0.0,
        board: MutableSequence[float] | None = None,
    ) -> None:
        self.move = move
        self.game = game
        self.board = new_board() if board is None else board
        self.decisions = [0] * players
        self.seconds = [0.0] * players
        self.slowest = [0.0] * players
        self.last = 0.0
        """Seconds of the last answer."""
        self._pauses = 0

    def begin(self, number: int) -> None:
        # The time comes first, here and below: a reader in between must see nobody late.
        self.board[Board.SINCE] = monotonic()
        self.board[Board.SEAT] = NO_SEAT
        self.board[Board.GAME] = number

    def all_ready(self) -> None:
        """The bots have started; what that took beyond START_FREE counts."""
        self.seconds = [max(0.0, seconds - START_FREE) for seconds in self.seconds]

    def end(self) -> None:
        self.board[Board.GAME] = NO_GAME

    def ask(self, seat: int) -> None:
        """Start timing an answer."""
        self._pauses = pauses()
        self.board[Board.SINCE] = monotonic()
        self.board[Board.SEAT] = seat

    def answered(self, seat: int) -> None:
        now = monotonic()
        self.last = now - self.board[Board.SINCE]
        self.seconds[seat] += self.last
        self.board[Board.SINCE] = now
        self.board[Board.SEAT] = NO_SEAT

    def decided(self, seat: int) -> str:
        """Count the last answer as a decision; returns what is wrong with its time, or ""."""
        self.decisions[seat] += 1
        self.slowest[seat] = max(self.slowest[seat], self.last)
        late = ""
        if self.move and self.last > late_after(self.move):
            late = f"took {self.last:.2f} s; the limit is {self.move:g} s per decision"
        elif self.game and self.seconds[seat] > self.game:
            late = f"took {self.seconds[seat]:.1f} s in all; the limit is {self.game:g} s per game"
        if late and pauses() != self._pauses:
            raise MachineFault("the arena was stopped and continued while a bot was thinking")
        return late


def late_after(move: float) -> float:
    """Seconds after which a decision with a limit of `move` seconds is late."""
    return 2 * move + 1
