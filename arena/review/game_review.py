"""The review of a game as plain data: each decision with its loss and mark, each seat's accuracy.

A value is a seat's chance to win, from 0 to 1. Numbers of decisions are those of `arena show`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from games.seats import seat_name

BLUNDER: Final = 0.25
"""A move that loses at least this much is marked `??`."""
MISTAKE: Final = 0.10
"""A move that loses at least this much is marked `?`."""
NOTABLE: Final = 0.02
"""Smaller losses are neither listed nor called the worst of a seat."""

_DIGITS: Final = 4


def mark_of(loss: float) -> str:
    """`??`, `?`, or nothing."""
    loss = round(loss, 2)  # as it is printed
    return "??" if loss >= BLUNDER else "?" if loss >= MISTAKE else ""


@dataclass(frozen=True)
class MoveWorth:
    """What a move is worth to the seat that has it."""

    move: int
    text: str
    value: float
    exact: bool
    """Whether the solver proved the value; otherwise a search estimated it."""

    def to_json(self) -> dict[str, object]:
        return {"move": self.text, "value": _rounded(self.value), "exact": self.exact}


@dataclass(frozen=True)
class Judgement:
    """The move that was played beside the best one, for somebody who knows certain things."""

    played: MoveWorth
    best: MoveWorth
    loss: float
    """How much less the played move is worth; 0 if the search cannot tell the two apart."""
    better: tuple[MoveWorth, ...] = ()
    """Moves that are worth more than the one played, best first; the first is `best`."""
    line: tuple[str, ...] = ()
    """The best move and what could have followed in that turn, with the cards as they lay."""
    at_stake: bool = True
    """Whether the moves differ in value at all."""

    @property
    def exact(self) -> bool:
        """Whether the loss is proven."""
        return self.played.exact and self.best.exact

    @property
    def kept(self) -> float:
        """The share of the seat's chance that the move kept."""
        return 1 - self.loss / self.best.value if self.loss > 0 else 1.0

    @property
    def missed_win(self) -> bool:
        """Whether a win was certain, which is proven, and the move gave that away."""
        return self.best.exact and self.best.value == 1 and self.loss > 0

    @property
    def lost_here(self) -> bool:
        """Whether the move lost the game, if the seat did not win: it lost much, or half of its
        chance and enough for a mark.
        """
        halved = 2 * self.played.value <= self.best.value
        return self.mark == "??" or (self.mark == "?" and halved)

    @property
    def mark(self) -> str:
        return mark_of(self.loss)

    def to_json(self) -> dict[str, object]:
        return {
            "value": _rounded(self.played.value),
            "best": _rounded(self.best.value),
            "loss": _rounded(self.loss),
            "mark": self.mark,
            "exact": self.exact,
            "missed_win": self.missed_win,
            "better": [worth.to_json() for worth in self.better],
            "line": list(self.line),
        }


@dataclass(frozen=True)
class ReviewedDecision:
    """One decision: judged by what the seat could know and, if asked for, with all cards open."""

    at: int
    """The number of the move: `arena show --at N` with N one less shows the table before it."""
    seat: int
    turn: str
    choices: int
    """How many legal moves there were."""
    judged: Judgement
    followed: tuple[str, ...] = ()
    """What really followed in that turn."""
    hindsight: Judgement | None = None

    @property
    def text(self) -> str:
        """The move that was played."""
        return self.judged.played.text

    def to_json(self) -> dict[str, object]:
        return {
            "at": self.at,
            "seat": seat_name(self.seat),
            "turn": self.turn,
            "move": self.text,
            "choices": self.choices,
            **self.judged.to_json(),
            "followed": list(self.followed),
            "hindsight": None if self.hindsight is None else self.hindsight.to_json(),
        }


