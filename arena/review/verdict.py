"""The verdict of a review: short sentences on who lost the game, with which move, and why."""

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
    head = f'{_who(review, lost.seat)} {surely} the game with move {lost.at}, "{lost.text}".'
    return f"{head} {_cost(lost)}"


def _cost(decision: ReviewedDecision) -> str:
    """What the move gave away, and which one was better."""
    judged = decision.judged
    if judged.missed_win:
        left = f"a chance of {_about(judged.played)}" if judged.played.value else "no chance"
        return f'"{judged.best.text}" was a certain win; the move played left {left}.'
    fell = f"fell from {_about(judged.best)} to {_about(judged.played)}"
    chance = f"{seat_name(decision.seat)}'s chance to win {fell}."
    return f'{chance} The best move was "{judged.best.text}".'


def _unlucky(review: GameReview) -> list[str]:
    """The seat that lost from the best chance, unless it had just given a part of it away."""
    winners = review.winners or ()
    last: dict[int, ReviewedDecision] = {}
    for one in review.decisions:  # of each seat, the first decision of its last turn
        known = last.get(one.seat)
        if one.seat not in winners and (known is None or known.turn != one.turn):
            last[one.seat] = one
    best = max(last.values(), key=lambda one: (one.judged.played.value, one.at), default=None)
    if best is None or best.judged.mark or best.judged.played.value < _UNLUCKY:
        return []
    chance = f"after move {best.at} its chance to win was {_about(best.judged.played)}"
    return [f"{_who(review, best.seat)} was unlucky: {chance}, by what it could know."]


def _costliest(review: GameReview) -> list[str]:
    """The move that lost most, of the seats that did not win if there is one."""
    winners = review.winners or ()
    marked = [one for one in review.decisions if one.judged.mark]
    worst = costliest(one for one in marked if one.seat not in winners) or costliest(marked)
    if worst is None:
        return []
    head = f'The costliest move was {worst.at} of {_who(review, worst.seat)}, "{worst.text}".'
    return [f"{head} {_cost(worst)}"]


def _who(review: GameReview, seat: int) -> str:
    name = review.seats[seat].name
    return seat_name(seat) if name == "?" else f"{seat_name(seat)} ({name})"


def _about(worth: MoveWorth) -> str:
    """A value in a sentence."""
    return f"{'' if worth.exact else 'about '}{worth.value:.2f}"


def worth_text(worth: MoveWorth) -> str:
    """A value in a table; ~ marks an estimate."""
    return f"{worth.value:.2f}{'' if worth.exact else '~'}"
