"""`arena export` and `convert`: the saved games of a league."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import click

from arena.cli.console import show_json
from arena.cli.options import FILE_PATH, FOLDER_PATH, json_option, run_argument
from arena.league.bundle import write_bundle
from arena.league.convert import convert_run
from arena.league.export import export_run
from arena.league.journal import Journal
from games.wording import counted


@click.command("export")
@run_argument
@click.argument("folder", required=False, type=FOLDER_PATH, metavar="[DIR]")
@click.option(
    "--bundle", type=FILE_PATH, help="Write this one file instead, for strangers to verify."
)
@click.option(
    "--sources", is_flag=True, help="Put the bots' files in the bundle, not only digests."
)
@click.option(
    "--sign", type=FILE_PATH, metavar="KEY", help="Sign the bundle with a private SSH key."
)
@click.option("--parquet", is_flag=True, help="Write Parquet tables and a dataset card as well.")
@json_option
def export_command(
    run: Path,
    folder: Path | None,
    bundle: Path | None,
    sources: bool,
    sign: Path | None,
    parquet: bool,
    as_json: bool,
) -> None:
    """Write a league's games to CSV, JSON and text.

    DIR is the run file without its extension by default. It gets games.csv, seats.csv (each seat's
    bot, wins and thinking time), faults.csv, disqualified.csv, league.json (config, versions,
    machines), results.jsonl (which `arena standings` reads), table.txt, and every game as a replay
    in replays/.

    With --parquet it also gets results.parquet, decisions.parquet (what each seat saw, could do and
    did, with features, beliefs and values) and README.md, which describes the columns. It needs the
    extra `parquet`: pip install 'hidden-leaders-arena[parquet]'.

    With --bundle, everything needed to verify the league goes into one ZIP file: the run, its
    table, its seed and commitment, the digests of the bots, and a manifest of it all. Whoever has
    the arena checks it with `arena verify FILE`. Publish the line it prints, or sign it.

    \b
    Examples:
      arena export runs/default.db
      arena export runs/default.db /tmp/default
      arena export runs/default.db --parquet
      arena export runs/default.db --bundle league.zip --sign ~/.ssh/id_ed25519
    """
    if bundle is None and (sources or sign):
        raise click.UsageError("--sources and --sign are for a bundle; add --bundle FILE")
    if bundle is not None and (folder is not None or parquet):
        raise click.UsageError("give a folder or --bundle, not both; --parquet is for a folder")
    tables = _parquet_writer() if parquet else None
    with Journal.read(run) as journal:
        if bundle is not None:
            manifest = write_bundle(journal, bundle, sources=sources, key=sign)
            games = len(journal.numbers())
            if as_json:
                exported = {"run": str(run), "folder": None, "games": games}
                show_json("export", {**exported, "bundle": str(bundle), "manifest": manifest})
            else:
                click.echo(f"wrote {counted(games, 'game')} to {bundle}")
                click.echo(f"manifest {manifest}")
            return
        folder = folder or run.with_suffix("")
        more = () if tables is None else tables(journal, folder)
        for line in chain(export_run(journal, folder), more):
            if not as_json:
                click.echo(line)
        if as_json:
            games = len(journal.numbers())
            exported = {"run": str(run), "folder": str(folder), "games": games}
            show_json("export", {**exported, "bundle": None, "manifest": None})


def _parquet_writer() -> Callable[[Journal, Path], Iterator[str]]:
    """`export_parquet`; one sentence if the extra is missing."""
    try:
        from arena.adapters.parquet import export_parquet  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    return export_parquet


@click.command("convert")
@click.argument("old", type=FILE_PATH)
@click.argument("new", type=FILE_PATH)
@json_option
def convert_command(old: Path, new: Path, as_json: bool) -> None:
    """Convert a run file of an earlier version.

    OLD is the run file, NEW the file to write; OLD stays as it is. Up to version 0.2.0, games were
    stored by their number in the schedule: such a run can be shown, verified and exported, and has
    its standings, but a league that is continued in it deals anew. Later files lack only the chain
    by which `arena verify` finds edits; it begins with the conversion.

    \b
    Example:
      arena convert runs/old.db runs/new.db
    """
    games = convert_run(old, new)
    if as_json:
        show_json("convert", {"old": str(old), "new": str(new), "games": games})
    else:
        click.echo(
            f"{counted(games, 'game')} of {old} {'was' if games == 1 else 'were'} written to {new}"
        )
