"""The data of a review: marks, who lost where, accuracy."""

from dataclasses import replace

import pytest

from arena.review.game_review import (
    GameReview,
    Judgement,
    MoveWorth,
    ReviewedDecision,
    ReviewPlan,
    mark_of,
    seat_review,
)
from arena.review.verdict import verdict


def decision(
    at: int, seat: int, best: float, value: float, exact: bool = False, turn: str = "turn 1"
) -> ReviewedDecision:
    played, better = MoveWorth(1, "pass", value, exact), MoveWorth(2, "win", best, exact)
    judged = Judgement(played, better, best - value, (better,) if best > value else ())
    return ReviewedDecision(at, seat, turn, 2, judged)


def review(
    *decisions: ReviewedDecision,
    winners: tuple[int, ...] | None = (1,),
    faulty: int | None = None,
    plan: ReviewPlan | None = None,
) -> GameReview:
    decided = winners is not None and faulty is None
    seats = tuple(
        seat_review(seat, name, seat in (winners or ()) if decided else None, decisions)
        for seat, name in enumerate(["alice", "bob", "carol"])
    )
    return GameReview(
        "hidden-leaders", plan or ReviewPlan(), 6, decisions, seats, winners, faulty=faulty
    )


@pytest.mark.parametrize(
    ("loss", "mark"),
    [(0.0, ""), (0.0949, ""), (0.0955, "?"), (0.2449, "?"), (0.25, "??"), (1, "??")],
)
def test_marks(loss: float, mark: str) -> None:
    """By the loss as it is printed, to two digits."""
    assert mark_of(loss) == mark


def test_the_largest_loss_of_a_loser_lost_the_game() -> None:
    told = review(decision(3, 0, 0.9, 0.5), decision(5, 2, 0.8, 0.1), decision(7, 1, 1.0, 0.0))
    assert told.to_json()["lost_at"] == 5  # the winner's blunder did not lose the game
    assert [seat.lost_at for seat in told.seats] == [3, None, 5]
    assert [seat.worst for seat in told.seats] == [3, 7, 5]


def test_of_equal_losses_the_last_one_lost_the_game() -> None:
    told = review(decision(3, 0, 0.9, 0.5), decision(5, 0, 0.5, 0.1))
    assert told.lost is not None
    assert told.lost.at == 5


@pytest.mark.parametrize(("best", "value", "lost"), [(0.4, 0.28, False), (0.24, 0.12, True)])
def test_a_mistake_loses_the_game_if_it_halves_the_chance(
    best: float, value: float, lost: bool
) -> None:
    assert (review(decision(3, 0, best, value)).lost is not None) == lost


def test_accuracy_counts_decisions_in_which_something_was_at_stake() -> None:
    same = MoveWorth(1, "pass", 0, exact=True)
    idle = ReviewedDecision(9, 0, "turn 2", 2, Judgement(same, same, 0.0, at_stake=False))
    own = decision(1, 0, 0.5, 0.5), decision(2, 0, 0.5, 0.489), decision(3, 0, 0.5, 0.2)
    told = review(*own, idle)
    assert told.seats[0].accuracy == pytest.approx((1 + 0.489 / 0.5 + 0.2 / 0.5) / 3)
    assert told.seats[0].mean_loss == pytest.approx((0.011 + 0.3) / 3)
    assert told.to_json()["accuracy"] == [0.7927, None, None]


LOST = 'lost the game with move 3, "pass".'
COSTLIEST = "The costliest move was 3 of"
BEST = 'The best move was "win".'
MISSED = '"win" was a certain win; the move played left'
VERDICTS = [
    (review(decision(3, 0, 1.0, 0.0, exact=True)), f"A (alice) {LOST} {MISSED} no chance."),
    (review(decision(3, 0, 1.0, 0.25, exact=True)), f"{LOST} {MISSED} a chance of 0.25."),
    (
        review(decision(3, 0, 0.8, 0.25, exact=True)),
        f"A (alice) {LOST} A's chance to win fell from 0.80 to 0.25. {BEST}",
    ),
    (
        review(decision(3, 0, 0.8, 0.25)),
        f"A (alice) probably {LOST} A's chance to win fell from about 0.80 to about 0.25. {BEST}",
    ),
    (
        review(decision(3, 0, 0.6, 0.45)),
        f'lost the game. {COSTLIEST} A (alice), "pass". A\'s chance to win fell from about 0.60',
    ),
    (
        review(decision(3, 0, 0.8, 0.8, exact=True), decision(5, 0, 0.7, 0.7)),
        "A (alice) was unlucky: after move 3 its chance to win was 0.80, by what it could know.",
    ),
    (
        review(decision(3, 1, 0.8, 0.3), plan=ReviewPlan(seat=1)),
        f'B (bob) won. {COSTLIEST} B (bob), "pass".',
    ),
    (
        review(decision(3, 0, 0.8, 0.3), winners=None, faulty=2),
        "C (carol) lost the game by a fault, not by a move.",
    ),
    (review(decision(3, 0, 0.4, 0.3999), winners=None), "The game was broken off."),
    (review(decision(3, 0, 0.8, 0.3), winners=()), f"A (alice) probably {LOST}"),
]


def test_a_player_who_has_just_given_a_part_of_its_chance_away_is_not_called_unlucky() -> None:
    told = review(decision(3, 0, 0.99, 0.82))
    assert told.lost is None
    assert "unlucky" not in verdict(told)
    assert "A's chance to win fell from about 0.99 to about 0.82." in verdict(told)


@pytest.mark.parametrize(
    ("count", "skipped", "sentence"),
    [
        (0, 2, "Nothing is known; 2 were not reviewed."),
        (1, 2, "The last decision did not lose the game; 2 were not reviewed."),
        (2, 1, "None of the last 2 decisions lost the game; 1 was not reviewed."),
    ],
)
def test_a_review_that_was_stopped_counts_in_good_english(
    count: int, skipped: int, sentence: str
) -> None:
    seen = [decision(3, 0, 0.4, 0.4)] * count
    assert verdict(replace(review(*seen), skipped=skipped)).startswith(sentence)


@pytest.mark.parametrize(("told", "sentence"), VERDICTS, ids=[text[:40] for _, text in VERDICTS])
def test_verdicts(told: GameReview, sentence: str) -> None:
    assert sentence in verdict(told)
