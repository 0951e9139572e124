"""Reviews of games: exact values are true, and games of every kind can be reviewed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from arena import play_game
from arena.match.game_view import GameView
from arena.review import reviewer
from arena.review.game_review import GameReview, MoveWorth, ReviewPlan
from arena.review.move_search import likely_worlds
from arena.review.reviewer import review_game
from arena.review.verdict import verdict
from games.registry import game
from games.replay import Replay
from games.state import Rng, State
from solver.reference.turn_check import refuted
from tests.support.reviewed_games import CERTAIN_WIN, game_from, lost_game_from

QUICK = ReviewPlan(turns=3, iterations=12, hindsight=True)
WHOLE = ReviewPlan(turns=999, iterations=40, hindsight=True)


def played(*bots: str, seed: int, rules: str = "hidden-leaders", **options: Any) -> Replay:
    return play_game(bots, seed=seed, game=rules, options=options).replay


# ---- what is exact ------------------------------------------------------------------------------


def test_a_certain_win_that_was_missed_lost_the_game() -> None:
    told = review_game(lost_game_from(CERTAIN_WIN, "do nothing"), WHOLE)
    first = told.decisions[0]
    assert (first.at, first.text, first.judged.best.value) == (1, "do nothing", 1.0)
    assert first.judged.missed_win
    assert {worth.text for worth in first.judged.better if worth.exact} == {
        "play Short-Sighted Soldier",
        "play Friendly Frogmage",
    }
    assert first.judged.line[0].startswith("A: play ")
    assert first.judged.line[-1] == "Empire wins, and with it A"
    assert "was a certain win; the move played left " in verdict(told)


def test_a_win_that_was_taken_is_no_loss() -> None:
    told = review_game(game_from(CERTAIN_WIN, "play Short-Sighted Soldier"), WHOLE)
    assert told.winners == (0,)
    assert [one.judged.loss for one in told.decisions] == [0]
    assert told.decisions[0].judged.exact
    assert told.seats[0].accuracy == 1


HIDDEN_HERO = (
    "threshold 2; red 6; A leader Pavyr hand ShSo open WiWi; B leader Xiadul open FlKn hidden {}"
)
"""A can end the game, and the Empire wins. B is ahead of A if its hidden hero is of the Empire."""


@pytest.mark.parametrize(("hidden", "won"), [("GrGu", True), ("UnMe", False)])
def test_a_player_is_judged_by_what_it_could_know(hidden: str, won: bool) -> None:
    """The same decision is worth the same in both games, but with open cards it is not."""
    told = review_game(game_from(HIDDEN_HERO.format(hidden), "play Short-Sighted Soldier"), WHOLE)
    first = told.decisions[0]
    assert first.hindsight is not None
    assert first.judged.played.exact
    assert 0.5 < first.judged.played.value < 1
    other = review_game(game_from(HIDDEN_HERO.format("LeLi"), "play Short-Sighted Soldier"), WHOLE)
    assert other.decisions[0].judged == first.judged
    assert (first.hindsight.played.value, first.hindsight.played.exact) == (float(won), True)
    assert (0 in (told.winners or ())) == won
    assert ("A was unlucky" in verdict(told)) == (not won)


@pytest.mark.parametrize(("hidden", "won"), [("GrGu", True), ("UnMe", False)])
def test_a_better_move_that_would_have_lost_too_says_so(hidden: str, won: bool) -> None:
    """A should have ended the game, as far as it knew."""
    told = review_game(game_from(HIDDEN_HERO.format(hidden), "do nothing"), WHOLE)
    line = told.decisions[0].judged.line
    assert line[0] == "A: play Short-Sighted Soldier"
    lost = "(as the cards lay, this would not have won either)"
    assert line[-1].endswith("and with it A" if won else f"and with it B {lost}")


def test_moves_beside_an_exact_chance_are_judged_by_the_same_odds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ending the game is worth a fraction by the rules' odds; so inferred roles must not count."""
    inferred = []

    def noted(shown: GameView, moves: int, *more: int) -> list[State]:
        inferred.append(moves)
        return likely_worlds(shown, moves, *more)

    monkeypatch.setattr(reviewer, "likely_worlds", noted)
    position = HIDDEN_HERO.format("GrGu")
    first = review_game(game_from(position, "do nothing"), WHOLE).decisions[0]
    assert 0.5 < first.judged.best.value < 1
    assert first.judged.best.exact
    assert not first.judged.played.exact
    assert inferred
    assert 0 not in inferred
    review_game(lost_game_from(CERTAIN_WIN, "do nothing"), WHOLE)
    assert 0 in inferred


def exact_claims(
    replay: Replay, told: GameReview, worlds: int
) -> Iterator[tuple[MoveWorth, list[State]]]:
    """Every exact value, with worlds of the one who judged so."""
    shown = GameView(replay)
    for one in told.decisions:
        view, rng = shown.view(one.at - 1, one.seat), Rng(one.at)
        known = [view.sample(rng) for _ in range(worlds)]
        for judged, states in ((one.judged, known), (one.hindsight, [shown.state(one.at - 1)])):
            for worth in {judged.played, *judged.better} if judged else ():
                if worth.exact:
                    yield worth, states


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 5])
def test_plain_recursion_agrees_with_every_exact_value(players: int) -> None:
    """`benchmarks/review.py` does the same for 100 games and more worlds."""
    rules = game("hidden-leaders")
    replay = played(*["greedy"] * players, seed=players)
    told = review_game(replay, ReviewPlan(turns=1, iterations=10, hindsight=True))
    claims = list(exact_claims(replay, told, 30))
    assert claims
    for worth, worlds in claims:
        assert refuted(rules, worlds, worth.move, worth.value) == ""
        if len(worlds) == 1:  # so that a false claim would not go unnoticed
            assert refuted(rules, worlds, worth.move, 1 - worth.value if worth.value != 0.5 else 1)


