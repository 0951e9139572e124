"""`arena standings`: ratings with confidence intervals, and statistics of a league."""

from __future__ import annotations

import multiprocessing
from dataclasses import dataclass
from pathlib import Path

import click

from arena.cli.console import json_text, progress_bar
from arena.cli.exit_codes import FAILED
from arena.cli.options import json_option, workers_option
from arena.league.database import is_run_file
from arena.league.read_run import read_run
from arena.review.bot_losses import (
    BotLoss,
    GameLosses,
    bot_losses,
    losses_json,
    losses_table,
    review_games,
    spread,
)
from arena.review.game_review import ReviewPlan
from arena.stats import report
from arena.stats.run import Run
from arena.stats.standings import standings_of
from arena.worker_processes import worker_pool
from games.errors import GameError


@click.command("standings")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--players", type=click.IntRange(2), help="Only games with this many players.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print a line per bot and player count.")
@click.option("--markdown", is_flag=True, help="Print the tables for a web page or a README.")
@click.option(
    "--review",
    "with_review",
    is_flag=True,
    help="Also review games: what each bot loses per decision.",
)
@click.option(
    "--games",
    type=click.IntRange(0),
    default=20,
    help="With --review: how many games, spread evenly over the run; 0: all.",
)
@workers_option("with --review; does not change the results")
def standings_command(
    run: Path,
    players: int | None,
    as_json: bool,
    as_csv: bool,
    markdown: bool,
    with_review: bool,
    games: int,
    worker_count: int,
) -> int:
    """Print ratings and statistics of a run.

    RUN is the run file of a league, or results as JSON lines, as `arena export` writes them. The
    tables are about all player counts together; with --players about one, and also about each
    bot's results by place in turn order and by leader or side. Strengths are on the Elo scale.
    Notes below each table explain its columns and brackets.

    With --review, some games are reviewed as by `arena review`, which takes a few seconds each:
    Ctrl-C prints the result of those that are done, with exit code 1.

    \b
    Examples:
      arena standings runs/default.db
      arena standings runs/default.db --players 4
      arena standings runs/default.db --markdown > STANDINGS.md
      arena standings runs/default.db --review --games 100
      arena standings results.jsonl --csv > standings.csv
    """
    if as_json + as_csv + markdown > 1:
        raise click.UsageError("use only one of --json, --csv and --markdown")
    if with_review and as_csv:
        raise click.UsageError("--csv has no columns for --review; use --json")
    results = standings_of(read_run(run), players)
    review = _review(run, results.run, games, worker_count) if with_review else None
    tables = [] if as_json or as_csv else report.tables(results)
    if review is not None:
        tables.append(losses_table(review.losses, review.reviewed, review.total))
    if as_json:
        more = {} if review is None else {"review": review.as_json()}
        click.echo(json_text({**report.standings_json(results), **more}))
    elif as_csv:
        counts = results.run.counts() if results.players is None else ()
        each = [standings_of(results.run, count) for count in counts]
        click.echo(report.standings_csv([results, *each]), nl=False)
    elif markdown:
        click.echo("\n\n".join(table.markdown() for table in tables))
    else:
        click.echo("\n\n".join(table.text() for table in tables))
    return FAILED if review is not None and review.stopped else 0


@dataclass(frozen=True)
class _LeagueReview:
    """What reviewing some games of a league has shown."""

    losses: list[BotLoss]
    reviewed: int
    total: int
    stopped: bool

    def as_json(self) -> dict[str, object]:
        return losses_json(self.losses, self.reviewed, self.total)


def _review(path: Path, run: Run, games: int, workers: int) -> _LeagueReview:
    """Review some games of the run, until Ctrl-C."""
    if not is_run_file(path):
        raise GameError(f"--review needs the moves of the games; {path} has only their results")
    numbers = sorted(game.number for game in run.games)
    chosen = spread(numbers, games)
    done: list[GameLosses] = []
    stopped = False
    with worker_pool(min(workers, max(1, len(chosen)))) as pool:
        try:
            with progress_bar(len(chosen), "Reviewing games") as progress:
                for game in review_games(path, chosen, ReviewPlan(), pool):
                    done.append(game)
                    progress(1)
        except KeyboardInterrupt:
            stopped = True
            for child in multiprocessing.active_children():
                child.terminate()
    return _LeagueReview(bot_losses(done), len(done), len(numbers), stopped)
