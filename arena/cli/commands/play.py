"""`arena play`: a person plays against bots in the terminal."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import click

from arena.cli.broken_games import own_lines_shown
from arena.cli.browser import browser_option, needs_web, serve_page
from arena.cli.completion import complete_bot_list
from arena.cli.console import StatusLine, wrap
from arena.cli.dialog import Dialog, ask
from arena.cli.options import (
    FILE_PATH,
    game_option,
    isolate_option,
    move_limit_option,
    seat_number,
)
from arena.cli.positions import FromCommand, load_start, start_options
from arena.cli.trust import move_limits, warn_of_strangers
from arena.files import check_writable, write_file
from arena.match.bot_factory import bot_factory
from arena.match.human_game import HumanGame, NarratedMove
from arena.match.referee import BotFault
from arena.match.saved_fault import with_fault
from arena.seeds import MOST_SEED, derive_seed
from bots.bot import Match
from bots.runtime.loading import split_names
from games.registry import game
from games.replay import Replay, write_replay
from games.state import Rng, State
from games.wording import counted


@click.command("play", cls=FromCommand)
@click.option(
    "--bots",
    "names",
    shell_complete=complete_bot_list,
    show_default="greedy,greedy, or as many as the game needs",
    help="Your opponents, separated by commas.",
)
@isolate_option
@move_limit_option
@click.option("--seat", default="A", help="Your seat: A, B, ... or random.")
@game_option
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    show_default="random",
    help="The same seed deals the same cards.",
)
@start_options
@click.option(
    "--replay", type=FILE_PATH, help="Save the moves to this file as JSON lines, even if you quit."
)
@browser_option
@click.pass_context
def play_command(
    ctx: click.Context,
    names: str | None,
    isolate: bool,
    move_limit: float | None,
    seat: str,
    game_name: str,
    seed: int | None,
    position: str | None,
    source: str | None,
    at: int | None,
    replay: Path | None,
    browser: bool,
) -> None:
    """Play against bots yourself.

    At each of your turns you see what has happened, the table as your seat knows it, and your
    choices with numbers. Type a number, or ? for help. `undo` takes back a choice as long as it has
    told you nothing new. Ctrl-C or Ctrl-D ends the game.

    With --position or --from you take over in the middle of a game. After --from everybody knows
    what their seat has seen so far; in a position, the open cards and their own.

    \b
    Examples:
      arena play
      arena play --bots greedy,ismcts:iterations=500 --seat random
      arena play --bots my_bot.py:MyBot --seed 7 --replay game.jsonl
      arena play --game secrets
      arena play --browser
      arena play --from runs/default.db 12 --at 36 --seat B
    """
    if browser:
        needs_web("--browser")
    start = load_start(ctx, position, source, at)
    rules = game(start.played.game if start else game_name)
    fewest, most = rules.min_players - 1, rules.max_players - 1
    usual = start.players - 1 if start else min(max(2, fewest), most)
    opponents = split_names(names or ",".join(["greedy"] * usual))
    limits = move_limits(opponents, isolate, move_limit)
    if not isolate:
        warn_of_strangers(opponents, "--isolate")
    players = len(opponents) + 1
    rules.check_players(players)
    if start is not None:
        start.check_players(players, f"you and {counted(len(opponents), 'bot')} are {players}")
    match = Match(rules.name, players, start.played.options if start else {})
    factories = [bot_factory(name, isolate, limits, matches=[match]) for name in opponents]
    seed = secrets.randbelow(MOST_SEED) if seed is None else seed
    own = _own_seat(seat, players, seed)
    check_writable(replay)
    others = [other for other in range(players) if other != own]
    bots_by_seat = dict(zip(others, factories, strict=True))
    thinking = StatusLine(sys.stdout)

    def wait_for(who: str) -> None:
        thinking.draw(f"{who[:40]} is thinking ...")

    opening = start.opening(seed) if start else Replay(rules.name, players, ())
    with own_lines_shown():
        human_game = HumanGame(opening, own, bots_by_seat, seed, wait_for)
    with _saved(human_game, replay), own_lines_shown():
        if browser:
            _play_in_browser(human_game)
        else:
            GameDialog(human_game, thinking).run()


def _own_seat(seat: str, players: int, seed: int) -> int:
    """The seat of that name; a random one depends only on the seed."""
    if seat.casefold() == "random":
        return Rng(derive_seed(seed, "seat")).below(players)
    return seat_number(seat, players)


@contextmanager
def _saved(human_game: HumanGame, replay: Path | None) -> Iterator[None]:
    """Close the game in the end and save it, however far it has come."""
    fault: BotFault | None = None
    try:
        yield
    except (KeyboardInterrupt, EOFError):
        click.echo("")  # end the line with the prompt
        raise
    except BotFault as error:
        fault = error
        raise
    finally:
        human_game.close()
        if replay is not None:
            played = human_game.replay()
            write_file(replay, write_replay(with_fault(played, fault) if fault else played))
            click.echo(f"wrote {replay}")


def _play_in_browser(human_game: HumanGame) -> None:
    from arena.web.server.app import make_app  # noqa: PLC0415  (needs the extra)
    from arena.web.server.play import Play  # noqa: PLC0415

    play = Play()
    path = play.add(human_game)
    serve_page(lambda hosts: make_app(Path("runs"), hosts, play), path)


class GameDialog(Dialog):
    """A whole game with the person at the keyboard."""

    commands = """\
  3 or words   make that choice; the first words are enough
  ? NAME       help on {topics}
  ? 3          help on the card in that choice
  undo         take back your last choice
  table        show the table
  log          show everything that has happened
  quit (q)     leave the game
