"""`arena bots` lists bots and their options; `arena new-bot` writes a new bot and its test."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import click

from arena.cli.completion import complete_bots
from arena.cli.console import format_table, show_json, show_report
from arena.cli.options import FOLDER_PATH, game_option, json_option
from arena.cli.trust import warn_of_strangers
from arena.files import write_errors, write_file
from bots.options import options_of
from bots.runtime.loading import RESERVED_MODULES, BadBot, all_bots, load_bot, split_options
from games.errors import GameError
from games.registry import DEFAULT_GAME, game

_HIDDEN_LEADERS: Final = '''\
"""A bot for Hidden Leaders. Try it: arena match {file}:{name} random greedy"""

from bots import Bot, Option
from games import View


class {name}(Bot):
    """Prefers playing a hero to discarding one."""

    eagerness = Option(100, "how often to prefer it, in percent", least=0, most=100)

    def choose(self, view: View) -> int:
        plays = [move for move in view.moves if view.text(move).startswith("play ")]
        if plays and self.rng.below(100) < self.eagerness:
            return self.rng.choice(plays)
        return self.rng.choice(view.moves)
'''

_SECRETS: Final = '''\
"""A bot for Secrets. Try it: arena match {file}:{name} random greedy random --game secrets"""

from bots import Bot, Option
from games import View


class {name}(Bot):
    """Accepts most of what it is offered."""

    trust = Option(90, "how often to accept an offer, in percent", least=0, most=100)

    def choose(self, view: View) -> int:
        accepting = [move for move in view.moves if view.text(move) == "accept"]
        if accepting and self.rng.below(100) < self.trust:
            return accepting[0]
        return self.rng.choice(view.moves)
'''

_OTHER_GAME: Final = '''\
"""A bot for {title}. Try it: arena match {file}:{name} {against} --game {game}"""

from bots import Bot
from games import View


class {name}(Bot):
    """Plays any move."""

    def choose(self, view: View) -> int:
        # view.text(move) is a move in words, view.sample(self.rng) a world that may be the real one
        return self.rng.choice(view.moves)
'''

_TEMPLATES: Final = {
    "hidden-leaders": (_HIDDEN_LEADERS, ("random", "greedy")),
    "secrets": (_SECRETS, ("random", "greedy", "random")),
}
"""Bundled game -> the file of a bot for it, and its first opponents."""

TEST_TEMPLATE: Final = '''\
"""A first test of {name}: it plays whole games by the rules."""

from pathlib import Path

from arena import play_game

BOT = Path(__file__).with_name("{stem}.py")


def test_{stem}_plays_by_the_rules() -> None:
    for seed in range(3):
        result = play_game([f"{{BOT}}:{name}", {opponents}], seed=seed, game="{game}")
        assert result.decisions > 0
'''


@click.command("bots")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete_bots)
@json_option
def bots_command(names: tuple[str, ...], as_json: bool) -> None:
    """List the bots and their options.

    Shows all built-in and installed bots, or only the bots NAME, which may also be module:Class or
    file.py:Class. An option is listed with the value it has by default, or that NAME gives it.

    \b
    Examples:
      arena bots
      arena bots ismcts
      arena bots my_bot.py:MyBot
    """
    warn_of_strangers(names)
    listed = [_listed_bot(name) for name in names] or _all_listed()
    if as_json:
        show_json("bots", {"bots": [asdict(bot) for bot in listed]})
    else:
        rows = [row for bot in listed for row in bot.rows()]
        show_report(format_table(rows, ["bot", "source", "what it does"]))


@dataclass(frozen=True)
class ListedOption:
    """An option of a bot, and the value it has."""

    option: str
    value: object
    default: object
    meaning: str
    choices: tuple[object, ...]


@dataclass(frozen=True)
class ListedBot:
    """A bot in the list; `problem` says why it cannot be loaded."""

    bot: str
    source: str
    summary: str = ""
    options: tuple[ListedOption, ...] = ()
    problem: str | None = None

    def rows(self) -> Iterator[list[str]]:
        """A row for the bot, and one for each of its options."""
        problem = f"cannot be loaded: {self.problem}"
        yield [self.bot, self.source, self.summary if self.problem is None else problem]
        for each in self.options:
            choices = f": {' or '.join(map(str, each.choices))}" if each.choices else ""
            setting = f"{split_options(self.bot)[0]}:{each.option}={each.value}"
            yield [setting, "option", each.meaning + choices]


def _all_listed() -> list[ListedBot]:
    """Every bot that has a name, with the reason if that name cannot be used."""
    listed: list[ListedBot] = []
    for name, source, place in all_bots():
        try:
            if any(name == other.bot for other in listed):
                raise BadBot(f"another bot has this name; call this one {place}")
            listed.append(_listed_bot(name))
        except GameError as error:
            listed.append(ListedBot(name, source, problem=str(error).splitlines()[-1]))
    return listed


def _listed_bot(name: str) -> ListedBot:
    factory = load_bot(name)
    summary = (factory.bot.__doc__ or "").strip().partition("\n")[0]
    listed = tuple(
        ListedOption(
            option.name,
            factory.settings.get(option.name, option.default),
            option.default,
            option.meaning,
            option.choices,
        )
        for option in options_of(factory.bot).values()
    )
    return ListedBot(name, factory.source, summary, listed)


@click.command("new-bot")
@click.argument("name")
@click.option("--folder", type=FOLDER_PATH, default=Path(), help="Where to write the two files.")
@game_option
def new_bot_command(name: str, folder: Path, game_name: str) -> None:
    """Write a bot that runs, and a test for it.

    NAME is the name of the class; the file gets the same name in lower case. Existing files are
    never overwritten.

    \b
    Examples:
      arena new-bot Miser
      arena match miser.py:Miser random greedy
      arena check miser.py:Miser
      arena new-bot Mole --game secrets
    """
    if not name.isidentifier() or keyword.iskeyword(name) or not name[0].isupper():
        raise BadBot(f"{name!r} is not a class name; write it like Miser or NightWatch")
    stem = "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")
    if stem in RESERVED_MODULES:
        owner = "Python" if stem in sys.stdlib_module_names else "arena"
        raise BadBot(f"{stem}.py would hide {owner}'s own module {stem}; choose another name")
    bot = folder / f"{stem}.py"
    rules = game(game_name)
    others = ("random",) * (rules.min_players - 1)
    template, opponents = _TEMPLATES.get(game_name, (_OTHER_GAME, others))
    files = {bot: template, folder / f"test_{stem}.py": TEST_TEMPLATE}
    for path in files:
        if path.exists():
            raise BadBot(f"{path} already exists; nothing was written")
    with write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    quoted = ", ".join(f'"{each}"' for each in opponents)
    words = {"name": name, "stem": stem, "file": bot, "opponents": quoted, "game": game_name}
    words |= {"title": rules.title, "against": " ".join(opponents)}
    for path, text in files.items():
        write_file(path, text.format(**words))
        click.echo(f"wrote {path}")
    option = "" if game_name == DEFAULT_GAME else f" --game {game_name}"
    click.echo(f"next: arena match {bot}:{name} {' '.join(opponents)}{option}")
    click.echo(f"then: arena check {bot}:{name}{option}")
