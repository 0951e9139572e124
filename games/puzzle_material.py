"""What a game offers to puzzle makers and to cross-checks of the solver."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.questions import PosedEquilibrium, PosedPosition
from games.state import State


class RandomEndings(ABC):
    """Part of a Game: random endings, small enough to be solved by plain recursion as well."""

    horizons: tuple[int, ...]
    """Horizons to draw from, in turns; 0 is the end of the game."""

    @abstractmethod
    def small(
        self, dice: random.Random, players: int, hidden: bool, most_worlds: int
    ) -> list[State]:
        """The worlds of a small ending, or nothing if the dice roll no usable one.

        With hidden cards the seat to move cannot tell the worlds apart; otherwise there is one.
        """

    def wide(self, dice: random.Random, players: int) -> State | None:  # noqa: ARG002
        """An ending with more cards to draw, for two turns and all cards open; None if none."""
        return None

    def lasting(self, dice: random.Random, players: int) -> State | None:  # noqa: ARG002
        """An ending of several turns in which seats draw and act again; None if there is none."""
        return None

    def drawing(self, dice: random.Random, players: int) -> State | None:  # noqa: ARG002
        """An ending in which the seat to move draws and acts once more, and heroes let others act;
        None if there is none.
        """
        return None

    def secretive(self, dice: random.Random, players: int) -> PosedPosition | None:  # noqa: ARG002
        """A small ending in which the seat to move does not see much; None if there is none."""
        return None

    def duel(self, dice: random.Random) -> PosedEquilibrium | None:  # noqa: ARG002
        """An ending for two players with secrets on both sides; None if the game has none."""
        return None


@dataclass(frozen=True)
class SolutionLine:
    """The line that solves a puzzle, state by state."""

    seat: int
    """The seat that solves it."""
    states: tuple[State, ...]
    """Before each move of the line, and after the last."""
    moves: tuple[int, ...]
    end: State
    """After the last turn, which may be the end of the game."""


class PosedQuestion(NamedTuple):
    """A question worth asking about an ending, in the words of puzzle files."""

    position: PosedPosition
    goal: str
    turns: int
    """Including this one."""
    others: str


class PuzzleMaterial(ABC):
    """Part of a Game: endings to make puzzles from, their themes, and words to present them.

    Positions have seat A to move.
    """

    hidden_theme: str
    """The theme of puzzles with hidden cards."""
    denial_theme: str
    """The theme of puzzles in which another seat must not win; "" if they have no own theme."""

    # ---- endings --------------------------------------------------------------------------

    @abstractmethod
    def ending_of(self, state: State) -> PosedPosition | None:
        """The state of a game as an ending to ask about; None if the end is not near."""

    @abstractmethod
    def random_ending(self, dice: random.Random, players: int, theme: str) -> PosedPosition | None:
        """A random ending that suits the theme, or any if it is ""; None if this one does not."""

    @abstractmethod
    def questions(self, dice: random.Random, position: PosedPosition) -> list[PosedQuestion]:
        """Questions about an ending, in no order: open and hidden, short and long."""

    # ---- simpler positions ----------------------------------------------------------------

    @abstractmethod
    def with_full_deck(self, position: PosedPosition) -> PosedPosition | None:
        """The position without a deck of its own; None if it needs that."""

    @abstractmethod
    def simpler(self, position: PosedPosition) -> Iterator[PosedPosition]:
        """Valid positions with one thing less, what is least missed first."""

    # ---- moves and themes -----------------------------------------------------------------

    @abstractmethod
    def enough_choices(self, moves: Sequence[int]) -> bool:
        """Whether these first moves are enough for a puzzle, so that few would guess it."""

    def is_quiet(self, move: int) -> bool:  # noqa: ARG002
        """Whether a first move plays no card, so that several such moves are one idea."""
        return False

    @abstractmethod
    def line_themes(self, line: SolutionLine) -> list[str]:
        """The themes that the line shows, most telling first; may be empty."""

    @abstractmethod
    def plain_theme(self, line: SolutionLine, ends: Sequence[State]) -> str:
        """The theme of a line that shows no other, given the ends that all moves lead to."""

    # ---- words ----------------------------------------------------------------------------

    @abstractmethod
    def hero(self, position: PosedPosition) -> str:
        """Whom the puzzle is about, as titles name them: "Enned", "the CIA"; "" for nobody."""

    @abstractmethod
    def remarks(self, position: PosedPosition, dice: random.Random) -> list[str]:
        """True sentences about the position for a story, in random order, best first.

        They say "you" to the seat to move, and nothing that it does not know.
        """
