"""One game as learners see it: seats observe, choose numbered actions and get payoffs.

An action is a move number of the game (`State.moves`), so the action space of a game is fixed: the
numbers from 0 to `State.move_limit` - 1. A mask says which are legal now.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Final, Literal, Self, get_args

import numpy as np
from librt.vecs import vec
from mypy_extensions import i64, u8
from numpy.typing import NDArray

from arena.adapters.shared_memory import shared_array
from games.batch import fill_mask, payoff, run_chance
from games.errors import GameError, did_you_mean
from games.registry import Game, game
from games.state import NOBODY, Rng, State
from games.view import EventTuple, View

ObservationKind = Literal["table", "features"]
USUAL_PLAYERS: Final = 4
MOST_DECISIONS: Final = 100_000
"""Decisions after which a game is cut, unless another number is given."""
FEATURE_BOUND: Final = 16.0
"""Features are scaled to about 1; none comes near this."""


def players_of(rules: Game, players: int | None) -> int:
    """The number of players, or a usual one; GameError if the game is not for so many."""
    if players is None:
        return min(max(USUAL_PLAYERS, rules.min_players), rules.max_players)
    if not isinstance(players, int) or isinstance(players, bool):
        raise GameError(f"the number of players must be a whole number, not {players!r}")
    rules.check_players(players)
    return players


def check_observable(rules: Game, kind: str) -> None:
    """Raise GameError unless the game has observations of that kind."""
    kinds = get_args(ObservationKind)
    if kind not in kinds:
        hint = did_you_mean(kind, kinds)
        raise GameError(f"there are no observations '{kind}' (known: {', '.join(kinds)}){hint}")
    if kind == "table" and rules.observation is None:
        raise GameError(
            f"{rules.title} has no observations; give its Game an `observation` layout and its "
            "State `take_notes` and `fill_observation`"
        )
    if kind == "features" and rules.features is None:
        raise GameError(f"{rules.title} has no features; use the observations 'table'")


class LearnerTable:
    """A running game: the state, its luck, and with `views` what every seat knows."""

    def __init__(
        self,
        name: str,
        players: int | None = None,
        observation: ObservationKind = "table",
        *,
        views: bool = False,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self.name = name
        self.rules = game(name)
        self.players = players_of(self.rules, players)
        check_observable(self.rules, observation)
        self.observation = observation
        self.keeps_views = views or observation == "features"
        self.options = dict(options or {})
        self.start = self.rules.new(self.players, record=self.keeps_views, **self.options)
        if observation == "table":
            self.start.take_notes()
        self.moves = int(self.start.move_limit)
        self.state: State = self.start
        self.views: list[View] = []
        self.heard: list[list[EventTuple]] = []
        """All events of every seat, as far as its View has been asked for."""
        self.rng: Rng | None = None
        self._make_buffers()

    def _make_buffers(self) -> None:
        """Memory that compiled code writes into and numpy reads from."""
        layout = self.rules.observation
        self._words = vec[i64]([0] * (layout.words if layout is not None else 0))
        self._numbers = shared_array(self._words, np.int8)
        self._mask = vec[u8]([0] * self.moves)
        self._allowed = shared_array(self._mask, np.int8)

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        if self.observation == "table":
            assert self.rules.observation is not None
            return self.rules.observation.size
        assert self.rules.features is not None
        return len(self.rules.features.names)

    def deal(self, rng: Rng) -> None:
        """Start a new game and let chance decide until a seat must."""
        self.rng = rng
        if self.keeps_views:  # a copy would not record
            self.state = self.rules.new(self.players, record=True, **self.options)
            if self.observation == "table":
                self.state.take_notes()
            seats = range(self.players)
            self.heard = [[] for _ in seats]
            self.views = [self.rules.view(seat, self.players, **self.options) for seat in seats]
        else:
            self.state = self.start.copy()
        run_chance(self.state, rng)

    def play(self, action: int) -> None:
        """Play a legal action and let chance decide until a seat must, or the game is over."""
        assert self.rng is not None
        self.state.play(action)
        run_chance(self.state, self.rng)

    @property
    def over(self) -> bool:
        return self.state.actor == NOBODY

    def mask(self) -> NDArray[np.int8]:
        """1 for every legal action of the seat that decides; all 0 once the game is over."""
        fill_mask(self.state, self._mask)
        return self._allowed.copy()

    def is_legal(self, action: int) -> bool:
        return action in self.state.moves()

    def observe(self, seat: int) -> NDArray[np.int8] | NDArray[np.float32]:
        """What the seat sees."""
        if self.observation == "table":
            self.state.fill_observation(seat, self._words, 0)
            return self._numbers.copy()
        assert self.rules.features is not None
        numbers = self.rules.features.of(self.view(seat).imagine(), seat)
        return np.clip(np.array(numbers, np.float32), -FEATURE_BOUND, FEATURE_BOUND)

    def view(self, seat: int) -> View:
        """What the seat knows, up to now."""
        if not self.keeps_views:
            raise GameError("this table keeps no views; make it with views=True")
        view = self.views[seat]
        for event in self.state.take_events(seat):
            view.observe(event)
            self.heard[seat].append(event)
        return view

    def payoffs(self) -> list[float]:
        """What the finished game is worth to each seat (`games.batch.payoff`)."""
        return [payoff(self.state, seat) for seat in range(self.players)]

    def draw(self, seat: int | None) -> str:
        """The table in words; for a seat, only what it may know."""
        return self.rules.text.draw(self.state, seat)

    # Buffers are memory of this process; everything else pickles.

    def __getstate__(self) -> dict[str, object]:
        kept = dict(vars(self))
        for name in ("rules", "_words", "_numbers", "_mask", "_allowed"):
            del kept[name]
        return kept

    def __setstate__(self, kept: dict[str, object]) -> None:
        vars(self).update(kept)
        self.rules = game(self.name)
        self._make_buffers()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        # State.copy() leaves out recorded events, pickling does not.
        twin: Self = pickle.loads(pickle.dumps(self))  # noqa: S301  (its own bytes)
        memo[id(self)] = twin
        return twin
