"""Self-play in a batch: the same games as one by one, and a learner that beats random play."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from librt.vecs import vec
from mypy_extensions import i64
from numpy.typing import NDArray

from arena.adapters.learner_table import LearnerTable, check_observable
from arena.adapters.selfplay import SelfPlay
from arena.adapters.shared_memory import shared_array
from arena.lab.lottery_game import LotteryGame
from arena.seeds import derive_seed
from games.errors import GameError
from games.hidden_leaders.rules.observation import PRIVATE_AT
from games.registry import game
from games.state import Rng

COUNTS = [(name, n) for name in ("hidden-leaders", "secrets") for n in game(name).player_counts]
LEADERS: Final = 6


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_every_game_of_a_batch_is_the_game_it_would_be_alone(name: str, players: int) -> None:
    games = SelfPlay(name, players, games=3, seed=4)
    seed = derive_seed(4, "self-play")
    alone = []
    for g in range(3):
        table = LearnerTable(name, players)
        table.deal(Rng(seed + g * 0x10001))
        alone.append(table)
    ended = 0
    for _ in range(150):
        for g, table in enumerate(alone):
            actor = int(table.state.actor)
            assert games.actors[g] == actor
            assert np.array_equal(games.observations[g], table.observe(actor))
            assert np.array_equal(games.masks[g], table.mask().astype(bool))
        actions = games.random_actions().copy()
        games.step(actions)
        for g, table in enumerate(alone):
            table.play(int(actions[g]))
            assert games.ended[g] == table.over
            if table.over:
                ended += 1
                assert games.payoffs[g].tolist() == table.payoffs()
                assert table.rng is not None
                table.deal(table.rng)
    assert ended or name == "hidden-leaders"


def test_the_same_seed_and_actions_give_the_same_games() -> None:
    first, again = (SelfPlay("secrets", 5, games=8, seed=9) for _ in range(2))
    for _ in range(120):
        actions = first.random_actions().copy()
        first.step(actions)
        again.step(actions)
        assert np.array_equal(first.observations, again.observations)
    start = [SelfPlay("secrets", 5, games=8, seed=seed).observations for seed in (9, 10)]
    assert not np.array_equal(start[0], start[1])


def test_games_that_are_too_long_are_cut_without_payoffs() -> None:
    games = SelfPlay("hidden-leaders", 2, games=4, max_decisions=10)
    for step in range(1, 21):
        games.step(games.random_actions())
        assert games.truncated.all() == games.ended.all() == (step % 10 == 0)
    assert not games.payoffs.any()


def test_an_illegal_action_is_named_and_changes_no_game() -> None:
    games = SelfPlay("hidden-leaders", 3, games=4, seed=1)
    before = games.observations.copy()
    actions = games.random_actions().copy()
    actions[2] = int(np.flatnonzero(~games.masks[2])[0])
    with pytest.raises(GameError, match=rf"action {actions[2]} is not legal in game 2"):
        games.step(actions)
    assert np.array_equal(games.observations, before)
    for wrong, problem in (
        (actions[:2], "step needs 4 actions"),
        (np.zeros(4), "actions are whole numbers"),
        (np.full(4, 10**6), "action 1000000 is not legal in game 0"),
        (np.full(4, -1), "action -1 is not legal in game 0"),
    ):
        with pytest.raises(GameError, match=problem):
            games.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="games must be a whole number from 1, not 0"):
        SelfPlay(games=0)
    with pytest.raises(ValueError, match="read-only"):
        games.masks[0, 0] = True


# ---- a learner ----------------------------------------------------------------------------------


def own_leaders(games: SelfPlay) -> NDArray[np.int64]:
    """The leader of the seat to move, as it sees it."""
    found: NDArray[np.int64] = games.observations[:, PRIVATE_AT : PRIVATE_AT + LEADERS].argmax(1)
    return found


def learn(decisions: int) -> NDArray[np.float64]:
    """What every action was worth to seats with every leader, on average in random play."""
    games = SelfPlay("hidden-leaders", 2, games=512, seed=3)
    sums, counts = np.zeros((2, LEADERS, games.moves))
    pending: list[tuple[NDArray[np.int64], ...]] = []
    deal = np.zeros(games.games, np.int64)
    results: dict[tuple[int, int], NDArray[np.float64]] = {}
    for _ in range(decisions // games.games):
        actions = games.random_actions()
        pending.append((deal.copy(), games.actors.copy(), own_leaders(games), actions.copy()))
        games.step(actions)
        for g in np.flatnonzero(games.ended):
            results[int(g), int(deal[g])] = games.payoffs[g].copy()
            deal[g] += 1
    worth = np.full((games.games, int(deal.max()) + 1, 2), np.nan)
    for (place, ordinal), payoffs in results.items():
        worth[place, ordinal] = payoffs
    for number, actors, leaders, actions in pending:
        won = worth[np.arange(games.games), number, actors]
        over = ~np.isnan(won)
        np.add.at(sums, (leaders[over], actions[over]), won[over])
        np.add.at(counts, (leaders[over], actions[over]), 1)
    return sums / np.maximum(counts, 1)


@pytest.mark.compiled
@pytest.mark.slow
def test_a_small_masked_learner_beats_random_play() -> None:
    values = learn(400_000)
    games = SelfPlay("hidden-leaders", 2, games=256, seed=77)
    won: list[float] = []
    while len(won) < 1500:
        best = np.where(games.masks, values[own_leaders(games)], -np.inf).argmax(1)
        learned = games.actors == games.decisions * 0  # seat 0 learns
        games.step(np.where(learned, best, games.random_actions()))
        won.extend(games.payoffs[games.ended, 0])
    share = (np.array(won) > 0).mean()
    assert share > 0.6, share


def test_the_words_of_a_batch_are_the_memory_of_its_arrays() -> None:
    """What numpy reads is what compiled code writes: no copy that could lag behind."""
    words = vec[i64]([0])
    array = shared_array(words, np.int8)
    words[0] = 0x0102030405060708
    assert array.tolist() == [8, 7, 6, 5, 4, 3, 2, 1]


def test_a_game_without_observations_says_so() -> None:
    with pytest.raises(GameError, match="has no observations; give its Game an `observation`"):
        check_observable(LotteryGame(), "table")
    with pytest.raises(GameError, match="has no features; use the observations 'table'"):
        check_observable(LotteryGame(), "features")
