"""A league's config: what a TOML file and the command line say, checked key by key."""

from __future__ import annotations

import hashlib
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from arena.match.bot_factory import bot_factory
from arena.player_counts import read_counts
from arena.seeds import MOST_LEAGUE_SEED
from bots.runtime.loading import PROGRAM_PREFIX, is_ours, split_options
from games.bundled import bundled
from games.errors import GameError, did_you_mean
from games.registry import DEFAULT_GAME, game

FOLDER: Final = bundled("leagues")
"""The leagues that come with the arena; they are found by their bare names."""

FORMATS: Final = ("round-robin", "gauntlet", "swiss")
MOST_NAME: Final = 60
MOST_DIGITS: Final = 18
MOST_DEALS: Final = 1_000_000
"""More than anybody could try out."""


class BadConfig(GameError):
    """A config that cannot be played; the message names file or option, key and the way out."""


@dataclass(frozen=True)
class BotSpec:
    """A bot of a league."""

    name: str
    """What the league calls it."""
    bot: str
    """What it is found and set up by."""


@dataclass(frozen=True)
class League:
    """Everything that decides which games are played, and how."""

    bots: tuple[BotSpec, ...]
    game: str = DEFAULT_GAME
    options: Mapping[str, object] = field(default_factory=dict)
    players: tuple[int, ...] = ()
    deals: int = 10
    seed: int = 1
    format: str = "round-robin"
    rounds: int = 5
    lineups: int = 100
    iterations: int = 0
    seconds_per_move: float = 0.0
    seconds_per_game: float = 0.0
    trust: bool = True
    probation: int = 3
    workers: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(bot.name for bot in self.bots)

    def isolated(self, bot: str) -> bool:
        """Whether the bot plays in a process of its own: not if it is ours, or trusted."""
        return not self.trust and not is_ours(bot)

    def as_json(self) -> dict[str, object]:
        """Everything that results depend on: any number of workers gives the same."""
        values = asdict(self)
        del values["workers"]
        values["bots"] = [f"{one.bot} as {one.name}" for one in self.bots]
        values["players"] = list(self.players)
        return values


# ---- what each key may hold -------------------------------------------------------------------

Reader = Callable[[object], object]
"""Checks one value; the ValueError it raises ends a sentence that begins with the key."""


def whole(least: int, most: int) -> Reader:
    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"must be a whole number from {least} to {most}, not {value!r}")
        return value

    return read


def seconds(value: object) -> float:
    if type(value) not in (int, float) or not 0 <= float(str(value)) <= 86_400:
        raise ValueError(f"must be a number of seconds, 0 for no limit, not {value!r}")
    return float(str(value))


def yes_or_no(value: object) -> bool:
    if type(value) is not bool:
        raise ValueError(f"must be true or false, not {value!r}")
    return value


def one_of(known: Sequence[str]) -> Reader:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            hint = did_you_mean(str(value), known)
            raise ValueError(f"must be one of {', '.join(known)}, not {value!r}{hint}")
        return value

    return read


