"""`arena standings`: who is how strong in a run, how sure that is, and what else happened."""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.options import json_option
from arena.league.read_run import read_run
from arena.stats import report
from arena.stats.standings import Standings, standings_of


@click.command("standings")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--players", type=click.IntRange(2), help="Only games with so many players.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print a line for each bot and player count.")
@click.option("--markdown", is_flag=True, help="Print the tables for a web page or a README.")
def standings(run: Path, players: int | None, as_json: bool, as_csv: bool, markdown: bool) -> None:
    """Print ratings, strengths and statistics of RUN.

    RUN is the run file of a league, or results as JSON lines, as `arena export` writes them.
    Without --players the tables are about all player counts together; with it, also how each bot
    did in every place of the turn order and with every leader or side. Under each table stands what
    its numbers mean, from whose side they are seen, and what the brackets hold.

    \b
    Examples:
      arena standings runs/default.db
      arena standings runs/default.db --players 4
      arena standings runs/default.db --markdown > STANDINGS.md
      arena standings results.jsonl --csv > standings.csv
    """
    if as_json + as_csv + markdown > 1:
        raise click.UsageError("only one of --json, --csv and --markdown at a time")
    told = read_run(run)
    found = standings_of(told, players)
    if as_json:
        click.echo(json.dumps(report.standings_json(found), indent=2))
    elif as_csv:
        click.echo(report.standings_csv(_every(found)), nl=False)
    elif markdown:
        click.echo("\n\n".join(table.markdown() for table in report.tables(found)))
    else:
        click.echo("\n\n".join(table.text() for table in report.tables(found)))


def _every(found: Standings) -> list[Standings]:
    """These standings, and those of each player count in them."""
    if found.players is not None:
        return [found]
    return [found, *(standings_of(found.run, count) for count in found.run.counts())]
