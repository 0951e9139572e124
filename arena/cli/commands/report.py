"""`arena report`: the results of a league as a page for the browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final
from urllib.parse import quote

import click

from arena.cli.browser import open_page
from arena.cli.console import progress_bar
from arena.cli.options import run_argument
from arena.files import check_writable, write_errors, write_file
from arena.league.journal import Journal, SavedGame
from arena.league.progress import fault_sentences, planned_by_players, planned_games
from arena.league.read_run import run_of
from arena.stats.standings import standings_of
from arena.web.game_data import EVERYTHING, game_views
from arena.web.report_page import MOST_LISTED, report_page
from arena.web.view_page import view_page
from arena.worker_processes import worker_pool
from games.replay import Replay

_GAMES_PER_WORKER: Final = 8
"""Fewer games are not worth the start of another process."""


@click.command("report")
@run_argument
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; default: named after the run, in this folder.",
)
@click.option(
    "--games",
    "with_games",
    is_flag=True,
    help="Also write a page for every game, into a folder beside the file, and link them.",
)
@click.option(
    "--inside",
    is_flag=True,
    help="Put every game into the file itself, compressed, as everybody's cards show it.",
)
@click.option("--open", "at_once", is_flag=True, help="Open it in the browser.")
def report_command(
    run: Path, out: Path | None, with_games: bool, inside: bool, at_once: bool
) -> None:
    """Write a league's results as a page for the browser.

    The page is one file that needs no server and no network: standings with intervals, strengths
    as dots with whiskers, seats won by player count, how ratings settled, a cross table shaded
    where it is significant, turn order and roles, thinking times, faults, and all games. The
    numbers are those of `arena standings`. A league may still be running.

    \b
    Examples:
      arena report runs/default.db --open
      arena report runs/default.db --out standings.html --games
      arena report runs/default.db --inside
    """
    if with_games and inside:
        raise click.UsageError("use --games or --inside, not both")
    file = out or Path(f"{run.stem}.html")
    check_writable(file)
    folder = file.with_name(f"{file.stem}-games")

    def link(number: int) -> str:
        return f"{quote(folder.name)}/{number}.html"

    with Journal.read(run) as journal:
        standings = standings_of(run_of(journal))
        total, faults = planned_games(journal), fault_sentences(journal)
        planned = planned_by_players(journal)
        if with_games:
            _write_games(journal, run, folder, f"../{quote(file.name)}")
        games = _games_inside(journal, run) if inside else None
    links = link if with_games else None
    page = report_page(run.stem, standings, total, faults, links, games, planned)
    write_file(file, page)
    click.echo(f"{file} is written; open it in a browser")
    if at_once:
        open_page(file.resolve().as_uri())


def _write_games(journal: Journal, run: Path, folder: Path, back: str) -> None:
    with write_errors(folder):
        folder.mkdir(exist_ok=True)
    numbers = _listed(journal)
    tasks = (
        (saved.replay, _where(saved, run), _fault(saved), back)
        for number in numbers
        for saved in journal.games(number)
    )
    workers = min(os.cpu_count() or 1, len(numbers) // _GAMES_PER_WORKER + 1)
    with worker_pool(workers) as pool, _progress(numbers) as progress:
        pages = map(_page, tasks) if pool is None else pool.map(_page, tasks)
        for number, page in zip(numbers, pages, strict=True):
            write_file(folder / f"{number}.html", page)
            progress(1)


def _page(task: tuple[Replay, str, str, str]) -> str:
    replay, where, fault, back = task
    return view_page(replay, where, fault, back=back)


def _games_inside(journal: Journal, run: Path) -> dict[int, object]:
    """The data of every game, for those who see everything."""
    return {
        saved.record.number: game_views(
            saved.replay, _where(saved, run), _fault(saved), [EVERYTHING]
        )
        for saved in _listed_games(journal)
    }


def _listed_games(journal: Journal) -> Iterator[SavedGame]:
    numbers = _listed(journal)
    with _progress(numbers) as progress:
        for number in numbers:
            yield from journal.games(number)
            progress(1)


def _listed(journal: Journal) -> list[int]:
    """The numbers of the games that the page lists."""
    return sorted(journal.numbers())[:MOST_LISTED]


def _progress(numbers: list[int]) -> AbstractContextManager[Callable[[int], object]]:
    return progress_bar(len(numbers), "Writing games")


def _where(saved: SavedGame, run: Path) -> str:
    return f"game {saved.record.number} of {run.name}"


def _fault(saved: SavedGame) -> str:
    return "" if saved.fault is None else f"Ended by a fault: {saved.fault.problem}"