def game_name(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be the name of a game, not {value!r}")
    return game(value).name


def player_counts(value: object) -> tuple[int, ...]:
    """`4`, `[2, 4]` or `"2-4,6"`."""
    numbers = value if isinstance(value, list) else [value]
    if numbers and all(type(number) is int for number in numbers):
        return tuple(sorted(set(numbers)))
    counts = read_counts(value) if isinstance(value, str) else None
    if not counts:
        raise ValueError(f"must be like 4, [2, 4] or '2-6', not {value!r}")
    return counts


def table(value: object) -> dict[str, object]:
    """A TOML table, or `name=value` words from the command line."""
    if isinstance(value, dict):
        check_option_names(value)
        return value
    if not isinstance(value, list):
        raise ValueError(f"must be a table like deck = 'beginner', not {value!r}")
    return game_options(value)


def game_options(words: Sequence[str]) -> dict[str, object]:
    """The options in `name=value` words."""
    found: dict[str, object] = {}
    for word in words:
        name, equals, said = (part.strip() for part in str(word).partition("="))
        if not equals:
            raise BadConfig(f"an option is written name=value, not {word!r}")
        if name in found:
            raise BadConfig(f"option {name} is set twice")
        found[name] = int(said) if said.isdecimal() and len(said) <= MOST_DIGITS else said
    check_option_names(found)
    return found


def check_option_names(names: Iterable[str]) -> None:
    for name in names:
        if name in ("players", "record"):
            raise BadConfig(f"{name} is not an option of the game to be set here")


def contestants(value: object) -> tuple[BotSpec, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise ValueError(f"must be a list of names like ['random', 'greedy'], not {value!r}")
    found = tuple(contestant(one) for one in value)
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"must differ in their names, but two are called {name!r}; "
                f"call one of them otherwise: '{name} as other'"
            )
    return found


def contestant(words: str) -> BotSpec:
    """`greedy` or `greedy:depth=6 as deep`; a file that is not named goes without its folder."""
    bot, said, name = (part.strip() for part in words.rpartition(" as "))
    if not said:
        bot, name = name, name.rpartition("/")[2]
    if not bot or not name or not name.isprintable() or len(name) > MOST_NAME:
        raise ValueError(f"need a name of at most {MOST_NAME} printable letters, unlike {words!r}")
    return BotSpec(name, bot)


@dataclass(frozen=True)
class Key:
    """A key of the config, also an option of `arena league`."""

    kind: type
    """What the command line reads it as; a list is given element by element."""
    read: Reader
    meaning: str
    """What it sets, for the help text."""


KEYS: Final[dict[str, Key]] = {
    "bots": Key(list, contestants, "a bot, also 'greedy:depth=6 as deep'; once for each"),
    "game": Key(str, game_name, "which game"),
    "options": Key(list, table, "an option of the game, like deck=beginner; once for each"),
    "players": Key(
        str, player_counts, "player counts, like 4, 2-6 or 2,4-6; all of the game if unsaid"
    ),
    "deals": Key(
        int, whole(1, MOST_DEALS), "deals for each line-up, each played once per seat rotation"
    ),
    "seed": Key(int, whole(0, MOST_LEAGUE_SEED), "decides all deals and all of the bots' own luck"),
    "format": Key(
        str, one_of(FORMATS), "round-robin, gauntlet (first bot against the field) or swiss"
    ),
    "rounds": Key(int, whole(1, 1000), "rounds of a swiss league"),
    "lineups": Key(int, whole(1, MOST_DEALS), "line-ups at each player count, at most about"),
    "iterations": Key(
        int, whole(0, 10**9), "for searching bots, per decision; 0: as each bot is set"
    ),
    "seconds_per_move": Key(float, seconds, "time for a decision; 0: no limit"),
    "seconds_per_game": Key(
        float, seconds, "time for all of a bot's decisions in a game; 0: no limit"
    ),
    "trust": Key(
        bool, yes_or_no, "whether bots that are not built in may play in our own processes"
    ),
    "probation": Key(
        int, whole(0, 1000), "faults after which a bot's games are no longer played; 0: never"
    ),
    "workers": Key(int, whole(0, 256), "processes that play; 0: one per core"),
}


# ---- reading ----------------------------------------------------------------------------------


def find_config(name: str) -> Path:
    """A file, or the bare name of a league that comes with the arena."""
    if Path(name).is_file():
        return Path(name)
    known = {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}
    if name not in known:
        hint = did_you_mean(name, known)
        raise BadConfig(f"there is no league file {name!r} (shipped: {', '.join(known)}){hint}")
    return known[name]


def read_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfig(f"{path} is not a TOML file: {error}") from None


def read_league(path: Path | None, given: Mapping[str, object]) -> League:
    """The league a file describes, with what the command line says instead of it."""
    file = {} if path is None else read_file(path)
    with blame(str(path)):
        check_keys(file)
    if given.get("game", file.get("game", DEFAULT_GAME)) != file.get("game", DEFAULT_GAME):
        # What the file says of its own game has no meaning in another.
        file = {key: value for key, value in file.items() if key not in ("players", "options")}
    places = {key: option_name(key) if key in given else f"{path}: {key}" for key in KEYS}
    found: dict[str, object] = {}
    for key, value in {**file, **given}.items():
        try:
            found[key] = KEYS[key].read(value)
        except ValueError as error:
            told = f": {error}" if isinstance(error, GameError) else f" {error}"
            raise BadConfig(places[key] + told) from None
    if "bots" not in found:
        raise BadConfig(f"{path}: bots must be named, like bots = ['random', 'greedy']")
    rules = game(str(found.get("game", League.game)))
    found.setdefault("players", tuple(range(rules.min_players, rules.max_players + 1)))
    league = League(**found)  # type: ignore[arg-type]
    check(league, places)
    return league


def check_keys(values: Iterable[str]) -> None:
    for key in values:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS)
            raise BadConfig(f"there is no key {key!r}{hint}; known are {', '.join(KEYS)}")


def check(league: League, places: Mapping[str, str]) -> None:
    """What cannot be judged one key at a time."""
    rules = game(league.game)
    for count in league.players:
        with blame(places["players"]):
            rules.check_players(count)
        with blame(places["options"]):
            rules.new(count, **league.options)
    for one in league.bots:
        with blame(places["bots"]):
            bot_factory(one.bot, league.isolated(one.bot))
    if league.format != "round-robin" and len(league.bots) < 2:
        raise BadConfig(f"{places['bots']} must be at least two for a {league.format}")


@contextmanager
def blame(place: str) -> Iterator[None]:
    """Whatever is wrong inside was said at that place."""
    try:
        yield
    except GameError as error:
        raise BadConfig(f"{place}: {error}") from None


def option_name(key: str) -> str:
    """How a key is called on the command line; lists are given one by one."""
    return "--" + {"bots": "bot", "options": "option"}.get(key, key).replace("_", "-")


def league_from_json(values: Mapping[str, object]) -> League:
    """The league as a journal keeps it; its bots need not be there any more."""
    check_keys(values)
    found = {key: KEYS[key].read(value) for key, value in values.items()}
    return League(**found)  # type: ignore[arg-type]


def sources(league: League) -> dict[str, str]:
    """File -> SHA-256 of every bot that is a file: an edited bot is another bot."""
    found = {}
    for one in league.bots:
        for file in files_of(one.bot):
            if file.is_file():
                found[str(file)] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def files_of(bot: str) -> list[Path]:
    """The files that the name of a bot names: the class's own, or those a program is given."""
    if not bot.startswith(PROGRAM_PREFIX):
        file = Path(split_options(bot)[0].rpartition(":")[0])
        return [file] if file.suffix == ".py" else []
    try:
        program, *words = shlex.split(bot.removeprefix(PROGRAM_PREFIX))
    except ValueError:
        return []  # no command line, as whoever seats it will say
    # An interpreter is not the bot, but what is named by where it lies from here is.
    own = [program] if "/" in program and not program.startswith("/") else []
    return [Path(word) for word in (*own, *words)]
