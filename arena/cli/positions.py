"""Loads the position that a command is about: its words, a file, stdin, or a saved game."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
from click.core import ParameterSource
from click.decorators import FC

from arena.cli.saved_games import load_game
from arena.match.game_view import GameView
from arena.match.start import Start, start_in_game, start_in_position
from games.errors import GameError, WrongGame
from games.questions import PosedPosition
from games.registry import Game, game, read_position
from games.replay import Replay
from games.view import View


def load_position(rules: Game, source: str) -> PosedPosition:
    """The position in that file, on stdin (`-`), or written out in `source` itself."""
    text, where = _source_text(source)
    if not text.strip():
        raise GameError(f"{where or 'the position: '}it is empty")
    try:
        return read_position(rules, text)
    except WrongGame as error:
        raise GameError(f"{where}{error}; try --game {error.other}") from None
    except GameError as error:
        raise GameError(f"{where}{error}") from None


def _source_text(source: str) -> tuple[str, str]:
    """The text of the position, and a prefix for messages about it."""
    if source == "-":
        try:
            return sys.stdin.read(), ""
        except UnicodeDecodeError:
            raise GameError("stdin is not text in UTF-8") from None
    if not source.strip() or " " in source.strip() or ";" in source:
        return source, ""
    try:
        return Path(source).read_text(encoding="utf-8-sig"), f"{source}: "
    except FileNotFoundError:
        raise GameError(f"'{source}' is neither a file nor a position") from None
    except IsADirectoryError:
        raise GameError(f"'{source}' is a folder; name a file with a position") from None
    except UnicodeDecodeError:
        raise GameError(f"'{source}' is not a text file in UTF-8") from None


# ---- saved games ------------------------------------------------------------------------------


class FromCommand(click.Command):
    """A command with `--from RUN GAME`, whose second word a replay does not have."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        joined: list[str] = []
        for word in args:
            last = "".join(joined[-1:])
            after_from = joined[-2:-1] == ["--from"] or last.startswith("--from=")
            if after_from and re.fullmatch(r"\d+", word):
                joined[-1] += f" {word}"
            else:
                joined.append(word)
        return super().parse_args(ctx, joined)


def from_options(command: FC) -> FC:
    """`--from RUN GAME --at N` or `--from FILE.jsonl --at N`; for a FromCommand."""
    at = click.option(
        "--at",
        type=click.IntRange(0),
        metavar="N",
        help="With --from: after N moves, as `arena show` numbers them.",
    )
    source = click.option(
        "--from",
        "source",
        metavar="RUN GAME|FILE.jsonl",
        help="Start in a saved game: a game of a run, or a replay.",
    )
    return source(at(command))


def start_options(command: FC) -> FC:
    """The options of commands that play on from somewhere."""
    position = click.option(
        "--position",
        metavar="TEXT|FILE|-",
        help="Start from a position: as text, in a file, or on stdin (-).",
    )
    return position(from_options(command))


def check_at(source: str | None, at: int | None) -> None:
    """GameError unless --from and --at come together."""
    if source is not None and at is None:
        raise GameError("--from needs --at N, the number of moves after which to start")
    if source is None and at is not None:
        raise GameError("--at needs --from RUN GAME or --from FILE.jsonl")


def load_moment(source: str, at: int) -> Replay:
    """The saved game that `--from` names; GameError if it has fewer than `at` moves."""
    numbered = re.fullmatch(r"(.+) (\d{1,12})", source)
    path, number = (numbered[1], int(numbered[2])) if numbered else (source, None)
    loaded = load_game(Path(path), number)
    length = GameView(loaded.replay).length
    if at > length:
        raise GameError(f"--at {at} is beyond the end: {loaded.where} has {length} moves")
    return loaded.replay


def load_start(
    ctx: click.Context, position: str | None, source: str | None, at: int | None
) -> Start | None:
    """Where the games of the command start; None: with the deal."""
    check_at(source, at)
    if source is not None and at is not None:
        if position is not None:
            raise GameError("--position and --from exclude each other")
        replay = load_moment(source, at)
        _check_game(ctx, replay)
        return start_in_game(replay, at, ("--from", source, "--at", str(at)))
    if position is None:
        return None
    rules = game(ctx.params["game_name"])
    posed = load_position(rules, position)
    return start_in_position(rules, posed, ("--position", str(posed)))


def _check_game(ctx: click.Context, replay: Replay) -> None:
    """GameError if --game names another game than the saved one."""
    chosen = ctx.params["game_name"]
    explicit = ctx.get_parameter_source("game_name") is not ParameterSource.DEFAULT
    if explicit and chosen != replay.game:
        raise GameError(f"--from is a game of {game(replay.game).title}; drop --game {chosen}")


def posed_in_game(
    ctx: click.Context, source: str, at: int, own: bool
) -> tuple[Game, PosedPosition, View | None]:
    """The position of a saved game: with all cards open, or as the seat to move knew it.

    In the second case also all that it had observed, of which the position tells only a part.
    """
    replay = load_moment(source, at)
    _check_game(ctx, replay)
    seat = int(GameView(replay).state(at).actor)
    own = own and seat >= 0
    shown = GameView(replay, seat if own else None)
    rules = game(replay.game)
    view = shown.view(at, seat) if own else None
    return rules, read_position(rules, shown.position(at)), view
