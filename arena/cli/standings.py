"""`arena standings`: ratings with confidence intervals, and statistics of a league."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.console import json_text
from arena.cli.options import json_option
from arena.league.read_run import read_run
from arena.stats import report
from arena.stats.standings import standings_of


@click.command("standings")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--players", type=click.IntRange(2), help="Only games with this many players.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print a line per bot and player count.")
@click.option("--markdown", is_flag=True, help="Print the tables for a web page or a README.")
def standings_command(
    run: Path, players: int | None, as_json: bool, as_csv: bool, markdown: bool
) -> None:
    """Print ratings and statistics of a run.

    RUN is the run file of a league, or results as JSON lines, as `arena export` writes them. The
    tables are about all player counts together; with --players about one, and also about each
    bot's results by place in turn order and by leader or side. Strengths are on the Elo scale.
    Notes below each table explain its columns and brackets.

    \b
    Examples:
      arena standings runs/default.db
      arena standings runs/default.db --players 4
      arena standings runs/default.db --markdown > STANDINGS.md
      arena standings results.jsonl --csv > standings.csv
    """
    if as_json + as_csv + markdown > 1:
        raise click.UsageError("use only one of --json, --csv and --markdown")
    results = standings_of(read_run(run), players)
    if as_json:
        click.echo(json_text(report.standings_json(results)))
    elif as_csv:
        counts = results.run.counts() if results.players is None else ()
        each = [standings_of(results.run, count) for count in counts]
        click.echo(report.standings_csv([results, *each]), nl=False)
    elif markdown:
        click.echo("\n\n".join(table.markdown() for table in report.tables(results)))
    else:
        click.echo("\n\n".join(table.text() for table in report.tables(results)))
