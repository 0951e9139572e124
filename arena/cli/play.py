"""`arena play`: a person plays against bots in the terminal."""

from __future__ import annotations

import secrets
import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Final

import click

from arena.cli.options import game_option, seat_number
from arena.files import check_writable, write_file
from arena.match.bot_factory import bot_factory
from arena.match.human_game import Deed, HumanGame
from arena.seeds import MOST_SEED, derive_seed
from bots.runtime.loading import split_names
from games.errors import GameError, IllegalMove, UnknownCard
from games.registry import Game, game
from games.replay import write_replay
from games.state import Rng

WIDTH: Final = 80
FEW: Final = 8
"""Choices that are listed one below the other; more are set in two columns if they fit."""

COMMANDS: Final = """\
  3 or words   make that choice; the beginning of its words is enough
  ? NAME       help on {topics}
  ? 3          help on the card in that choice
  undo         back to your last choice, see below
  table        draw the table as it is now
  log          all that has happened so far
  quit         leave the game
Undo works as long as nobody else and no luck has decided since, and your choice
has shown you no card that you did not know: otherwise it would be peeking."""
WAITING: Final = 60
"""Letters of the line that says who is thinking."""


@click.command("play")
@click.option(
    "--bots",
    "names",
    show_default="greedy,greedy, or as many as the game needs",
    help="Who plays against you, with commas between.",
)
@click.option("--seat", default="A", show_default=True, help="Your seat: A, B, ... or random.")
@game_option
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    show_default="another one each time",
    help="The same seed deals the same cards.",
)
@click.option(
    "--replay",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the moves, also of a game broken off, to this file, one JSON per line.",
)
def play(
    names: str | None, seat: str, game_name: str, seed: int | None, replay: Path | None
) -> None:
    """Play a game against bots.

    Whenever you must decide you see what has happened, the table as your seat knows it, and your
    choices with numbers. Type a number, or ? for help. `undo` takes a choice back as long as you
    have learned nothing from it; Ctrl-C or Ctrl-D end the game at once.

    \b
    Examples:
      arena play
      arena play --bots greedy,ismcts:iterations=500 --seat random
      arena play --bots my_bot.py:MyBot --seed 7 --replay game.jsonl
      arena play --game secrets
    """
    rules = game(game_name)
    wanted = ["greedy"] * max(2, rules.min_players - 1) if names is None else split_names(names)
    factories = [bot_factory(name) for name in wanted]
    players = len(factories) + 1
    rules.check_players(players)
    seed = secrets.randbelow(MOST_SEED) if seed is None else seed
    if seat.casefold() == "random":
        own = Rng(derive_seed(seed, "seat")).below(players)
    else:
        own = seat_number(seat, players)
    check_writable(replay)
    seats = [one for one in range(players) if one != own]
    notice = Notice()
    sitting = HumanGame(rules, own, dict(zip(seats, factories, strict=True)), seed, notice)
    try:
        Console(sitting, notice).run()
    except (KeyboardInterrupt, EOFError):
        click.echo("")  # the line with the question has no end yet
        raise
    finally:
        sitting.close()
        if replay is not None:
            write_file(replay, write_replay(sitting.replay()))
            click.echo(f"wrote {replay}")


class Notice:
    """The line that says who is thinking: on a terminal only, and wiped out before the next."""

    def __init__(self) -> None:
        self.up = False

    def __call__(self, who: str) -> None:
        if sys.stdout.isatty():
            click.echo(f"\r{who[:40] + ' is thinking ...':{WAITING}}", nl=False)
            self.up = True

    def wipe(self) -> None:
        if self.up:
            click.echo(f"\r{'':{WAITING}}\r", nl=False)
            self.up = False


