"""How fast a large run file is: resuming, standings, showing a game, and verifying on request.

    python benchmarks/store.py                       # 10,000 to 100,000 games
    python benchmarks/store.py --games 5000,20000    # other sizes
    python benchmarks/store.py --folder /tmp/store   # keep the run files there
    python benchmarks/store.py --verify              # and verify them

Real leagues of whole games between random bots at 2-6 players, played into one file per size. Each
command runs in a process of its own, as a host would run it. "first standings" computes all
statistics; a large run's are kept, so that "standings" and "resume", which print them again, only
read the games: the fastest of three counts. Growth is linear if the last column, seconds per
100,000 games, does not grow with the size.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import click
from tabulate import tabulate

PER_DEAL = 186  # games of six bots at 2-6 players
LEAGUE = ["league", *(word for name in "abcdef" for word in ("--bot", f"random as {name}"))]
REPEATS = 3


def measure(file: Path, games: int, verify: bool) -> list[list[object]]:
    with tempfile.TemporaryDirectory() as kept:
        return measured(file, games, verify, {**os.environ, "XDG_CACHE_HOME": kept})


def measured(
    file: Path, games: int, verify: bool, environment: dict[str, str]
) -> list[list[object]]:
    def arena(*words: str) -> float:
        """Run a command; returns the seconds it took."""
        began = perf_counter()
        command = [sys.executable, "-m", "arena", *words]
        subprocess.run(command, check=True, capture_output=True, env=environment)  # noqa: S603
        return perf_counter() - began

    deals = max(1, games // PER_DEAL)
    league = [*LEAGUE, "--deals", str(deals), "--run", str(file)]
    played = arena(*league)
    count = deals * PER_DEAL
    commands = {
        "resume": league,
        "standings": ["standings", str(file)],
        "show the last game": ["show", str(file), str(count - 1)],
    }
    rows: list[list[object]] = [[count, "play and print the table", played]]
    shutil.rmtree(Path(environment["XDG_CACHE_HOME"], "hidden-leaders-arena"), ignore_errors=True)
    rows.append([count, "first standings", arena("standings", str(file))])
    for name, words in commands.items():
        rows.append([count, name, min(arena(*words) for _ in range(REPEATS))])
    if verify:
        rows.append([count, "verify", arena("verify", str(file))])
    return rows


@click.command(help=__doc__)
@click.option("--games", default="10000,30000,100000", help="Sizes, separated by commas.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where to keep the run files.")
@click.option("--verify", is_flag=True, help="Also verify the runs, which replays every game.")
def main(games: str, folder: Path | None, verify: bool) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        place = folder or Path(temporary)
        rows = []
        for size in map(int, games.split(",")):
            for count, what, seconds in measure(place / f"{size}.db", size, verify):
                assert isinstance(count, int)
                assert isinstance(seconds, float)
                rows.append([what, count, f"{seconds:.2f}", f"{seconds * 100_000 / count:.1f}"])
    rows.sort(key=lambda row: str(row[0]))
    click.echo(tabulate(rows, headers=["command", "games", "seconds", "per 100,000 games"]))


if __name__ == "__main__":
    main()
