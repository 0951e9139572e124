"""The verdict of a review: one or two sentences on who lost the game, with which move, and why."""

from __future__ import annotations

from typing import Final

from arena.review.game_review import GameReview, MoveWorth, ReviewedDecision, costliest
from games.seats import seat_name

_UNLUCKY: Final = 0.5
"""A seat that lost from at least this chance had bad luck."""


def verdict(review: GameReview) -> str:
    """Who lost the game, and with which move."""
    if review.faulty is not None:
        return f"{_who(review, review.faulty)} lost the game by a fault, not by a move."
    if review.winners is None:
        return " ".join(["The game was broken off.", *_costliest(review)])
    lost = review.lost
    if lost is not None:
        return _lost(review, lost)
    only = review.plan.seat
    if only is not None and only in review.winners:
        return " ".join([f"{_who(review, only)} won.", *_costliest(review)])
    return " ".join([_nothing_lost(review), *_unlucky(review), *_costliest(review)])


def _nothing_lost(review: GameReview) -> str:
    only, count = review.plan.seat, len(review.decisions)
    if not review.complete:
        head = f"None of the last {count} decisions lost the game" if count else "Nothing is known"
        head = "The last decision did not lose the game" if count == 1 else head
        return f"{head}; {review.skipped} {'was' if review.skipped == 1 else 'were'} not reviewed."
    whose = "No move" if only is None else f"No move of {_who(review, only)}"
    last = "in the last turn" if review.turns == 1 else f"in the last {review.turns} turns"
    return f"{whose} {last} lost the game."


def _lost(review: GameReview, lost: ReviewedDecision) -> str:
    judged = lost.judged
    surely = "lost" if judged.exact or judged.missed_win else "probably lost"
    head = f'{_who(review, lost.seat)} {surely} the game with move {lost.at}, "{lost.text}":'
    if judged.missed_win:
        after = "nothing" if judged.played.value == 0 else f"{worth_text(judged.played)}"
        return f'{head} "{judged.best.text}" was a certain win, and this left {after}.'
    return f"{head} {_instead(lost)}."


def _instead(decision: ReviewedDecision) -> str:
    judged = decision.judged
    known = "exact" if judged.exact else "~ is an estimate"
    return (
        f'"{judged.best.text}" had a chance of {worth_text(judged.best)}, '
        f"this one of {worth_text(judged.played)} ({known})"
    )


def _unlucky(review: GameReview) -> list[str]:
    """The seat that lost from the best chance, if it did not give it away."""
    winners = review.winners or ()
    last: dict[int, ReviewedDecision] = {}
    for one in review.decisions:  # of each seat, the first decision of its last turn
        known = last.get(one.seat)
        if one.seat not in winners and (known is None or known.turn != one.turn):
            last[one.seat] = one
    best = max(last.values(), key=lambda one: (one.judged.played.value, one.at), default=None)
    if best is None or best.judged.played.value < _UNLUCKY:
        return []
    chance = f"its chance after move {best.at} was {worth_text(best.judged.played)}"
    return [f"{_who(review, best.seat)} was unlucky: by what it could know, {chance}."]


def _costliest(review: GameReview) -> list[str]:
    """The move that lost most, of the seats that did not win if there is one."""
    winners = review.winners or ()
    marked = [one for one in review.decisions if one.judged.mark]
    worst = costliest(one for one in marked if one.seat not in winners) or costliest(marked)
    if worst is None:
        return []
    who = _who(review, worst.seat)
    return [f'The costliest was move {worst.at} of {who}, "{worst.text}": {_instead(worst)}.']


def _who(review: GameReview, seat: int) -> str:
    name = review.seats[seat].name
    return seat_name(seat) if name == "?" else f"{seat_name(seat)} ({name})"


def worth_text(worth: MoveWorth) -> str:
    """A value; ~ marks an estimate."""
    return f"{worth.value:.2f}{'' if worth.exact else '~'}"
