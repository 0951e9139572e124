"""`arena match`: one game between bots, move by move or only its result, or a series of games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

import click

from arena.cli import options
from arena.cli.broken_games import error_told, own_lines_shown
from arena.cli.completion import complete_bots
from arena.cli.console import StatusLine, format_table, show_json, show_report, wrap
from arena.cli.exit_codes import INTERRUPTED, INVALID
from arena.cli.positions import FromCommand, load_start, start_options
from arena.cli.trust import move_limits, warn_of_neighbours, warn_of_strangers
from arena.cli.verbosity import log, output_options
from arena.files import check_writable, write_file
from arena.league.config import game_options
from arena.match.bot_factory import bot_factory
from arena.match.bot_output import bots_print_to_stderr
from arena.match.narrator import Narrator
from arena.match.referee import BotFault, Result
from arena.match.repeat import fault_lines
from arena.match.saved_fault import with_fault
from arena.match.series import SeriesGame, SeriesPlan, play_series
from arena.seeds import MOST_GAME_SEED
from arena.stats.game_record import GameRecord
from arena.stats.tally import NOTHING, wins
from bots.bot import Budget, Match
from games.errors import GameError
from games.registry import game
from games.replay import Replay, redact, write_replay
from games.state import State


@click.command("match", cls=FromCommand)
@click.argument(
    "names", nargs=-1, required=True, metavar="BOT BOT ...", shell_complete=complete_bots
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_GAME_SEED),
    default=1,
    help="The same seed gives the same game, on every machine and engine.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=1,
    help="Number of games, with seeds SEED, SEED + 1, ...; the bots move on by one seat each game.",
)
@options.game_option
@click.option("--option", "settings", multiple=True, help="A game option, like deck=beginner.")
@start_options
@click.option("--show", is_flag=True, help="Print every move, and the table at the end.")
@click.option("--view", "seat", help="With --show or --replay: only what seat A, B, ... can see.")
@options.iterations_option
@options.seconds_option
@options.isolate_option
@options.move_limit_option
@click.option(
    "--replay", type=options.FILE_PATH, help="Save the game, or what --view sees, as JSON lines."
)
@options.json_option
@output_options
@click.pass_context
def match_command(
    ctx: click.Context,
    names: tuple[str, ...],
    seed: int,
    games: int,
    game_name: str,
    settings: tuple[str, ...],
    position: str | None,
    source: str | None,
    at: int | None,
    show: bool,
    seat: str | None,
    iterations: int | None,
    seconds: float | None,
    isolate: bool,
    move_limit: float | None,
    replay: Path | None,
    as_json: bool,
) -> int:
    """Play one game between bots, or several.

    The bots take seats A, B, ... in the order given. The same seed and bots give the same game,
    unless a bot searches by the clock. A bot is a name from `arena bots`, module:Class,
    file.py:Class, or a program in any language as 'cmd:COMMAND LINE'.

    With --position or --from the bots play on in the middle of a game, and the seed decides what
    chance brings from there on. After --from each bot knows what its seat has seen so far; in a
    position, the open cards, its own, and what the position says it knows. A card or leader written
    as ? is drawn by the seed.
    With --games, every game is one line and a table has the share of wins of each bot with its 95 %
    confidence interval. If a bot fails, the other seats share the game, and the exit code is 2. For
    a verdict on two bots use `arena compare`; `arena league` saves its games.

    What bots print goes to stderr.

    \b
    Examples:
      arena match greedy random random --show
      arena match ismcts:iterations=500 greedy --seed 7
      arena match my_bot.py:MyBot greedy greedy greedy --show --view A
      arena match my_bot.py:MyBot greedy --games 100
      arena match 'cmd:node my_bot.mjs' greedy
      arena match their_bot.py:TheirBot greedy --isolate --move-limit 5
      arena match greedy ismcts --from runs/default.db 12 --at 36 --show
      arena match greedy random --position "red 9; A leader Cyra hand CrCa; B leader ? hand ?x3"
    """
    start = load_start(ctx, position, source, at)
    rules = game(start.played.game if start else game_name)
    rules.check_players(len(names))
    if start is not None:
        start.check_players(len(names), f"{len(names)} bots are named")
        if settings:
            raise GameError("--option does not go with --position or --from, which set them")
    if seed + games - 1 > MOST_GAME_SEED:
        raise click.UsageError(f"the seed of the last game is above {MOST_GAME_SEED}")
    series = games > 1 or as_json
    if series and (show or seat is not None or replay is not None):
        extra = "--json" if games == 1 else "--games"
        raise click.UsageError(f"--show, --view and --replay are for one game; leave out {extra}")
    watching = None if seat is None else options.seat_number(seat, len(names))
    if watching is not None and not show and replay is None:
        raise click.UsageError("--view says what to show or save: add --show or --replay FILE")
    limits = move_limits(names, isolate, move_limit)
    check_writable(replay)
    if isolate:
        warn_of_neighbours({name: name for name in names})
    else:
        warn_of_strangers(names, "--isolate")
    with bots_print_to_stderr() as output:
        chosen = game_options(settings)
        match = Match(rules.name, len(names), start.played.options if start else chosen)
        factories = [bot_factory(name, isolate, limits, matches=[match]) for name in names]
        budget = Budget(iterations or 0, seconds or 0.0)
        plan = SeriesPlan(rules, factories, seed, chosen, budget, isolate, limits.move, start)
        if series:
            return _play_series(plan, games, as_json, output)
        _tell_game(plan, show, watching, replay, output)
    return 0


def _tell_game(
    plan: SeriesPlan, show: bool, watching: int | None, replay: Path | None, output: TextIO
) -> None:
    """Play one game, print it and save it, also if a bot fails."""
    rules = plan.rules
    narrator = Narrator(rules, [factory.name for factory in plan.factories], watching)
    try:
        with own_lines_shown():
            result = _play_one(plan, narrator if show else None, output)
    except BotFault as fault:
        if replay is not None and fault.replay is not None:
            with error_told():  # a full disk must not lose the fault
                _save(with_fault(fault.replay, fault), watching, replay)
                click.echo(f"wrote {replay}, which ends at the fault", file=output)
        raise
    try:
        if replay is not None:  # first: a closed pipe must not lose the replay
            _save(result.replay, watching, replay)
    finally:  # and a full disk must not lose the result
        if show:
            drawn = rules.text.draw(result.replay.state(), None)
            click.echo(f"\n{drawn}", file=output)
        verdict = narrator.verdict(result.winners, result.decisions)
        show_report(wrap(verdict, indent=4), output)
    if replay is not None:
        click.echo(f"wrote {replay}", file=output)


def _play_one(plan: SeriesPlan, narrator: Narrator | None, output: TextIO) -> Result:
    """Play the first game."""

    def watch(state: State, move: int, reason: str) -> None:
        if narrator is not None:
            line = narrator.line(state, move, reason)
            click.echo(wrap(line, indent=4) if output.isatty() else line, file=output)

    return plan.play(0, watch)


def _save(played: Replay, watching: int | None, path: Path) -> None:
    write_file(path, write_replay(played) if watching is None else redact(played, watching))


# ---- several games -----------------------------------------------------------------------------


def _play_series(plan: SeriesPlan, games: int, as_json: bool, output: TextIO) -> int:
    """Play all games and report them; Ctrl-C reports those that are finished."""
    played: list[SeriesGame] = []
    interrupted = False
    line = StatusLine(sys.stderr)
    try:
        for each in play_series(plan, games):
            played.append(each)
            log.info("game %d of %d: %d decisions", len(played), games, each.decisions)
            line.clear()
            if not as_json:
                click.echo(game_line(plan, each), file=output)
            line.draw(f"{len(played)} of {games} games")
    except KeyboardInterrupt:
        interrupted = True
    finally:
        line.clear()
    if as_json:
        show_json("match", series_json(plan, played), output)
    else:
        show_report(series_text(played), output)
    if interrupted:
        return INTERRUPTED
    return INVALID if any(each.fault for each in played) else 0


def game_line(plan: SeriesPlan, played: SeriesGame) -> str:
    """One game of a series in one line."""
    narrator = Narrator(plan.rules, played.seats, None)
    verdict = played.fault or narrator.verdict(played.winners, played.decisions)
    return f"seed {played.seed}: {verdict}"


def series_rows(played: list[SeriesGame]) -> list[dict[str, object]]:
    """The share of wins of every bot."""
    records = [
        GameRecord(
            each.number,
            len(each.seats),
            each.number,
            each.seats,
            each.winners,
            (),
            each.decisions,
            0,
            None if each.fault is None else each.fault.seat,
        )
        for each in played
    ]
    rates = wins(records, lambda record, seat: record.seats[seat])
    at_fault = [each.fault.name for each in played if each.fault]
    rows: list[dict[str, object]] = []
    for name in dict.fromkeys(name for each in played[:1] for name in each.seats):
        rate = rates.get(name, NOTHING)
        numbers = {"share": rate.share, "low": rate.low, "high": rate.high}
        rounded = {key: round(number, 4) for key, number in numbers.items()}
        rows.append({"bot": name, "seats": rate.seen, **rounded, "faults": at_fault.count(name)})
    return rows


def series_text(played: list[SeriesGame]) -> str:
    """The table, and the first fault of every bot."""
    rows = [
        [
            row["bot"],
            row["seats"],
            f"{row['share']:.1%}",
            f"{row['low']:.1%} to {row['high']:.1%}",
            row["faults"],
        ]
        for row in series_rows(played)
    ]
    headers = ["bot", "seats", "won", "95 % confidence", "faults"]
    lines = ["", format_table(rows, headers, align=["left", *["right"] * 4])]
    shown: set[str] = set()
    for each in played:
        if each.fault is not None and each.fault.name not in shown:
            shown.add(each.fault.name)
            lines += ["", *fault_lines(each.fault, each.command)]
    return "\n".join(lines)


def series_json(plan: SeriesPlan, played: list[SeriesGame]) -> dict[str, object]:
    return {
        "game": plan.rules.name,
        "options": dict(plan.options),
        "games": [each.as_json() for each in played],
        "bots": series_rows(played),
    }
