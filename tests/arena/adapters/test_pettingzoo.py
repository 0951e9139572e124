"""PettingZoo's own tests pass at every number of players, and illegal or odd input is named."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.utils import parallel_to_aec

from arena.adapters.pettingzoo import TurnEnv, env, parallel_env
from arena.adapters.policy_bots import BotPolicy, observation_of
from games.errors import GameError
from games.registry import game

# Warnings are errors in all tests, so every warning of these checks would fail one.
COUNTS = [(name, n) for name in ("hidden-leaders", "secrets") for n in game(name).player_counts]
at_every_count = pytest.mark.parametrize(("name", "players"), COUNTS)


@at_every_count
def test_it_passes_the_tests_of_turn_based_environments(name: str, players: int) -> None:
    api_test(env(name, players), num_cycles=40)
    seed_test(partial(env, name, players), num_cycles=20)


def test_tiny_variants_pass_them_too() -> None:
    make = partial(env, "hidden-leaders", 2, variant="tiny")
    api_test(make(), num_cycles=60)
    seed_test(make, num_cycles=20)


@at_every_count
def test_it_passes_the_tests_of_parallel_environments(name: str, players: int) -> None:
    parallel_api_test(parallel_env(name, players), num_cycles=30)
    parallel_seed_test(partial(parallel_env, name, players), num_cycles=20)


@at_every_count
def test_it_is_cut_after_as_many_cycles_as_asked(name: str, players: int) -> None:
    """PettingZoo's test counts the steps of every agent, so it takes the parallel form."""
    parallel = partial(parallel_env, name, players)

    def turn_by_turn(max_cycles: int) -> object:
        return parallel_to_aec(parallel(max_cycles=max_cycles))

    max_cycles_test(SimpleNamespace(parallel_env=parallel, env=turn_by_turn))
    table = env(name, players, max_cycles=7)
    table.reset(seed=1)
    steps = 0
    while not any(table.truncations.values()):
        table.step(first_legal(table))
        steps += 1
    assert steps == 7
    assert not any(table.terminations.values())


@at_every_count
def test_it_renders(name: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: env(name, players, render_mode=render_mode))
    assert len(capsys.readouterr().out.splitlines()) > 5


def first_legal(table: TurnEnv) -> int:
    mask: np.ndarray = table.infos[table.agent_selection]["action_mask"]
    return int(np.flatnonzero(mask)[0])


def numbers(table: TurnEnv, agent: str) -> NDArray[Any]:
    seen = table.observe(agent)
    assert isinstance(seen, np.ndarray)
    return seen


def play_on(table: TurnEnv, steps: int) -> None:
    for _ in range(steps):
        table.step(first_legal(table))


@pytest.mark.parametrize("observation", ["table", "features"])
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])  # noqa: S301
def test_a_copy_plays_on_identically(observation: str, duplicate) -> None:  # type: ignore[no-untyped-def]
    table = env("hidden-leaders", 3, observation=observation)  # type: ignore[arg-type]
    table.reset(seed=5)
    play_on(table, 25)
    twin = duplicate(table)
    for either in (table, twin):
        play_on(either, 25)
    assert table.agent_selection == twin.agent_selection
    for agent in table.agents:
        assert np.array_equal(numbers(table, agent), numbers(twin, agent))


@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 4), ("secrets", 5)])
def test_the_mask_has_exactly_the_legal_moves_wherever_it_is_asked_for(
    name: str, players: int
) -> None:
    table = env(name, players, action_mask="both")
    table.reset(seed=2)
    for _ in range(40):
        seen, _, _, _, info = table.last()
        legal = np.flatnonzero(info["action_mask"]).tolist()
        assert legal == table.table.state.moves()
        assert np.array_equal(seen["action_mask"], info["action_mask"])
        others = [agent for agent in table.agents if agent != table.agent_selection]
        assert not any(table.observe(agent)["action_mask"].any() for agent in others)
        table.step(legal[-1])
        if not table.agents or any(table.terminations.values()):
            break


def test_a_bot_sees_the_same_numbers_in_its_view() -> None:
    """A policy trained here gets in our leagues exactly what it was trained on."""
    table = env("secrets", 6, views=True)
    table.reset(seed=3)
    for _ in range(30):
        agent = table.agent_selection
        assert np.array_equal(numbers(table, agent), observation_of(table.view(agent)))
        play_on(table, 1)


