"""What can be wrong with what a person or a file says about a game.

GameError
+-- IllegalMove    a move that does not exist here, or that several moves fit
+-- UnknownCard    a card's name nobody knows, or that several cards fit
+-- BadPosition    a position that cannot be set up; `problems` names everything wrong with it
|   +-- WrongGame  a position that makes more sense in another game
+-- BadReplay      a replay that is damaged or was not made by these rules
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final


class GameError(ValueError):
    """Something said about a game makes no sense; the message is fit for the person who said it."""


class IllegalMove(GameError):
    """No legal move, or more than one, fits the words."""

    def __init__(self, problem: str, legal: str) -> None:
        self.problem = problem
        """What is wrong, for somebody who has the legal moves in front of them."""
        super().__init__(f"{problem}; legal here: {legal}")


class UnknownCard(GameError):
    """No card, or more than one, fits the words."""


MOST_TOLD: Final = 6
"""Problems that a message names; who has more will not read them all."""


class BadPosition(GameError):
    """A position that cannot be set up."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems: list[str] = list(problems)
        """Every problem found, one sentence each."""
        told = self.problems[:MOST_TOLD]
        if len(self.problems) > MOST_TOLD:
            told.append(f"and {len(self.problems) - MOST_TOLD} more problems")
        super().__init__("; ".join(told))


class WrongGame(BadPosition):
    """A position that makes more sense in another game."""

    def __init__(self, title: str, other: str, other_title: str) -> None:
        self.other = other
        """The name of the game it seems to be of."""
        super().__init__(
            [f"this looks like a position of {other_title}, but is read as one of {title}"]
        )


class BadReplay(GameError):
    """A replay that cannot be trusted."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint to append to a message: the nearest known words, or nothing."""
    spelled = {name.casefold(): name for name in known}
    near = get_close_matches(word.casefold(), spelled, n=3, cutoff=0.6)
    if not near:
        return ""
    return "; did you mean " + " or ".join(f"'{spelled[name]}'" for name in near) + "?"
