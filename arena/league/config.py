"""A league's config, read from a TOML file and command-line options and checked key by key.

Reading a config loads no bot: `arena.league.start` checks the bots when the league is started.
"""

import json
import os
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from arena.player_counts import read_counts
from arena.seeds import MOST_LEAGUE_SEED
from bots.runtime.loading import PROGRAM_PREFIX, is_ours, split_options
from games.bundled import bundled
from games.errors import GameError, did_you_mean
from games.registry import DEFAULT_GAME, game

BUNDLED_LEAGUES: Final = bundled("leagues")
"""The bundled leagues, which are found by their bare names."""

FORMATS: Final = ("round-robin", "gauntlet", "swiss")
MOST_NAME: Final = 60
MOST_DIGITS: Final = 18
MOST_DEALS: Final = 1_000_000


class BadConfig(GameError):
    """An invalid config; the message names the file or option, the key, and a fix."""


@dataclass(frozen=True)
class BotSpec:
    """A bot of a league: its name, and the text that says how to load it."""

    name: str
    """Its name in the league, shown in tables."""
    bot: str
    """How to load it, like `greedy:depth=6` or `my_bot.py:MyBot`."""


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
    until_settled: bool = False
    top: int = 0
    confidence: float = 0.95
    margin: float = 0.05
    workers: int = 0
    without: tuple[str, ...] = ()
    """Bots that were left out; they are not among `bots`."""
    bots_key: str = field(default="bots", compare=False)
    """Where the bots were named, for error messages: `my.toml: bots` or `--bot`."""
    seed_chosen: bool = field(default=True, compare=False)
    """False if neither the file nor the command line has a seed."""

    @property
    def draws_seed(self) -> bool:
        """Whether the seed is to be drawn: strangers play, and nobody has chosen one."""
        return not self.seed_chosen and bool(self.isolated_names())

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(spec.name for spec in self.bots)

    def isolated(self, bot: str) -> bool:
        """Whether the bot runs in its own process: only if it is neither built in nor trusted."""
        return not self.trust and not is_ours(bot)

    def isolated_names(self) -> list[str]:
        return [spec.name for spec in self.bots if self.isolated(spec.bot)]

    def as_json(self) -> dict[str, object]:
        """Everything the results depend on; the number of workers is not part of it."""
        values = asdict(self)
        del values["workers"], values["bots_key"], values["seed_chosen"]
        values["without"] = list(self.without)
        values["bots"] = [f"{spec.bot} as {spec.name}" for spec in self.bots]
        values["players"] = list(self.players)
        return values


# ---- what each key may hold -------------------------------------------------------------------

Reader = Callable[[object], object]
"""Checks one value. The message of its ValueError continues a sentence that starts with the key."""


def whole_number(least: int, most: int) -> Reader:
    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"must be a whole number from {least} to {most}, not {value!r}")
        return value

    return read


def seconds(value: object) -> float:
    if type(value) not in (int, float) or not 0 <= float(str(value)) <= 86_400:
        raise ValueError(f"must be a number of seconds, 0 for none, not {value!r}")
    return float(str(value))


def between_0_and_1(value: object) -> float:
    if type(value) is not float or not 0 < value < 1:
        raise ValueError(f"must be a number between 0 and 1, like 0.95, not {value!r}")
    return value


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
        raise ValueError(f"must be like 4, 2-6 or 2,4-6, in a file also [2, 4], not {value!r}")
    return counts


def option_table(value: object) -> dict[str, object]:
    """A TOML table, or `name=value` words from the command line."""
    if not isinstance(value, dict | list):
        raise ValueError(f"must be a table like deck = 'beginner', not {value!r}")
    return game_options(value)


def game_options(given: Mapping[str, object] | Sequence[str]) -> dict[str, object]:
    """Options by name, given as a table or as `name=value` words."""
    options: dict[str, object] = dict(given) if isinstance(given, Mapping) else {}
    for word in () if isinstance(given, Mapping) else given:
        name, equals, value = (part.strip() for part in str(word).partition("="))
        if not equals:
            raise BadConfig(f"an option is written name=value, not {word!r}")
        if name in options:
            raise BadConfig(f"option {name} is set twice")
        options[name] = _option_value(value)
    for name in ("players", "record"):
        if name in options:
            raise BadConfig(f"{name} cannot be set as an option of the game")
    return options


def _option_value(text: str) -> object:
    """A whole number, a list in JSON such as a deck, or a word."""
    if text.isdecimal() and len(text) <= MOST_DIGITS:
        return int(text)
    if text.startswith("["):
        with suppress(ValueError, RecursionError):
            return json.loads(text)
    return text


def bot_specs(value: object) -> tuple[BotSpec, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(bot, str) for bot in value):
        raise ValueError(f"must be a list of names like ['random', 'greedy'], not {value!r}")
    specs = tuple(bot_spec(words) for words in value)
    name, count = Counter(spec.name for spec in specs).most_common(1)[0]
    if count > 1:
        *_, last = (spec.bot for spec in specs if spec.name == name)
        raise ValueError(
            f"must have different names, but two are called {name!r}; "
            f"rename one of them: '{last} as other'"
        )
    return specs