def test_rewards_are_those_of_the_winners_and_add_up_to_nothing() -> None:
    for seed in range(6):
        table = env("secrets", 5)
        table.reset(seed=seed)
        dice = np.random.default_rng(seed)
        while not any(table.terminations.values()):
            mask = table.infos[table.agent_selection]["action_mask"]
            table.step(int(dice.choice(np.flatnonzero(mask))))
        rewards = list(table.rewards.values())
        winners = table.table.state.winners()
        assert sum(rewards) == pytest.approx(0)
        assert [reward > 0 for reward in rewards] == [
            0 < len(winners) < 5 and seat in winners for seat in range(5)
        ]


# ---- bad input ------------------------------------------------------------------------------


def test_an_illegal_action_ends_the_game_and_loses_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = env("hidden-leaders", 3)
    table.reset(seed=1)
    agent = table.agent_selection
    illegal = int(np.flatnonzero(table.infos[agent]["action_mask"] == 0)[0])
    table.step(illegal)
    assert "Illegal move made" in caplog.text
    assert table.rewards == {other: -1.0 if other == agent else 0.0 for other in table.agents}
    assert all(table.terminations.values())
    assert table.infos[agent]["illegal_action"] == illegal
    while table.agents:
        table.step(None)


def test_a_parallel_environment_replaces_an_illegal_action_and_says_so() -> None:
    table = parallel_env("hidden-leaders", 2)
    _, infos = table.reset(seed=1)
    decider = next(agent for agent in table.agents if infos[agent]["decides"])
    illegal = int(np.flatnonzero(infos[decider]["action_mask"] == 0)[0])
    *_, infos = table.step({decider: illegal})
    assert infos[decider]["illegal_action"] == illegal
    assert table.decisions == 1


def test_unknown_words_and_numbers_get_a_sentence() -> None:
    cases: dict[str, Any] = {
        "there is no game 'hidden-leader'": partial(env, "hidden-leader"),
        "Hidden Leaders is for 2 to 6 players, not 7": partial(env, "hidden-leaders", 7),
        "Secrets is for 4 to 8 players, not 2": partial(parallel_env, "secrets", 2),
        "the number of players must be a whole number": lambda: env("secrets", "4"),  # type: ignore[arg-type]
        "there are no observations 'tabel'.*did you mean": lambda: env(observation="tabel"),  # type: ignore[arg-type]
        "action_mask must be one of info, observation, both": lambda: env(action_mask="no"),  # type: ignore[arg-type]
        "render_mode must be one of ansi, human, not 'rgb_array'": partial(
            env, render_mode="rgb_array"
        ),
        "max_cycles must be a whole number from 1, not 0": partial(env, max_cycles=0),
        "max_cycles must be a whole number from 1, not 1.5": lambda: env(max_cycles=1.5),  # type: ignore[arg-type]
        "render_seat must be a seat from 0 to 3, .* not 4": partial(env, render_seat=4),
        "render_seat must be a seat from 0 to 3, .* not -1": partial(parallel_env, render_seat=-1),
        "Hidden Leaders has no option 'round'": partial(env, round=2),
    }
    for problem, make in cases.items():
        with pytest.raises(GameError, match=problem):
            make()
    table = env("hidden-leaders", 2)
    with pytest.raises(GameError, match=r"the game is over or not begun; call reset\(\)"):
        table.step(0)
    for ask in (table.last, table.state, partial(table.observe, "player_0")):
        with pytest.raises(GameError, match=r"the game has not begun; call reset\(\)"):
            ask()
    rival = BotPolicy(env("hidden-leaders", 2, views=True), "player_0", "random")
    with pytest.raises(GameError, match=r"the game has not begun; call reset\(\)"):
        rival.action()
    table.reset(seed=1)
    for action in (778, -1, None, "pass", 1.5):
        with pytest.raises(GameError, match="an action is a whole number from 0 to 777"):
            table.step(action)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="choose a render_mode first"):
        table.render()
    with pytest.raises(GameError, match="this table keeps no views; make it with views=True"):
        table.view("player_0")
