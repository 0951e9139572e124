"""Our games as PettingZoo environments: `env` (AEC, seat by seat) and `parallel_env`.

    from arena.adapters.pettingzoo import env
    table = env("hidden-leaders", players=4)

docs/learning.md describes observations, actions, rewards and how illegal actions end a game.
"""

from __future__ import annotations

import secrets
from typing import Any, Final, Literal, get_args

from arena.adapters.extras import MissingExtra

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from numpy.typing import NDArray
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.env_logger import EnvLogger
except ModuleNotFoundError as error:
    raise MissingExtra("the PettingZoo adapter", "pettingzoo", error.name) from None

from arena.adapters.learner_table import (
    FEATURE_BOUND,
    MOST_DECISIONS,
    LearnerTable,
    ObservationKind,
)
from arena.seeds import derive_seed
from games.errors import GameError, did_you_mean
from games.state import Rng
from games.view import View

__all__ = ["SimultaneousEnv", "TurnEnv", "env", "parallel_env", "raw_env"]

MaskPlace = Literal["info", "observation", "both"]
RENDER_MODES: Final = ("ansi", "human")
ILLEGAL_REWARD: Final = -1.0

Observation = NDArray[Any] | dict[str, NDArray[Any]]


class _Environment:
    """What both kinds of environment share: the table, spaces, seeds, rendering."""

    def __init__(
        self,
        name: str,
        players: int | None,
        observation: ObservationKind,
        action_mask: MaskPlace,
        max_cycles: int | None,
        render_mode: str | None,
        render_seat: int | None,
        views: bool,
        options: dict[str, object],
    ) -> None:
        self.table = LearnerTable(name, players, observation, views=views, options=options)
        if action_mask not in get_args(MaskPlace):
            hint = did_you_mean(action_mask, get_args(MaskPlace))
            known = ", ".join(get_args(MaskPlace))
            raise GameError(f"action_mask must be one of {known}, not {action_mask!r}{hint}")
        if render_mode not in (None, *RENDER_MODES):
            raise GameError(
                f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}"
            )
        if max_cycles is not None and (type(max_cycles) is not int or max_cycles < 1):
            raise GameError(f"max_cycles must be a whole number from 1, not {max_cycles!r}")
        seats = range(self.table.players)
        if render_seat is not None and (type(render_seat) is not int or render_seat not in seats):
            raise GameError(
                f"render_seat must be a seat from 0 to {seats[-1]}, or None for all cards, "
                f"not {render_seat!r}"
            )
        self.render_mode = render_mode
        self.render_seat = render_seat
        self.max_cycles = MOST_DECISIONS if max_cycles is None else max_cycles
        self.mask_in_info = action_mask in ("info", "both")
        self.mask_in_observation = action_mask in ("observation", "both")
        self.metadata: dict[str, Any] = {
            "name": f"{name.replace('-', '_')}_v{self.table.rules.rules_version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.players)]
        self.agents: list[str] = []
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        numbers = self._numbers_space()
        self.observation_spaces: dict[str, Space[Any]] = {}
        self.action_spaces: dict[str, Space[Any]] = {}
        for agent in self.possible_agents:
            self.observation_spaces[agent] = self._agent_space(numbers)
            self.action_spaces[agent] = Discrete(self.table.moves)
        self.state_space = Box(
            numbers.low.min(), numbers.high.max(), (self.table.players, self.table.size),
            numbers.dtype.type,
        )  # fmt: skip
        self._deals: Rng | None = None
        self.decisions = 0

    def _numbers_space(self) -> Box:
        if self.table.observation == "table":
            return Box(0, 127, (self.table.size,), np.int8)
        return Box(-FEATURE_BOUND, FEATURE_BOUND, (self.table.size,), np.float32)

    def _agent_space(self, numbers: Box) -> Space[Any]:
        if not self.mask_in_observation:
            return Box(numbers.low, numbers.high, numbers.shape, numbers.dtype.type)
        mask = Box(0, 1, (self.table.moves,), np.int8)
        return Dict({"observation": numbers, "action_mask": mask})

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def state(self) -> NDArray[Any]:
        """What all seats see, one row each; for critics that may know everything."""
        self._check_begun()
        return np.stack([self.table.observe(seat) for seat in range(self.table.players)])

    def view(self, agent: str) -> View:
        """What the agent knows, as our bots see it; needs `views=True`."""
        self._check_begun()
        return self.table.view(self.seats[agent])

    def render(self) -> str | None:
        if self.render_mode is None:
            raise GameError(f"choose a render_mode first: {' or '.join(RENDER_MODES)}")
        self._check_begun()
        text = self.table.draw(self.render_seat)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def _check_begun(self) -> None:
        if self._deals is None:
            raise GameError("the game has not begun; call reset()")

    def _start(self, seed: int | None) -> None:
        if seed is not None or self._deals is None:
            seed = secrets.randbits(56) if seed is None else seed
            self._deals = Rng(derive_seed(seed, "deal"))
        self.table.deal(self._deals)
        self.decisions = 0
        self.agents = list(self.possible_agents)

    def _seen(self, seat: int) -> Observation:
        numbers = self.table.observe(seat)
        if not self.mask_in_observation:
            return numbers
        mask = self.table.mask() if seat == self.table.state.actor else self._no_mask()
        return {"observation": numbers, "action_mask": mask}

    def _no_mask(self) -> NDArray[np.int8]:
        return np.zeros(self.table.moves, np.int8)

    def _check_action(self, action: object) -> int:
        """The action as a number of the action space; GameError if it is none."""
        if not isinstance(action, (int, np.integer)) or not 0 <= action < self.table.moves:
            raise GameError(
                f"an action is a whole number from 0 to {self.table.moves - 1}, not {action!r}"
            )
        return int(action)


class TurnEnv(_Environment, AECEnv[str, Observation, int]):
    """One game, seat by seat; make one with `env`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        self._start(seed)
        agents = self.agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        agent = self.possible_agents[self.table.state.actor]
        self.agent_selection = agent
        if self.mask_in_info:
            self.infos[agent] = {"action_mask": self.table.mask()}

    def observe(self, agent: str) -> Observation:
        self._check_begun()
        return self._seen(self.seats[agent])

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._check_begun()
        found: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise GameError("the game is over or not begun; call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self._check_action(action)
        if not self.table.is_legal(number):
            self._end_by_illegal_action(agent, number)
            return
        self.infos[agent] = {}
        self.table.play(number)
        self.decisions += 1
        if self.table.over:
            self._end(self.terminations, self.table.payoffs())
        elif self.decisions >= self.max_cycles:
            self._end(self.truncations, [0.0] * self.table.players)
        else:
            self._select()

    def _end(self, how: dict[str, bool], rewards: list[float]) -> None:
        """All agents are done; each has one last step, with None."""
        for agent, reward in zip(self.agents, rewards, strict=True):
            how[agent] = True
            self.rewards[agent] = reward
            if self.mask_in_info:
                self.infos[agent] = {"action_mask": self._no_mask()}
        self._accumulate_rewards()
        self._deads_step_first()

    def _end_by_illegal_action(self, agent: str, action: int) -> None:
        """PettingZoo's convention: the game ends, and the agent loses."""
        EnvLogger.warn_on_illegal_move()
        rewards = [ILLEGAL_REWARD if other == agent else 0.0 for other in self.agents]
        self._end(self.terminations, rewards)
        self.truncations = dict.fromkeys(self.agents, True)
        self.infos[agent]["illegal_action"] = action


class SimultaneousEnv(_Environment, ParallelEnv[str, Observation, int]):
    """One game in which all agents are asked at once; only the action of one is used.

    `infos[agent]["decides"]` says whose. An illegal action is replaced by a random legal one and
    reported in `infos[agent]["illegal_action"]`. Make one with `parallel_env`.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None  # noqa: ARG002
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:  # fmt: skip
        self._start(seed)
        return self._observations(), self._infos()

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._seen(self.seats[agent]) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        infos: dict[str, dict[str, Any]] = {}
        for agent in self.agents:
            decides = self.seats[agent] == self.table.state.actor
            infos[agent] = {"decides": decides}
            if self.mask_in_info:
                infos[agent]["action_mask"] = self.table.mask() if decides else self._no_mask()
        return infos

    def step(self, actions: dict[str, int]) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:  # fmt: skip
        """One decision of the game: the action of the agent that decides is played."""
        if not self.agents:
            raise GameError("the game is over or not begun; call reset()")
        decider = self.possible_agents[self.table.state.actor]
        if decider not in actions:
            raise GameError(f"{decider} decides, and there is no action of it")
        action = self._check_action(actions[decider])
        illegal = not self.table.is_legal(action)
        if illegal:
            assert self.table.rng is not None
            self.table.play(self.table.rng.choice(self.table.state.moves()))
        else:
            self.table.play(action)
        self.decisions += 1
        over = self.table.over
        cut = not over and self.decisions >= self.max_cycles
        rewards = self.table.payoffs() if over else [0.0] * self.table.players
        infos = self._infos()
        if illegal:
            infos[decider]["illegal_action"] = action
        result = (
            self._observations(),
            dict(zip(self.agents, rewards, strict=True)),
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, cut),
            infos,
        )
        if over or cut:
            self.agents = []
        return result


def env(
    game: str = "hidden-leaders",
    players: int | None = None,
    *,
    observation: ObservationKind = "table",
    action_mask: MaskPlace = "info",
    max_cycles: int | None = None,
    render_mode: str | None = None,
    render_seat: int | None = None,
    views: bool = False,
    **options: object,
) -> TurnEnv:
    """A game seat by seat, as an AEC environment.

    `observation`: "table" (what the seat sees, fast) or "features" (those of its View).
    `action_mask`: in the "info", in the "observation" (then a dictionary), or in "both".
    `max_cycles`: decisions after which the game is cut. `render_seat`: whose table to draw; all
    cards if None. `views`: keep every seat's View, for our bots. Options are those of the game.
    """
    return TurnEnv(
        game,
        players,
        observation,
        action_mask,
        max_cycles,
        render_mode,
        render_seat,
        views,
        options,
    )


raw_env = env
"""The same: checks are part of the environment, so it needs no wrappers."""


def parallel_env(
    game: str = "hidden-leaders",
    players: int | None = None,
    *,
    observation: ObservationKind = "table",
    action_mask: MaskPlace = "info",
    max_cycles: int | None = None,
    render_mode: str | None = None,
    render_seat: int | None = None,
    views: bool = False,
    **options: object,
) -> SimultaneousEnv:
    """A game in which all agents are asked at once, as a parallel environment; see `env`."""
    return SimultaneousEnv(
        game,
        players,
        observation,
        action_mask,
        max_cycles,
        render_mode,
        render_seat,
        views,
        options,
    )
