"""`arena bots` lists the bots, `arena new-bot` writes the first lines of another."""

from __future__ import annotations

import keyword
import sys
from pathlib import Path

import click
from tabulate import tabulate

from arena.files import write_errors, write_file
from bots.options import options_of
from bots.runtime.loading import FIRST, BadBot, all_bots, load, split_options
from games.errors import GameError

BOT = '''"""A bot for Hidden Leaders. Try it: arena match {file}:{name} random greedy"""

from bots import Bot, Option


class {name}(Bot):
    """Prefers playing a hero to discarding one."""

    eagerness = Option(100, "how often to prefer it, in percent", least=0, most=100)

    def choose(self, view):
        plays = [move for move in view.moves if view.text(move).startswith("play ")]
        if plays and self.rng.below(100) < self.eagerness:
            return self.rng.choice(plays)
        return self.rng.choice(view.moves)
'''

TEST = '''"""A first test of {name}: it plays whole games by the rules."""

from pathlib import Path

from arena.match.referee import play_game
from bots.runtime.loading import load
from games.registry import game

FILE = Path(__file__).with_name("{stem}.py")


def test_{stem}_plays_by_the_rules():
    entrants = [load(f"{{FILE}}:{name}"), load("random"), load("greedy")]
    for seed in range(3):
        assert play_game(game("hidden-leaders"), entrants, seed).decisions > 0
'''


@click.command("bots")
@click.argument("name", nargs=-1)
def bots(name: tuple[str, ...]) -> None:
    """List the bots, or show the ones called NAME with their options.

    \b
    Examples:
      arena bots
      arena bots ismcts
      arena bots my_bot.py:MyBot
    """
    rows: list[list[str]] = []
    for one, source, _ in all_bots() if not name else [(asked, "", "") for asked in name]:
        try:
            bot_factory = load(one)
        except GameError as error:
            if name:
                raise
            rows.append([one, source, f"cannot be loaded: {str(error).splitlines()[-1]}"])
            continue
        sentence = (bot_factory.bot.__doc__ or "").strip().partition("\n")[0]
        rows.append([one, bot_factory.source, sentence])
        for option in options_of(bot_factory.bot).values():
            choices = f": {' or '.join(map(str, option.choices))}" if option.choices else ""
            value = bot_factory.settings.get(option.name, option.default)
            setting = f"{split_options(one)[0]}:{option.name}={value}"
            rows.append([setting, "option", option.meaning + choices])
    click.echo(tabulate(rows, headers=["bot", "source", "what it does"], disable_numparse=True))


@click.command("new-bot")
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where to write the files; the current folder if not given.",
)
def new_bot(name: str, folder: Path) -> None:
    """Write NAME as a bot that runs, and a test of it.

    \b
    Example:
      arena new-bot Miser
      arena match miser.py:Miser random greedy
      arena check miser.py:Miser
    """
    if not name.isidentifier() or keyword.iskeyword(name) or not name[0].isupper():
        raise BadBot(f"{name!r} is not a class name: write it like Miser or NightWatch")
    stem = "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")
    if stem in FIRST:
        owner = "Python" if stem in sys.stdlib_module_names else "the arena"
        raise BadBot(f"{stem}.py would stand in the way of {owner}'s own {stem}; take another name")
    files = {folder / f"{stem}.py": BOT, folder / f"test_{stem}.py": TEST}
    for path in files:
        if path.exists():
            raise BadBot(f"{path} exists already; nothing was written")
    with write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        write_file(path, text.format(name=name, stem=stem, file=folder / f"{stem}.py"))
        click.echo(f"wrote {path}")
    click.echo(f"next: arena match {folder / stem}.py:{name} random greedy")
    click.echo(f"then: arena check {folder / stem}.py:{name}")
