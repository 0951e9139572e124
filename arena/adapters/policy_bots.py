"""Learned policies as bots of ours, and our bots as policies of a PettingZoo environment.

A policy that was trained on observations and masks plays in our leagues as a subclass:

    class MyPolicy(PolicyBot):
        def act(self, observation, mask):
            return int(np.argmax(np.where(mask, logits(observation), -np.inf)))

and `arena match my_policy.py:MyPolicy random` plays it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from arena.adapters.extras import MissingExtra

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise MissingExtra("a bot with a policy", "training", error.name) from None

from librt.vecs import vec
from mypy_extensions import i64

from arena.adapters.shared_memory import shared_array
from arena.seeds import derive_seed
from bots import Bot, Budget, load_bot
from games.errors import GameError
from games.registry import game_of
from games.view import View

if TYPE_CHECKING:
    from arena.adapters.pettingzoo import TurnEnv

__all__ = ["BotPolicy", "PolicyBot", "observation_of"]


class PolicyBot(Bot):
    """Plays by what its seat sees, as the numbers of `arena.adapters.pettingzoo` ("table")."""

    def choose(self, view: View) -> int:
        mask = np.zeros(view.imagine().move_limit, np.int8)
        mask[view.moves] = 1
        return int(self.act(observation_of(view), mask))

    @abstractmethod
    def act(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> int:
        """Return an action whose mask is 1."""


def observation_of(view: View) -> NDArray[np.int8]:
    """What a seat sees, from its View alone; the same numbers as in the environments."""
    rules = game_of(view)
    if rules.observation is None:
        raise GameError(f"{rules.title} has no observations")
    words = vec[i64]([0] * rules.observation.words)
    view.fill_observation(words, 0)
    return shared_array(words, np.int8).copy()


class BotPolicy:
    """One of our bots for one agent of an environment that keeps views.

    table = env("hidden-leaders", players=4, views=True)
    rival = BotPolicy(table, "player_1", "ismcts:iterations=100")
    ...
    table.step(rival.action())
    """

    def __init__(
        self, env: TurnEnv, agent: str, name: str | type[Bot], seed: int = 0, iterations: int = 0
    ) -> None:
        if not env.table.keeps_views:
            raise GameError("the environment keeps no views; make it with views=True")
        if agent not in env.seats:
            raise GameError(f"there is no agent {agent!r}; agents are {', '.join(env.seats)}")
        self._env = env
        self._agent = agent
        self._factory = load_bot(name)
        self._seed = seed
        self._budget = Budget(iterations=iterations)
        self._game: object = None
        self._heard = 0

    def _sit_down(self) -> None:
        """A new bot for a new game."""
        table = self._env.table
        seat = self._env.seats[self._agent]
        self._game = table.views
        self._heard = 0
        self._seed = derive_seed(self._seed, "next game")
        self._view = table.rules.view(seat, table.players, **table.options)
        self._bot = self._factory.make(seat, self._seed, self._budget)
        self._bot.start(self._view)

    def action(self) -> int:
        """The bot's choice; it must be its agent's turn."""
        self._env.view(self._agent)  # so that the table has taken all events
        if self._env.agent_selection != self._agent:
            raise GameError(f"it is not the turn of {self._agent}")
        if self._game is not self._env.table.views:
            self._sit_down()
        heard = self._env.table.heard[self._env.seats[self._agent]]
        for event in heard[self._heard :]:
            self._view.observe(event)
            self._bot.observe(event)
        self._heard = len(heard)
        return self._bot.choose(self._view)
