"""Model files: the weights that `champion` uses, and where they come from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from sys import float_info
from typing import Any, Final

from bots.champion.belief import MoveBelief
from bots.champion.network import LANE_LIMIT, UNIT, Network, NumberNetwork, PatternNetwork
from bots.champion.policy import MovePolicy
from games.errors import GameError, did_you_mean
from games.features import FeatureLayout, PatternLayout
from games.registry import game, game_names, game_of
from games.state import State
from games.view import View
from games.world_belief import WorldBelief

MODEL_FORMAT: Final = "arena model"
MODEL_VERSION: Final = 1
MOST_BYTES: Final = 16_000_000
"""The largest models, with 256 units in both layers, take up to 11 MB."""
FLOAT_MAX: Final = float_info.max
WEIGHT_DIGITS: Final = 6
"""Significant digits of a weight in a file."""


class BadModel(GameError):
    """A model file that cannot be used; the message says why."""


@dataclass(frozen=True)
class Model:
    """A trained model of one game."""

    game: str
    features: int
    """The version of the game's features it was trained with."""
    hidden: tuple[int, int]
    """The sizes of the network's two layers."""
    value: tuple[float, ...]
    """The weights of `Network`."""
    policy: tuple[float, ...] = ()
    """A weight for every feature of moves; empty if it has none."""
    belief: tuple[float, ...] = ()
    """Likewise: how much an observed move speaks for the role it was assumed for."""
    trained: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained: config, seed, digest of the data, learning curve."""

    @property
    def layout(self) -> FeatureLayout:
        layout = game(self.game).features
        assert layout is not None
        return layout

    def network(self, players: int) -> Network:
        """The value network for that many players; every caller gets the same one."""
        return self._networks(players)

    def _new_network(self, players: int) -> Network:
        layout = self.layout
        sizes, winner, weights = layout_sizes(layout), layout.one_winner, list(self.value)
        if layout.patterns is None:
            return NumberNetwork(sizes, self.hidden, winner, players, weights)
        count = layout.patterns.count
        return PatternNetwork(sizes, count, self.hidden, winner, players, weights)

    def judge(self, world: State) -> list[float]:
        """Every seat's chance to win an unfinished game, given the complete state.

        It was trained on positions at the start of a turn, and is at its best there.
        """
        self._check_game(world)
        return self.network(world.players).judged(world)

    def move_shares(self, world: State) -> list[float]:
        """How likely the actor is to choose each of `world.moves()`."""
        if not self.policy:
            raise BadModel(f"this model of {game(self.game).title} has no policy")
        self._check_game(world)
        if world.actor < 0:
            raise GameError("no seat decides here, so there are no moves to choose among")
        return self.move_policy.shares(world)

    def watch(self, view: View) -> MoveBelief:
        """A belief about roles; tell it every event the seat perceives."""
        self._check_game(view)
        if not self.belief:
            raise BadModel(f"this model of {game(self.game).title} has no belief about roles")
        return MoveBelief(view, self.layout, self.belief)

    def watch_worlds(self, view: View, sharpness: float = 1.0) -> WorldBelief | None:
        """A belief about worlds, if roles move in the game; tell it every event likewise."""
        self._check_game(view)
        make = self.layout.world_belief
        return make(view, list(self.policy), sharpness) if make is not None else None

    def _check_game(self, of: State | View) -> None:
        """Raise BadModel for another game, whose numbers mean something else."""
        if type(of) in self._known:
            return
        rules = game_of(of)
        if rules.name != self.game:
            raise BadModel(f"this is a model of {game(self.game).title}, not of {rules.title}")
        self._known.add(type(of))

    @cached_property
    def _known(self) -> set[type]:
        """States and Views that are those of its game."""
        return set()

    @cached_property
    def move_policy(self) -> MovePolicy:
        """The policy, for searches."""
        return MovePolicy(list(self.policy))

    @cached_property
    def _networks(self) -> Callable[[int], Network]:
        return cache(self._new_network)


def layout_sizes(layout: FeatureLayout) -> tuple[int, int, int, int]:
    """The sizes that a network asks for: of table, seat and claim, and the number of claims."""
    patterns = layout.patterns
    if patterns is not None:
        return len(patterns.table), len(patterns.seat), len(patterns.claim), layout.claims
    return len(layout.table), len(layout.seat), len(layout.claim), layout.claims


def weight_count(layout: FeatureLayout, hidden: tuple[int, int]) -> int:
    """How many weights a network for that layout has."""
    table, seat, claim, _ = layout_sizes(layout)
    inputs = table + seat + claim if layout.patterns is None else layout.patterns.count
    first, second = hidden
    return (inputs + 1) * first + (first + 1) * second + second + 1


def most_weight(patterns: PatternLayout) -> float:
    """How large a weight of the first layer may be, so that no sum of them leaves its lane."""
    return LANE_LIMIT / UNIT / (patterns.slots + 1)


def bundled_model(name: str) -> Path:
    """Where the bundled model of that game lies: beside the code, where a sandbox may read it."""
    return Path(__file__).parent / "models" / f"{name}.json"


@cache
def load_model(name: str, path: str = "") -> Model:
    """The model of that game in the file, or the bundled one; BadModel says what is wrong."""
    file = Path(path) if path else bundled_model(name)
    if not path and not file.is_file():
        raise BadModel(f"there is no bundled model for {game(name).title}; name a model file")
    model = read_model(file)
    if model.game != name:
        raise BadModel(f"{file} is a model of {game(model.game).title}, not of {game(name).title}")
    return model


def read_model(file: Path) -> Model:
    """The model in the file, checked."""
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES + 1)  # the size of a device or pipe is not known
    except OSError as error:
        raise BadModel(f"cannot read the model {file}: {error.strerror}") from None
    if len(text) > MOST_BYTES:
        raise BadModel(f"{file} is too large for a model: over {MOST_BYTES // 10**6} MB")
    try:
        content = json.loads(text.decode())
    except (ValueError, RecursionError):
        raise BadModel(f"{file} is not a model: it is not JSON") from None
    if not isinstance(content, dict) or content.get("format") != MODEL_FORMAT:
        raise BadModel(f"{file} is not a model: its format is not {MODEL_FORMAT!r}")
    if content.get("version") != MODEL_VERSION:
        found = content.get("version")
        raise BadModel(f"{file} has version {found!r} of the format; this arena reads 1")
    return _checked(file, content)


def _checked(file: Path, content: dict[str, Any]) -> Model:
    name = content.get("game")
    if name not in game_names():
        hint = did_you_mean(str(name), game_names())
        raise BadModel(f"{file} is for a game {name!r} that does not exist{hint}")
    layout = game(name).features
    if layout is None or content.get("features") != layout.version:
        now = "none" if layout is None else f"version {layout.version}"
        was = content.get("features")
        raise BadModel(
            f"{file} was trained with version {was!r} of the features of {name}, "
            f"which are now {now}; train it again"
        )
    sizes = content.get("hidden")
    if not _is_sizes(sizes):
        raise BadModel(f"{file}: hidden must be two whole numbers from 1 to 256, not {sizes!r}")
    hidden: tuple[int, int] = tuple(content["hidden"])
    wanted = {
        "value": weight_count(layout, hidden),
        "policy": layout.moves,
        "belief": layout.moves,
    }
    for part, count in wanted.items():
        weights = content.get(part, [])
        if not _is_weights(weights) or (len(weights) != count and (weights or part == "value")):
            raise BadModel(f"{file}: {part} must be {count} numbers")
    parts = {part: tuple(map(float, content.get(part, []))) for part in wanted}
    if layout.patterns is not None:
        largest = max(map(abs, parts["value"][: (layout.patterns.count + 1) * hidden[0]]))
        if largest > most_weight(layout.patterns):
            raise BadModel(
                f"{file}: value has a weight of {largest:g} in the first layer, too large"
            )
    trained = content.get("trained")
    return Model(
        str(name),
        layout.version,
        hidden,
        parts["value"],
        parts["policy"],
        parts["belief"],
        trained if isinstance(trained, dict) else {},
    )


def _is_sizes(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(type(size) is int and 1 <= size <= 256 for size in value)


def _is_weights(value: object) -> bool:
    if not isinstance(value, list):
        return False
    return all(
        type(weight) in (int, float) and -FLOAT_MAX <= weight <= FLOAT_MAX for weight in value
    )


def write_model(file: Path, model: Model) -> None:
    """Write the file in one step: a reader sees the old one or the new one."""
    content = {
        "format": MODEL_FORMAT,
        "version": MODEL_VERSION,
        "game": model.game,
        "features": model.features,
        "hidden": list(model.hidden),
        "trained": dict(model.trained),
        **{part: rounded(getattr(model, part)) for part in ("value", "policy", "belief")},
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    half = file.with_name(file.name + ".part")
    try:
        half.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        half.replace(file)
    except OSError:  # a full disk is no place for half a model
        half.unlink(missing_ok=True)
        raise


def rounded(weights: tuple[float, ...]) -> list[float]:
    """To WEIGHT_DIGITS significant digits, which is far more than matters."""
    return [float(f"{weight:.{WEIGHT_DIGITS}g}") for weight in weights]