# ---- every kind of game -------------------------------------------------------------------------


def check(replay: Replay, told: GameReview) -> None:
    """What must hold of any review."""
    shown = GameView(replay)
    assert told.complete
    assert [one.at for one in told.decisions] == sorted({one.at for one in told.decisions})
    for one in told.decisions:
        state = shown.state(one.at - 1)
        assert one.seat == state.actor
        assert one.text == shown.moves[one.at - 1].text
        assert one.choices == len(state.moves()) > 1
        for judged in (one.judged, one.hindsight):
            assert judged is not None
            assert 0 <= judged.played.value <= 1
            assert judged.loss >= 0
            assert bool(judged.better) == (judged.loss > 0)
            if judged.loss > 0:
                assert judged.loss == pytest.approx(judged.best.value - judged.played.value)
                assert judged.better[0] == judged.best
                assert judged.best.move in state.moves()
    assert verdict(told)
    losers = {seat.seat for seat in told.seats if seat.lost_at is not None}
    assert not losers & set(told.winners or ())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bots", "seed", "more"),
    [
        (("random", "greedy"), 1, {}),
        (("greedy", "random", "random"), 3, {}),
        (("greedy", "random") * 2, 1, {"deck": "beginner"}),
        (("greedy",) * 5, 2, {}),
        (("greedy",) * 6, 4, {}),
    ],
    ids=lambda value: f"{len(value)}" if isinstance(value, tuple) else "",
)
def test_games_of_every_size(bots: tuple[str, ...], seed: int, more: dict[str, Any]) -> None:
    replay = played(*bots, seed=seed, **more)
    told = review_game(replay, QUICK)
    check(replay, told)
    assert told.decisions


@pytest.mark.parametrize("players", [4, 5, 6, 7, 8])
def test_games_of_secrets(players: int) -> None:
    replay = played(*["greedy", "random"] * 2, *["random"] * (players - 4), seed=2, rules="secrets")
    told = review_game(replay, QUICK)
    check(replay, told)
    assert told.decisions


def test_in_a_game_stopped_by_the_turn_limit_nobody_had_a_chance_before_the_end() -> None:
    """The model does not know the limit; by its values the last turns would be full of losses."""
    replay = played("random", "random", seed=1, rounds=2)
    told = review_game(replay, QUICK)
    assert told.winners == ()
    assert not any(seat.won for seat in told.seats)
    assert all(one.judged.best.value < 0.1 for one in told.decisions)
    check(replay, told)


@pytest.mark.slow
def test_a_game_that_was_broken_off_has_no_loser() -> None:
    replay = played("greedy", "greedy", seed=1)
    cut = Replay(replay.game, replay.players, replay.moves[:60], replay.options)
    told = review_game(cut, QUICK)
    assert told.winners is None
    assert told.lost is None
    assert verdict(told).startswith("The game was broken off.")
    check(cut, told)


def test_a_game_without_moves() -> None:
    told = review_game(Replay("hidden-leaders", 3, ()), QUICK)
    assert (told.decisions, told.lost) == ((), None)
    assert told.to_json()["accuracy"] == [None, None, None]


def test_a_fault_and_not_a_move_lost_the_game() -> None:
    told = review_game(played("random", "greedy", seed=1, rounds=1), QUICK, faulty=1)
    assert verdict(told) == "B (greedy) lost the game by a fault, not by a move."
    assert told.lost is None


# ---- what is reviewed ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def replay() -> Replay:
    return played("greedy", "random", "random", seed=3)


@pytest.fixture(scope="module")
def whole(replay: Replay) -> GameReview:
    return review_game(replay, ReviewPlan(iterations=12))


def test_turns_are_counted_from_the_end(replay: Replay, whole: GameReview) -> None:
    assert len({one.turn for one in whole.decisions}) == 6  # two for every player
    last = review_game(replay, ReviewPlan(turns=2, iterations=12))
    assert len({one.turn for one in last.decisions}) == last.turns == 2
    assert last.decisions == whole.decisions[-len(last.decisions) :]


def test_one_seat_can_be_reviewed_alone(replay: Replay, whole: GameReview) -> None:
    mine = review_game(replay, ReviewPlan(seat=1, iterations=12))
    assert mine.decisions == tuple(one for one in whole.decisions if one.seat == 1)
    assert mine.decisions


def test_a_review_that_is_stopped_has_the_last_decisions(replay: Replay, whole: GameReview) -> None:
    told = review_game(replay, ReviewPlan(iterations=12), progress=lambda done, _: done < 4)
    assert not told.complete
    assert told.decisions == whole.decisions[-len(told.decisions) :]
    assert told.skipped + 4 >= len(whole.decisions)
    assert "were not reviewed" in verdict(told) or told.lost is not None


def test_hindsight_changes_nothing_else(replay: Replay, whole: GameReview) -> None:
    told = review_game(replay, ReviewPlan(turns=2, iterations=12, hindsight=True))
    before = {one.at: one.judged for one in whole.decisions}
    assert all(before[one.at] == one.judged for one in told.decisions if one.judged.at_stake)


def test_choices_that_cannot_matter_are_left_out() -> None:
    """After the hero that ends the game, drawing and discarding decide nothing."""
    told = review_game(game_from(CERTAIN_WIN, "play Friendly Frogmage"), WHOLE)
    assert not [one for one in told.decisions if one.text.startswith(("draw", "discard"))]
