"""docs/learning.md and docs/adding-a-game.md: their code runs, their numbers are true."""

from __future__ import annotations

import re

import numpy as np
import pytest

from arena.adapters.pettingzoo import env
from games.hidden_leaders.variants import VARIANTS
from games.registry import game
from solver import solve_for_equilibrium, solve_whole_game
from tests.support.pages import blocks, page

LEARNING, ADDING = page("learning"), page("adding-a-game")


@pytest.mark.slow
@pytest.mark.parametrize("code", blocks(LEARNING + ADDING, "python"))
def test_its_code_runs(code: str) -> None:
    exec(compile(code, "docs", "exec"), {})  # noqa: S102


def test_sizes_are_ours() -> None:
    for name, words in (("hidden-leaders", "Hidden Leaders"), ("secrets", "Secrets")):
        layout = game(name).observation
        assert layout is not None
        assert f"{layout.size} for {words}" in LEARNING
        assert f"0 to {env(name).table.moves - 1} for {words}" in LEARNING


def test_the_known_answer_is_the_solvers() -> None:
    (position, worlds, sets, chance) = re.findall(
        r"^\| `(threshold.*?)`, 1 turn \| (\d+) \| (\d+) \| (\S+) \|$", LEARNING, re.MULTILINE
    )[0]
    found = solve_for_equilibrium(position, horizon=1)
    form = found.equilibrium.form
    assert len(found.worlds) == int(worlds)
    assert len(form.mine.information_sets) + len(form.theirs.information_sets) == int(sets)
    assert found.equilibrium.value == (found.equilibrium.value[0],) * 2
    assert str(found.equilibrium.value[0]) == chance


@pytest.mark.slow
def test_the_variants_are_those_of_the_table() -> None:
    rows = re.findall(
        r"^\| `(\S+)` \| (.*?) \| (\d) \| (\d) \| (\d+) \+ (\d+) \| (\S+) \|$",
        LEARNING,
        re.MULTILINE,
    )
    assert [row[0] for row in rows] == list(VARIANTS)
    for name, heroes, dealt, rounds, *sets, value in rows:
        options = VARIANTS[name]
        assert heroes.split(", ") == options["deck"]
        assert (int(dealt), int(rounds)) == (options["dealt"], options["rounds"])
        if name == "tiny":  # tests/games/hidden_leaders/test_variants.py has all values
            whole = solve_whole_game(variant=name)
            assert whole.information_sets == tuple(map(int, sets))
            assert str(whole.value[0]) == value


def test_rewards_are_as_the_page_says() -> None:
    """With k winners of n, winners get (n - k) / (n - 1), losers -k / (n - 1)."""
    table = env("secrets", 6)
    seen = set()
    dice = np.random.default_rng(4)
    for seed in range(12):
        table.reset(seed=seed)
        while not any(table.terminations.values()):
            mask = table.infos[table.agent_selection]["action_mask"]
            table.step(int(dice.choice(np.flatnonzero(mask))))
        k, n = len(table.table.state.winners()), 6
        seen.add(k)
        expected = {round((n - k) / (n - 1), 6), round(-k / (n - 1), 6)} if 0 < k < n else {0.0}
        assert {round(reward, 6) for reward in table.rewards.values()} == expected
    assert len(seen) > 1
