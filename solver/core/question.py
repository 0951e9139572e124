"""What is asked of a position: for whom, towards which goal, how far, and against whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from games.errors import GameError
from games.questions import Watch
from games.state import CHANCE, NOBODY, State

MOST_WORLDS: Final = 5000
"""Ways to fill in what is unknown that are looked at by default."""


class BadQuestion(GameError):
    """A question that cannot be answered about this position."""


class Others(Enum):
    """How everybody but the solving seat plays."""

    COALITION = "coalition"
    RANDOM = "random"
    SELFISH = "selfish"
    BOT = "bot"


OTHERS_WORDS = {
    Others.COALITION: "The others play together against the goal, and see every card.",
    Others.RANDOM: "The others choose evenly among their legal moves.",
    Others.SELFISH: (
        "The others each maximise their own chance to win by then, seeing every card; between "
        "moves equal in that they take what is worse for the goal, and then the first in order."
    ),
    Others.BOT: (
        "Each of the others is a bot {name} that joins anew at every decision, with the same seed: "
        "it sees what lies open and its own cards, so that the position alone says what it does."
    ),
}


@dataclass(frozen=True)
class Policy:
    """How the others play if each is a bot."""

    name: str
    """The bot's."""
    choose: Callable[[State], int]
    """The move of the seat that must decide; the same in positions of equal `State.key`."""


@dataclass(frozen=True)
class Goal:
    """What the solving seat wants of the end of the game."""

    words: str
    """Completes the sentence 'The goal: ...'."""
    reached: Callable[[State], bool]
    """Whether a finished game has ended so."""
    unless_decided: bool = False
    """What counts if the horizon comes before the end of the game."""


@dataclass(frozen=True)
class Question:
    """One question, with all that the answer depends on besides the position."""

    seat: int
    """Whose moves are judged."""
    goal: Goal
    horizon: int = 0
    """Turns until the goal must be reached, the present one included; 0: to the end."""
    others: Others = Others.COALITION
    watch: Watch | None = None
    """Looks at every position in which something is still open."""
    policy: Policy | None = None
    """How the others play if they are bots; needed then, and only then."""

    def __post_init__(self) -> None:
        if (self.policy is None) == (self.others is Others.BOT):
            raise BadQuestion("a bot must be named exactly where the others are to play as one")

    def reply(self, state: State) -> int:
        """What the bot that must decide there does."""
        assert self.policy is not None
        return self.policy.choose(state)

    def key(self, state: State, deadline: int) -> bytes:
        """Equal only for positions of equal value; bots may mind what else means nothing."""
        return state.equivalence_key(deadline) if self.policy is None else state.key()

    def deadline(self, state: State) -> int:
        """Turns completed when the horizon is reached, seen from this state; -1 for never."""
        return state.turns + self.horizon if self.horizon else -1

    def verdict(self, state: State, deadline: int) -> bool | None:
        """Whether the goal is reached, where that is settled; None where it is still open.

        A state whose last turn is as good as over is brought to the end of it.
        """
        if state.actor == NOBODY:
            return self.goal.reached(state)
        if state.turns == deadline:
            return self.goal.unless_decided
        if state.settle_turn(deadline):
            return self.verdict(state, deadline)
        if self.watch is not None:
            self.watch(state)
        return None

    def sentences(self) -> list[str]:
        """The question in words."""
        horizon = "to the end of the game"
        if self.horizon:
            horizon = "this turn" if self.horizon == 1 else f"the next {self.horizon} turns"
            horizon += f" (a game still running then counts as {self._reached()})"
        return [
            f"The goal: {self.goal.words}.",
            f"The horizon: {horizon}.",
            OTHERS_WORDS[self.others].format(name=self.policy.name if self.policy else ""),
            "Luck is exact.",
        ]

    def _reached(self) -> str:
        return "reached" if self.goal.unless_decided else "not reached"


def win(seat: int, name: str) -> Goal:
    """The seat is among the winners."""
    return Goal(f"{name} wins", lambda state: state.wins(seat))


def deny(seat: int, name: str) -> Goal:
    """The seat is not among the winners."""
    return Goal(f"{name} does not win", lambda state: not state.wins(seat), unless_decided=True)


def verdict_is(verdict: Callable[[State], str], name: str) -> Goal:
    """What wins has that name, whoever wins with it."""
    return Goal(f"{name} wins, whoever is for it", lambda state: verdict(state) == name)


def check_question(question: Question, state: State) -> None:
    """BadQuestion unless the solving seat has something to decide."""
    if state.actor == NOBODY:
        raise BadQuestion("the game is over: there is nothing to solve")
    if state.actor == CHANCE:
        raise BadQuestion("luck decides next: there is no move to judge")
    if state.actor != question.seat:
        raise BadQuestion("only the moves of the seat that must decide now can be judged")