def names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"must be a list of names like ['greedy'], not {value!r}")
    return tuple(dict.fromkeys(value))


def bot_spec(words: str) -> BotSpec:
    """`greedy` or `greedy:depth=6 as deep`; files are named without their folders by default."""
    bot, as_, name = (part.strip() for part in words.rpartition(" as "))
    if not as_:
        bot, name = name, default_name(name)
    if not bot or not name or not name.isprintable() or len(name) > MOST_NAME:
        remedy = "" if as_ or not bot else f"; give it one: '{bot} as NAME'"
        raise ValueError(
            f"need a name of at most {MOST_NAME} printable characters, unlike {words!r}{remedy}"
        )
    return BotSpec(name, bot)


def default_name(bot: str) -> str:
    """The bot's spec without the folders of its file and of those that its options name."""
    if bot.startswith(PROGRAM_PREFIX):
        return bot.rpartition("/")[2]
    place, options = split_options(bot)
    name = place.rpartition("/")[2]
    return f"{name}:{re.sub('[^=,]*/', '', options)}" if options else name


@dataclass(frozen=True)
class ConfigKey:
    """A key of the config, which is also an option of `arena league`."""

    kind: type
    """The type on the command line; the option of a list is given once per element."""
    read: Reader
    meaning: str
    """What it sets, for the help text."""


KEYS: Final[dict[str, ConfigKey]] = {
    "bots": ConfigKey(
        list, bot_specs, "a bot, like greedy or 'greedy:depth=6 as deep'; repeat for each bot"
    ),
    "without": ConfigKey(
        list, names, "leave out this bot, by its name in the league; repeat for each bot"
    ),
    "game": ConfigKey(str, game_name, "which game"),
    "options": ConfigKey(
        list, option_table, "an option of the game, like deck=beginner; repeat for each option"
    ),
    "players": ConfigKey(
        str, player_counts, "player counts, like 4, 2-6 or 2,4-6; default: all the game allows"
    ),
    "deals": ConfigKey(
        int, whole_number(1, MOST_DEALS), "deals per line-up; each is played in every rotation"
    ),
    "seed": ConfigKey(
        int,
        whole_number(0, MOST_LEAGUE_SEED),
        "seed of all deals and of the bots' random choices; with strangers' bots: a secret one",
    ),
    "format": ConfigKey(
        str, one_of(FORMATS), "round-robin, gauntlet (first bot against the field) or swiss"
    ),
    "rounds": ConfigKey(int, whole_number(1, 1000), "rounds of a swiss league"),
    "lineups": ConfigKey(
        int, whole_number(1, MOST_DEALS), "approximate maximum of line-ups per player count"
    ),
    "iterations": ConfigKey(
        int, whole_number(0, 10**9), "search iterations per decision; 0: each bot's own setting"
    ),
    "seconds_per_move": ConfigKey(
        float, seconds, "time limit per decision; 0: none, or 60 for isolated bots and programs"
    ),
    "seconds_per_game": ConfigKey(
        float,
        seconds,
        "time limit per bot and game; 0: none, or 600 for isolated bots and programs",
    ),
    "trust": ConfigKey(
        bool, yes_or_no, "whether bots that are not built in may run in the arena's own processes"
    ),
    "probation": ConfigKey(
        int, whole_number(0, 1000), "faults after which a bot is disqualified; 0: never"
    ),
    "until_settled": ConfigKey(
        bool, yes_or_no, "play where the order is least certain, until it is settled"
    ),
    "top": ConfigKey(int, whole_number(0, 1000), "settle only the first N places; 0: all"),
    "confidence": ConfigKey(float, between_0_and_1, "how sure the settled order must be"),
    "margin": ConfigKey(
        float, between_0_and_1, "bots whose shares of wins differ by less than this count as equal"
    ),
    "workers": ConfigKey(int, whole_number(0, 256), "worker processes; 0: one per core"),
}


# ---- reading ----------------------------------------------------------------------------------


def find_config(name: str) -> Path:
    """The path of a config file, given as a path or as the bare name of a bundled league."""
    if Path(name).is_file():
        return Path(name)
    bundled = {path.stem: path for path in sorted(BUNDLED_LEAGUES.glob("*.toml"))}
    if name not in bundled:
        hint = did_you_mean(name, bundled)
        raise BadConfig(f"there is no league file {name!r} (bundled: {', '.join(bundled)}){hint}")
    return bundled[name]


def read_file(path: Path) -> dict[str, object]:
    content = path.read_bytes()
    if content.startswith(b"SQLite format 3"):
        raise BadConfig(f"{path} is a run file, not a config; arena standings {path} shows it")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))  # as editors on Windows write it
    except (ValueError, RecursionError) as error:  # numbers may be too long, lists too deep
        raise BadConfig(f"{path} is not a TOML file: {error}") from None


