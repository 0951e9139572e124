"""What a review (`arena review --json`) puts on the page of a game: marks and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypedDict

from games.errors import GameError

REVIEW_FORMAT: Final = "arena-review"
REVIEW_VERSION: Final = 1


class BadReview(GameError):
    """Data that is not a review of the game; the message says why."""


class MarkedDecision(TypedDict):
    """A decision that was reviewed."""

    at: int
    """The number of the move."""
    seat: str
    mark: str
    """?, ?? or empty."""
    best: float
    """The chance to win that the seat had before it, with its best move."""
    words: str
    """What is to be said about it."""


class ReviewMarks(TypedDict):
    """A review, as far as the page shows it."""

    summary: str
    lost_at: int | None
    decisions: list[MarkedDecision]


def review_marks(review: object, moves: int) -> ReviewMarks:
    """The marks of a review, for a game with that many moves; BadReview if it is none of it."""
    if not isinstance(review, Mapping) or review.get("format") != REVIEW_FORMAT:
        raise BadReview("this is not a review; make one with `arena review RUN GAME --json`")
    if review.get("version") != REVIEW_VERSION:
        raise BadReview(
            f"the review has version {review.get('version')!r}, not {REVIEW_VERSION}; "
            "make it again with `arena review RUN GAME --json`"
        )
    try:
        decisions = [_marked(each) for each in review["decisions"]]
        lost_at, verdict = review["lost_at"], str(review["verdict"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadReview(f"the review is damaged ({error!r}); make it again") from None
    if any(not 1 <= each["at"] <= moves for each in decisions):
        raise BadReview(f"the review is of another game: this one has {moves} moves")
    known = None if lost_at is None else int(lost_at)
    return ReviewMarks(summary=verdict, lost_at=known, decisions=decisions)


def _marked(decision: Mapping[str, Any]) -> MarkedDecision:
    value, best = float(decision["value"]), float(decision["best"])
    about = "" if decision["exact"] else "about "
    words = f"{decision['seat']} had {about}{best:.0%} and kept {about}{value:.0%}."
    better = [str(each["move"]) for each in decision["better"]]
    if decision["mark"] and better:
        words += f" Better: {' or '.join(better)}."
        line = [str(each) for each in decision["line"][1:]]
        words += f" Then: {'; '.join(line)}." if line else ""
    return MarkedDecision(
        at=int(decision["at"]),
        seat=str(decision["seat"]),
        mark=str(decision["mark"]),
        best=best,
        words=words,
    )
