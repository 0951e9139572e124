"""Bots cross over: OpenSpiel's and learned policies into our games, ours into theirs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyspiel
import pytest

from arena import play_game
from arena.adapters.openspiel import load
from arena.adapters.openspiel_bots import ArenaBot
from arena.adapters.pettingzoo import env
from arena.adapters.policy_bots import BotPolicy
from arena.match.referee import BotFault
from games.errors import GameError

POLICY = '''\
"""A policy that knows the numbers of Hidden Leaders: it takes the last legal action."""

import numpy as np

from arena.adapters.policy_bots import PolicyBot


class Last(PolicyBot):
    """The last legal action; checks what it sees on the way."""

    def act(self, observation, mask):
        assert observation.shape == (1536,) and observation[888:894].sum() == 1
        return np.flatnonzero(mask)[-1]


class Wrong(PolicyBot):
    """An illegal action."""

    def act(self, observation, mask):
        return np.flatnonzero(mask == 0)[0]
'''


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    file = tmp_path / "policy.py"
    file.write_text(POLICY)
    return file


def test_a_learned_policy_plays_our_games(policy: Path) -> None:
    result = play_game([f"{policy}:Last", "greedy"], seed=2)
    assert result.decisions > 20
    assert not isinstance(play_game([f"{policy}:Last", "random"], seed=3), BotFault)


def test_an_illegal_action_of_a_policy_is_its_fault(policy: Path) -> None:
    with pytest.raises(BotFault, match=r"Wrong.* at decision"):
        play_game([f"{policy}:Wrong", "random"], seed=2)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), [("hidden-leaders", 2), ("secrets", 4)])
def test_openspiels_search_plays_our_games(game: str, players: int) -> None:
    bot = "arena.adapters.openspiel_bots:SpielIsmcts:simulations=2"
    options = {"rounds": 1} if game == "hidden-leaders" else {}
    others = ["random"] * (players - 1)
    results = [
        play_game([bot, *others], game=game, seed=1, options=options).winners for _ in range(2)
    ]
    assert results[0] == results[1]


def test_our_bots_play_in_a_pettingzoo_environment() -> None:
    table = env("secrets", 4, views=True)
    names = ("ismcts", "greedy", "greedy", "random")
    policies = {
        agent: BotPolicy(table, agent, name, iterations=5)
        for agent, name in zip(table.possible_agents, names, strict=True)
    }
    rewards: list[float] = []
    for seed in (1, 2):
        table.reset(seed=seed)
        for agent in table.agent_iter():
            _, reward, over, cut, _ = table.last()
            table.step(None if over or cut else policies[agent].action())
            rewards.append(reward)
    assert max(rewards) > 0


def test_our_bots_play_in_openspiel() -> None:
    spiel = load("secrets", 4)
    dice = np.random.default_rng(3)
    seats = [ArenaBot(spiel, player, "greedy", seed=player) for player in range(4)]
    for _ in range(2):
        state = spiel.new_initial_state()
        for bot in seats:
            bot.restart_at(state)
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(dice.choice(outcomes, p=odds)))
            else:
                state.apply_action(seats[state.current_player()].step(state))
        assert sum(state.returns()) == pytest.approx(0)


def test_wrong_use_gets_a_sentence() -> None:
    plain = env("hidden-leaders", 2)
    with pytest.raises(GameError, match="the environment keeps no views; make it with views=True"):
        BotPolicy(plain, "player_0", "random")
    table = env("hidden-leaders", 2, views=True)
    with pytest.raises(GameError, match="there is no agent 'player_2'; agents are player_0"):
        BotPolicy(table, "player_2", "random")
    table.reset(seed=1)
    waiting = next(agent for agent in table.agents if agent != table.agent_selection)
    with pytest.raises(GameError, match=f"it is not the turn of {waiting}"):
        BotPolicy(table, waiting, "random").action()
    with pytest.raises(GameError, match="player must be a seat from 0 to 1, not 2"):
        ArenaBot(load("hidden-leaders", 2), 2, "random")
    with pytest.raises(GameError, match=r"kuhn_poker.* is no game of ours; make it with"):
        ArenaBot(pyspiel.load_game("kuhn_poker"), 0, "random")