def read_league(
    path: Path | None,
    given: Mapping[str, object],
    name_of: Callable[[str], str] | None = None,
) -> League:
    """The league described by a file; `given` overrides its keys.

    `name_of` says what messages call a key that was given: by default, the option of the command.
    """
    file = {} if path is None else read_file(path)
    with error_prefix(str(path)):
        check_keys(file)
    if given.get("game", file.get("game", DEFAULT_GAME)) != file.get("game", DEFAULT_GAME):
        # The file's player counts and options make no sense in another game.
        file = {key: value for key, value in file.items() if key not in ("players", "options")}
    name_of = name_of or option_name
    places = {key: name_of(key) if key in given else f"{path}: {key}" for key in KEYS}
    values: dict[str, object] = {}
    for key, value in {**file, **given}.items():
        try:
            values[key] = KEYS[key].read(value)
        except ValueError as error:
            problem = f": {error}" if isinstance(error, GameError) else f" {error}"
            raise BadConfig(places[key] + problem) from None
    if path is not None and "bots" not in given and isinstance(specs := values.get("bots"), tuple):
        values["bots"] = tuple(replace(spec, bot=beside(path.parent, spec.bot)) for spec in specs)
    if "bots" not in values:
        raise BadConfig(f"{path}: bots are missing; write bots = ['random', 'greedy']")
    rules = game(str(values.get("game", League.game)))
    values.setdefault("players", tuple(range(rules.min_players, rules.max_players + 1)))
    chosen = "seed" in values
    league = League(**values, bots_key=places["bots"], seed_chosen=chosen)  # type: ignore[arg-type]
    league = leave_out(league, places)
    check_league(league, places)
    return league


def beside(folder: Path, bot: str) -> str:
    """The bot's spec with the paths in it, which are relative to the folder, resolved."""
    if folder == Path():
        return bot
    if not bot.startswith(PROGRAM_PREFIX):
        return re.sub(r"(?:^|(?<=[=,]))[^=,:]+\.py(?=:)", lambda file: str(folder / file[0]), bot)
    try:
        program, *words = shlex.split(bot.removeprefix(PROGRAM_PREFIX))
    except ValueError:
        return bot  # not a command line; starting the bot reports that
    if "/" in program:  # or else it is looked up on the PATH
        program = os.path.join(os.path.relpath(folder), program)
    words = [str(folder / word) if (folder / word).is_file() else word for word in words]
    return PROGRAM_PREFIX + shlex.join([program, *words])


def leave_out(league: League, places: Mapping[str, str]) -> League:
    """The league without the bots that are to be left out."""
    for name in league.without:
        if name not in league.names:
            hint = did_you_mean(name, league.names)
            known = ", ".join(league.names)
            raise BadConfig(f"{places['without']}: there is no bot {name!r} (only {known}){hint}")
    if league.format == "gauntlet" and league.names[0] in league.without:
        raise BadConfig(f"{places['without']}: {league.names[0]!r} is the bot of the gauntlet")
    left = tuple(spec for spec in league.bots if spec.name not in league.without)
    if not left:
        raise BadConfig(f"{places['without']}: no bot is left")
    return replace(league, bots=left)


def check_keys(values: Iterable[str]) -> None:
    for key in values:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS)
            raise BadConfig(f"there is no key {key!r}{hint}; the keys are {', '.join(KEYS)}")


def check_league(league: League, places: Mapping[str, str]) -> None:
    """Checks that involve more than one key."""
    rules = game(league.game)
    for count in league.players:
        with error_prefix(places["players"]):
            rules.check_players(count)
        with error_prefix(places["options"]):
            rules.new(count, **league.options)
    if league.until_settled and league.format != "round-robin":
        raise BadConfig(f"{places['until_settled']}: only for a round-robin, not {league.format}")
    if league.top > len(league.bots):
        raise BadConfig(f"{places['top']} is {league.top}, but there are {len(league.bots)} bots")
    if league.format != "round-robin" and len(league.bots) < 2:
        raise BadConfig(f"{places['bots']} must be at least two for a {league.format}")


@contextmanager
def error_prefix(place: str) -> Iterator[None]:
    """Put the place that is to blame in front of the message of any GameError."""
    try:
        yield
    except GameError as error:
        raise BadConfig(f"{place}: {error}") from None


def negated_option(key: str) -> str:
    """The command-line option that sets a key to false."""
    return "--no-" + key.replace("_", "-")


def option_name(key: str) -> str:
    """The command-line option of a key; options of lists are in the singular."""
    return "--" + {"bots": "bot", "options": "option"}.get(key, key).replace("_", "-")


def league_from_json(values: Mapping[str, object]) -> League:
    """The league as a journal stores it; its bots may no longer exist."""
    check_keys(values)
    read = {key: KEYS[key].read(value) for key, value in values.items()}
    return League(**read)  # type: ignore[arg-type]