class Console:
    """Talks with the person at the keyboard."""

    def __init__(self, sitting: HumanGame, notice: Notice) -> None:
        self.sitting = sitting
        self.notice = notice
        self.rules = sitting.rules
        self.told = 0
        """Deeds the person has been told of."""
        self.read: set[str] = set()
        """What cards do, as far as it has been shown: once is enough."""

    def run(self) -> None:
        """Play the game to its end, or until the person has had enough."""
        with suppress(ImportError):
            import_module("readline")  # arrow keys, where Python has it
        sitting = self.sitting
        seats = ", ".join(sitting.teller.who(seat) for seat in range(sitting.players))
        opening = f"{self.rules.title}, seed {sitting.seed}: {seats}. Type ? for help."
        click.echo(filled(opening))
        while True:
            sitting.advance()
            self.news()
            if sitting.over:
                self.end()
                return
            if not self.decide():
                click.echo(f"You leave the game after {len(sitting.deeds)} moves.")
                return

    # ---- showing --------------------------------------------------------------------------

    def news(self) -> None:
        """What has happened since the person was last told, and the table if others had a part."""
        self.notice.wipe()
        fresh = self.sitting.deeds[self.told :]
        self.told = len(self.sitting.deeds)
        own = self.sitting.teller.who(self.sitting.seat)
        if fresh:
            click.echo("\n" + paragraphs(fresh))
        if not self.sitting.over and any(deed.who != own for deed in fresh):
            click.echo("")
            self.table()

    def table(self) -> None:
        view = self.sitting.view
        # The imagined table holds only what the seat has perceived: it has nothing to give away.
        click.echo(self.rules.text.draw(view.imagine(), None))
        click.echo(filled(self.rules.help.aim(view)))

    def choices(self) -> None:
        """The legal moves with their numbers, and what a card does if it is new to the person."""
        view = self.sitting.view
        texts = [view.text(move) for move in view.moves]
        hints = [self.rules.help.hint(text) for text in texts]
        fresh = [hint if hint not in self.read else "" for hint in hints]
        self.read.update(hints)
        click.echo("\n" + (explained(texts, fresh) if any(fresh) else columns(texts)))

    def log(self) -> None:
        click.echo(paragraphs(self.sitting.deeds))

    def end(self) -> None:
        """The whole table, and who has won why."""
        state = self.sitting.state
        winners = state.winners()
        click.echo(f"\n{self.rules.text.draw(state, None)}\n")
        click.echo(filled(self.rules.help.outcome(state)))
        if self.sitting.seat in winners:
            click.echo("You win.")
        elif winners:
            click.echo(f"You lose to {self.sitting.teller.winners(winners)}.")
        else:
            click.echo("Nobody wins.")

    # ---- asking ---------------------------------------------------------------------------

    def decide(self) -> bool:
        """Ask until the person has made a choice or taken one back; False if the person leaves."""
        self.choices()
        while True:
            said = ask("Your choice: ")
            word, _, rest = said.casefold().partition(" ")
            try:
                match word:
                    case "quit" | "exit":
                        if ask("Leave the game? (y/n) ").casefold() in ("y", "yes"):
                            return False
                    case "undo":
                        self.undo()
                        return True
                    case "table":
                        self.table()
                        self.choices()
                    case "log":
                        self.log()
                        self.choices()
                    case "help":
                        self.help(rest)
                    case _ if said.startswith("?"):
                        self.help(said[1:])
                    case _:
                        self.sitting.choose(self.move(said))
                        return True
            except GameError as error:
                problem = error.problem if isinstance(error, IllegalMove) else str(error)
                click.echo(filled(problem))

    def move(self, said: str) -> int:
        """The choice with that number, or with those words."""
        view = self.sitting.view
        many = len(view.moves)
        if not said:
            raise GameError(f"type a number from 1 to {many}, or ? for help")
        if not said.isdecimal():
            return self.rules.text.parse(view.imagine(), said)
        if len(said) > 3 or not 1 <= int(said) <= many:
            raise GameError(f"there is no choice {said}: they go from 1 to {many}")
        return view.moves[int(said) - 1]

    def undo(self) -> None:
        self.sitting.undo()
        self.told = len(self.sitting.deeds)
        click.echo("Taken back.")

    def help(self, about: str) -> None:
        """Help on a card, or on everything."""
        about = about.strip()
        if not about:
            guide = self.rules.help
            click.echo(f"{filled(guide.rules)}\n\n{COMMANDS.format(topics=guide.topics)}")
            self.choices()
            return
        choice = self.sitting.view.text(self.move(about)) if about.isdecimal() else ""
        click.echo(filled(card_help(self.rules, about, choice)))


def card_help(rules: Game, about: str, choice: str = "") -> str:
    """What a card does, by its name or by a choice that it is in."""
    try:
        known = rules.help.describe(choice or about)
    except UnknownCard:
        if not choice:
            raise
        return f"'{choice}' has no card in it (help on {rules.help.topics})"
    return known or f"{rules.title} has no help on cards"


def ask(prompt: str) -> str:
    """A line from the keyboard; from a pipe it is shown as well, as a terminal would have."""
    try:
        said = input(prompt).strip()
    except UnicodeDecodeError:
        raise GameError("that was not text") from None
    if not sys.stdin.isatty():
        click.echo(said)
    return said


# ---- laying out words ---------------------------------------------------------------------------


def paragraphs(deeds: Iterable[Deed]) -> str:
    """A paragraph for each run of moves of one seat, what came of a move behind it."""
    found = []
    for who, run in groupby(deeds, key=lambda deed: deed.who):
        words = "; ".join(
            deed.words + (f" [{', '.join(deed.news)}]" if deed.news else "") for deed in run
        )
        found.append(f"{who}: {words}" if who else words)
    return filled("\n".join(found), indent=4)


def filled(text: str, indent: int = 0) -> str:
    """The lines of the text, broken where a terminal would break them, with a margin further in."""
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
        for line in text.splitlines()
    )


def explained(texts: Sequence[str], hints: Sequence[str]) -> str:
    """The choices with their numbers, each with its hint, if any, below it."""
    margin = " " * 7
    lines: list[str] = []
    for number, (text, hint) in enumerate(zip(texts, hints, strict=True), 1):
        lines.append(f"{number:3}  {text}")
        lines += textwrap.wrap(hint, WIDTH, initial_indent=margin, subsequent_indent=margin)
    return "\n".join(lines)


def columns(texts: Sequence[str]) -> str:
    """The choices with their numbers, many short ones in two columns, numbered downwards."""
    lines = [f"{number:3}  {text}" for number, text in enumerate(texts, 1)]
    half = (len(lines) + 1) // 2
    width = max(map(len, lines)) + 2
    if len(lines) <= FEW or 2 * width > WIDTH:
        return "\n".join(lines)
    right = [*lines[half:], ""]
    return "\n".join(
        f"{left:{width}}{right[row]}".rstrip() for row, left in enumerate(lines[:half])
    )
