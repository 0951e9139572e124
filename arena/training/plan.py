"""A training's config, read from a TOML file and checked key by key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from arena.league.config import (
    BadConfig,
    Reader,
    game_name,
    player_counts,
    read_file,
    whole_number,
)
from arena.seeds import MOST_LEAGUE_SEED
from games.bundled import bundled
from games.errors import GameError, did_you_mean
from games.registry import DEFAULT_GAME, game

BUNDLED_TRAININGS: Final = bundled("training")


@dataclass(frozen=True)
class Generation:
    """One round of games, and of training on them."""

    games: int
    """Games at each number of players."""
    iterations: int
    """Worlds that the search of these games looks at for each decision."""

    @property
    def words(self) -> str:
        return f"{self.games} games at each count, {self.iterations} iterations"


@dataclass(frozen=True)
class TrainingPlan:
    """Everything that a training's result depends on."""

    generations: tuple[Generation, ...]
    game: str = DEFAULT_GAME
    players: tuple[int, ...] = ()
    seed: int = 1
    hidden: tuple[int, int] = (24, 8)
    epochs: int = 10
    test_deals: int = 0
    """Deals of each generation against the one before it; 0 for none."""

    def as_json(self) -> dict[str, object]:
        values = asdict(self)
        values["players"] = list(self.players)
        values["hidden"] = list(self.hidden)
        values["generations"] = [asdict(each) for each in self.generations]
        return values


def _hidden(value: object) -> tuple[int, int]:
    sizes = value if isinstance(value, list) else []
    if len(sizes) != 2 or not all(type(size) is int and 1 <= size <= 256 for size in sizes):
        raise ValueError(f"must be two sizes from 1 to 256, like [24, 8], not {value!r}")
    return sizes[0], sizes[1]


def _generations(value: object) -> tuple[Generation, ...]:
    wanted = "must be tables [[generations]], each with games and iterations"
    if not isinstance(value, list) or not value:
        raise ValueError(f"{wanted}, not {value!r}")
    found = []
    for table in value:
        if not isinstance(table, dict) or set(table) != {"games", "iterations"}:
            raise ValueError(f"{wanted}, not {table!r}")
        for key in ("games", "iterations"):
            if type(table[key]) is not int or not 1 <= table[key] <= 10**7:
                raise ValueError(f"need {key} from 1 to 10000000, not {table[key]!r}")
        found.append(Generation(table["games"], table["iterations"]))
    if found[0].games < 2:
        raise ValueError("need 2 games in the first of them: the first game is only for testing")
    return tuple(found)


_KEYS: Final[Mapping[str, Reader]] = {
    "game": game_name,
    "players": player_counts,
    "seed": whole_number(0, MOST_LEAGUE_SEED),
    "hidden": _hidden,
    "epochs": whole_number(1, 1000),
    "test_deals": whole_number(0, 100_000),
    "generations": _generations,
}


def find_plan(name: str) -> Path:
    """The path of a config file, given as a path or as the bare name of a bundled training."""
    if Path(name).is_file():
        return Path(name)
    known = {path.stem: path for path in sorted(BUNDLED_TRAININGS.glob("*.toml"))}
    if name not in known:
        hint = did_you_mean(name, known)
        raise BadConfig(f"there is no training file {name!r} (bundled: {', '.join(known)}){hint}")
    return known[name]


def read_plan(path: Path) -> TrainingPlan:
    """The plan in that file; BadConfig names the key that is wrong."""
    values: dict[str, object] = {}
    for key, value in read_file(path).items():
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS)
            raise BadConfig(f"{path}: there is no key {key!r} (known: {', '.join(_KEYS)}){hint}")
        try:
            values[key] = _KEYS[key](value)
        except ValueError as error:
            problem = f": {error}" if isinstance(error, GameError) else f" {error}"
            raise BadConfig(f"{path}: {key}{problem}") from None
    if "generations" not in values:
        raise BadConfig(f"{path}: generations are missing; write [[generations]] tables")
    rules = game(str(values.get("game", DEFAULT_GAME)))
    values.setdefault("players", rules.player_counts)
    plan = TrainingPlan(**values)  # type: ignore[arg-type]
    for players in plan.players:
        try:
            rules.check_players(players)
        except GameError as error:
            raise BadConfig(f"{path}: players: {error}") from None
    if rules.features is None:
        raise BadConfig(f"{path}: {rules.title} has no features to train a model with")
    return plan
