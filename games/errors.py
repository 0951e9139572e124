"""Errors caused by what a person, a file or a program says about a game; all are GameErrors."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final


class GameError(ValueError):
    """Invalid input about a game; the message is meant for the person who gave it."""


class IllegalMove(GameError):
    """No legal move, or more than one, matches the text."""

    def __init__(self, problem: str, legal: str) -> None:
        self.problem = problem
        """What is wrong, without the list of legal moves."""
        super().__init__(f"{problem}; legal here: {legal}")


class UnknownCard(GameError):
    """No card, or more than one, matches the name."""


MOST_PROBLEMS: Final = 6
"""How many problems a message lists."""


class BadPosition(GameError):
    """A position that cannot be set up."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems: list[str] = list(problems)
        """Every problem, one sentence each."""
        listed = self.problems[:MOST_PROBLEMS]
        if len(self.problems) > MOST_PROBLEMS:
            listed.append(f"and {len(self.problems) - MOST_PROBLEMS} more problems")
        super().__init__("; ".join(listed))


class WrongGame(BadPosition):
    """A position that makes more sense in another game."""

    def __init__(self, title: str, other: str, other_title: str) -> None:
        self.other = other
        """The name of the game it seems to belong to."""
        super().__init__(
            [f"this looks like a position of {other_title}, but is read as one of {title}"]
        )


class BadReplay(GameError):
    """A replay that is damaged or was recorded under other rules."""


class ChancePending(GameError):
    """A View was asked for a world between two decisions."""

    def __init__(self) -> None:
        super().__init__(
            "chance is pending: a world can be sampled only while a seat must decide or after the "
            "end; let the View observe more events first"
        )


class Contradiction(GameError):
    """The events a View observed rule each other out."""

    def __init__(self) -> None:
        super().__init__(
            "no world agrees with the events this View observed; "
            "give it every event of its seat, once and in order"
        )


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint to append to a message: the closest known words, or nothing."""
    spelled = {name.casefold(): name for name in known}
    near = get_close_matches(word.casefold(), spelled, n=3, cutoff=0.6)
    if not near:
        return ""
    return "; did you mean " + " or ".join(f"'{spelled[name]}'" for name in near) + "?"