@dataclass(frozen=True)
class SeatReview:
    """How well one seat has played, as far as it was reviewed."""

    seat: int
    name: str
    won: bool
    losses: tuple[float, ...]
    """Of its decisions, in order."""
    kept: tuple[float, ...]
    """Which share of its chance each of them kept."""
    worst: int | None = None
    """The number of the decision that lost most; None if none lost a notable amount."""
    lost_at: int | None = None
    """The number of the decision that lost the game, if this seat lost it by a move."""

    @property
    def accuracy(self) -> float | None:
        """The share of its chance that a decision kept, on average; None without decisions."""
        return sum(self.kept) / len(self.kept) if self.kept else None

    @property
    def mean_loss(self) -> float | None:
        return sum(self.losses) / len(self.losses) if self.losses else None

    def to_json(self) -> dict[str, object]:
        return {
            "seat": seat_name(self.seat),
            "bot": self.name,
            "won": self.won,
            "decisions": len(self.losses),
            "accuracy": _rounded(self.accuracy),
            "loss": _rounded(self.mean_loss),
            "worst": self.worst,
            "lost_at": self.lost_at,
        }


@dataclass(frozen=True)
class ReviewPlan:
    """What to review and how thoroughly; the same plan gives the same review on any machine."""

    turns: int = 0
    """The last turns of the game; 0: two for every player."""
    seat: int | None = None
    """Only the decisions of this seat."""
    iterations: int = 1000
    """Worlds searched for the move played and for the best other one."""
    nodes: int = 5000
    """Positions that the solver may visit for one decision."""
    seed: int = 1
    hindsight: bool = False
    """Whether to judge decisions with all cards open as well."""

    def to_json(self) -> dict[str, object]:
        return {**vars(self), "seat": None if self.seat is None else seat_name(self.seat)}


@dataclass(frozen=True)
class GameReview:
    """The review of one game."""

    game: str
    plan: ReviewPlan
    turns: int
    """How many of the last turns were to be reviewed."""
    decisions: tuple[ReviewedDecision, ...]
    """In the order of the game; forced moves are left out."""
    seats: tuple[SeatReview, ...]
    winners: tuple[int, ...] | None
    """Empty if nobody has won; None if the game was broken off."""
    skipped: int = 0
    """Decisions that were to be reviewed, but were not because the review was stopped."""
    faulty: int | None = None
    """The seat whose fault ended the game."""

    @property
    def complete(self) -> bool:
        return not self.skipped

    @property
    def lost(self) -> ReviewedDecision | None:
        """The decision that lost the game; of several seats' the one with the largest loss."""
        lost = {seat.lost_at for seat in self.seats}
        return costliest(decision for decision in self.decisions if decision.at in lost)

    def to_json(self) -> dict[str, object]:
        winners = None if self.winners is None else [seat_name(seat) for seat in self.winners]
        return {
            "game": self.game,
            "winners": winners,
            "turns": self.turns,
            "complete": self.complete,
            "lost_at": None if self.lost is None else self.lost.at,
            "accuracy": [_rounded(seat.accuracy) for seat in self.seats],
            "seats": [seat.to_json() for seat in self.seats],
            "decisions": [decision.to_json() for decision in self.decisions],
            "marks": {"mistake": MISTAKE, "blunder": BLUNDER, "notable": NOTABLE},
            "plan": self.plan.to_json(),
        }


def seat_review(
    seat: int, name: str, won: bool | None, decisions: Sequence[ReviewedDecision]
) -> SeatReview:
    """The part of a review that is about one seat; `won` is None if no move decided that."""
    own = [one for one in decisions if one.seat == seat and one.judged.at_stake]
    worst = costliest(one for one in own if one.judged.loss >= NOTABLE)
    lost = costliest(one for one in own if one.judged.lost_here) if won is False else None
    return SeatReview(
        seat=seat,
        name=name,
        won=bool(won),
        losses=tuple(one.judged.loss for one in own),
        kept=tuple(one.judged.kept for one in own),
        worst=None if worst is None else worst.at,
        lost_at=None if lost is None else lost.at,
    )


def costliest(decisions: Iterable[ReviewedDecision]) -> ReviewedDecision | None:
    """The decision with the largest loss; the last of equal ones."""
    return max(decisions, key=lambda one: (round(one.judged.loss, _DIGITS), one.at), default=None)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
