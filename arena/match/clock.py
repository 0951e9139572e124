"""The clock at a table: whose answer is waited for, what each seat has spent, who is late."""

from __future__ import annotations

from collections.abc import MutableSequence
from time import monotonic
from typing import Final

NO_GAME: Final = -1.0
NOBODY_ASKED: Final = -1.0

NUMBER: Final = 0
SEAT: Final = 1
SINCE: Final = 2
"""Places of the board: the game, the seat that is asked, and since when."""


def new_board() -> list[float]:
    """What a watchdog in another process may look at; there it is shared memory."""
    return [NO_GAME, NOBODY_ASKED, 0.0]


class Clock:
    """Times the answers of one game.

    A decision may take `move` seconds and all of a seat's answers `game` seconds; 0 is no limit.
    A machine may be busy with something else, so a decision is late only after twice its time and
    a second.
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
        self._last = 0.0

    def begin(self, number: int) -> None:
        """Game `number` begins."""
        # The time first, here and below: whoever reads the board in between sees nobody late.
        self.board[SINCE] = monotonic()
        self.board[SEAT] = NOBODY_ASKED
        self.board[NUMBER] = number

    def all_ready(self) -> None:
        """The bots sit at the table; what it took to get there is no part of the game."""
        self.seconds = [0.0] * len(self.seconds)

    def end(self) -> None:
        self.board[NUMBER] = NO_GAME

    def ask(self, seat: int) -> None:
        """A bot is about to be asked for something."""
        self.board[SINCE] = monotonic()
        self.board[SEAT] = seat

    def answered(self, seat: int) -> None:
        now = monotonic()
        self._last = now - self.board[SINCE]
        self.seconds[seat] += self._last
        self.board[SINCE] = now
        self.board[SEAT] = NOBODY_ASKED

    def decided(self, seat: int) -> str:
        """The last answer was a decision; what is wrong with the time it took, or nothing."""
        self.decisions[seat] += 1
        self.slowest[seat] = max(self.slowest[seat], self._last)
        if self.move and self._last > latest(self.move):
            return f"took {self._last:.2f} s for a decision, {self.move:g} s are allowed"
        if self.game and self.seconds[seat] > self.game:
            return f"took {self.seconds[seat]:.1f} s in all, {self.game:g} s are allowed in a game"
        return ""


def latest(move: float) -> float:
    """Seconds after which a decision that may take `move` of them is late."""
    return 2 * move + 1
