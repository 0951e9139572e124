"""A question about a position: for which seat, which goal, how far ahead, against whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from games.errors import GameError
from games.questions import Watch
from games.state import CHANCE, NOBODY, State

MOST_WORLDS: Final = 5000
"""Ways to fill in unknown cards, at most, by default."""


class BadQuestion(GameError):
    """A question that cannot be asked about this position."""


class Others(Enum):
    """How all seats but the solving one play."""

    COALITION = "coalition"
    RANDOM = "random"
    SELFISH = "selfish"
    BOT = "bot"


_OTHERS_SENTENCES: Final = {
    Others.COALITION: "The others cooperate against the goal and see every card.",
    Others.RANDOM: "The others choose uniformly among their legal moves.",
    Others.SELFISH: (
        "The others each maximise their own chance to win by then and see every card; between "
        "equal moves they take the one that is worse for the goal, then for A, then for B, "
        "and so on."
    ),
    Others.BOT: (
        "Each of the others is the bot {name}. It joins anew at every decision, with the same "
        "seed, and sees only open cards and its own, so its move depends on the position alone."
    ),
}


@dataclass(frozen=True)
class Policy:
    """How the others play if each is a bot."""

    name: str
    """The name of the bot."""
    choose: Callable[[State], int]
    """The move of the seat to move; the same for positions with the same `State.key`."""


@dataclass(frozen=True)
class Goal:
    """How the solving seat wants the game to end."""

    words: str
    """Completes the sentence "The goal: ..."."""
    reached: Callable[[State], bool]
    """Whether a finished game has ended like that."""
    unless_decided: bool = False
    """Whether a game that is still running at the horizon counts as reached."""
    winner: int = NOBODY
    """The seat whose win is the goal; NOBODY if the goal is anything else."""


@dataclass(frozen=True)
class Question:
    """Everything the answer depends on, apart from the position."""

    seat: int
    """The solving seat, whose moves are evaluated."""
    goal: Goal
    horizon: int = 0
    """Turns to reach the goal in, including this one; 0 means until the end of the game."""
    others: Others = Others.COALITION
    watch: Watch | None = None
    """Called for every position that is not settled yet."""
    policy: Policy | None = None
    """How the others play; required if and only if they are bots."""

    def __post_init__(self) -> None:
        if (self.policy is None) == (self.others is Others.BOT):
            raise BadQuestion("a question needs a bot if the others play as one, and only then")

    def reply(self, state: State) -> int:
        """The move of the bot that is to move."""
        assert self.policy is not None
        return self.policy.choose(state)

    def key(self, state: State, deadline: int) -> bytes:
        """Equal only for positions of equal value; bots may react to more than the rules do."""
        return state.equivalence_key(deadline) if self.policy is None else state.key()

    def deadline(self, state: State) -> int:
        """The number of completed turns at which the horizon is reached; -1 for never."""
        return state.turns + self.horizon if self.horizon else -1

    def last_turn(self, state: State) -> int:
        """The deadline without last turns that somebody can let pass to its advantage.

        At the deadline a running game counts as not reached, or as reached. That suits a coalition,
        or the solving seat: whoever of them has the last turn gets it by waiting.
        """
        deadline = self.deadline(state)
        while self.others is Others.COALITION and deadline > state.turns + 1:
            seat = state.waiting_seat(deadline - 1)
            if seat == NOBODY or (seat == self.seat) != self.goal.unless_decided:
                break
            deadline -= 1
        return deadline

    def verdict(self, state: State, deadline: int) -> bool | None:
        """Whether the goal is reached, or None while that is not settled.

        If nothing left in the last turn can matter, the state is advanced to its end.
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
            horizon += f" (if the game goes on, the goal is {self._reached()})"
        return [
            f"The goal: {self.goal.words}.",
            f"The horizon: {horizon}.",
            _OTHERS_SENTENCES[self.others].format(name=self.policy.name if self.policy else ""),
            "Chance is computed exactly, not sampled.",
        ]

    def _reached(self) -> str:
        return "reached" if self.goal.unless_decided else "not reached"


def win(seat: int, name: str) -> Goal:
    """The seat is among the winners."""
    return Goal(f"{name} wins", lambda state: state.wins(seat), winner=seat)


def deny(seat: int, name: str) -> Goal:
    """The seat is not among the winners."""
    return Goal(f"{name} does not win", lambda state: not state.wins(seat), unless_decided=True)


def verdict_is(verdict: Callable[[State], str], name: str) -> Goal:
    """The side of that name wins, whichever seats it belongs to."""
    return Goal(f"{name} wins, whichever seats support it", lambda state: verdict(state) == name)


def check_question(question: Question, state: State) -> None:
    """BadQuestion unless the solving seat is to move."""
    if state.actor == NOBODY:
        raise BadQuestion("the game is over: there is nothing to solve")
    if state.actor == CHANCE:
        raise BadQuestion("chance decides next: there is no move to evaluate")
    if state.actor != question.seat:
        raise BadQuestion("only the moves of the seat to move can be evaluated")