You can undo as long as no one else and no chance event has decided since, and
your choice has not shown you a card you did not know: that would be peeking."""

    def __init__(self, human_game: HumanGame, thinking: StatusLine) -> None:
        super().__init__(human_game.rules)
        self.game = human_game
        self.thinking = thinking

    def table(self) -> State:
        return self.game.view.imagine()  # which holds only what the seat has seen

    def moves(self) -> list[int]:
        return list(self.game.view.moves)

    def texts(self) -> list[str]:
        return [self.game.view.text(move) for move in self.moves()]

    def run(self) -> None:
        seats = ", ".join(map(self.game.narrator.who, range(self.game.players)))
        click.echo(wrap(f"{self.rules.title}, seed {self.game.seed}: {seats}. Type ? for help."))
        while True:
            try:
                self.game.advance()
            finally:
                self.thinking.clear()
            self.report_moves()
            if self.game.over:
                self.report_result()
                return
            if not self.decide():
                moves = counted(len(self.game.history), "move")
                click.echo(f"You left the game after {moves}.")
                return

    def report_moves(self) -> None:
        """What has happened since the last report, and the table if another seat moved."""
        fresh = self.game.history[self.reported :]
        self.reported = len(self.game.history)
        own = self.game.narrator.who(self.game.seat)
        if fresh:
            click.echo("\n" + move_log(fresh))
        taken_over = not self.game.history  # in the middle of a game, before anything happened
        if not self.game.over and (taken_over or any(made.who != own for made in fresh)):
            click.echo("")
            self.draw_table()

    def draw_table(self) -> None:
        click.echo(self.rules.text.draw(self.game.view.known_table(), None))
        click.echo(wrap(self.rules.help.aim(self.game.view)))

    def report_result(self) -> None:
        state = self.game.state
        winners = state.winners()
        click.echo(f"\n{self.rules.text.draw(state, None)}\n")
        click.echo(wrap(self.rules.help.outcome(state)))
        lost = f"You lose to {self.game.narrator.winners(winners)}." if winners else "Nobody wins."
        click.echo("You win." if self.game.seat in winners else lost)

    def respond(self, word: str, typed: str) -> bool | None:
        match word:
            case "quit" | "exit" | "q":
                left = ask("Leave the game? (y/n) ").casefold() in ("y", "yes")
                return False if left else None
            case "undo":
                self.game.undo()
                self.reported = len(self.game.history)
                click.echo("Undone.")
            case "log":
                click.echo(move_log(self.game.history))
                self.offer_choices()
                return None
            case _:
                self.game.choose(self.parse_choice(typed))
        return True


def move_log(moves_made: Iterable[NarratedMove]) -> str:
    """A paragraph for each run of moves by one seat; what a move revealed stands in brackets."""
    paragraphs = []
    for who, moves in groupby(moves_made, key=lambda made: made.who):
        text = "; ".join(
            made.text + (f" [{', '.join(made.news)}]" if made.news else "") for made in moves
        )
        paragraphs.append(f"{who}: {text}" if who else text)
    return wrap("\n".join(paragraphs), indent=4)
