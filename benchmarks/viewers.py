"""What it costs a league to be watched: its speed with a server and viewers, and without.

    python benchmarks/viewers.py                     # five viewers, six pairs
    python benchmarks/viewers.py --viewers 20 --pairs 3

The same league is played again and again, in turn alone and watched. A viewer does what the page of
a run does in a browser: it follows the events of the run and fetches the report again when there is
a newer one, at most every two seconds. Server and viewers run on the same machine as the league and
take what they need from its cores; drawing the pages is left out, which is the business of the
viewers' machines. Ratios are of games per second, pair by pair; other programs that run at the same
time blur them. `server` is the share of one core that the server takes.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import monotonic, perf_counter, sleep

import click
from tabulate import tabulate

LEAGUE = ["league", *(word for name in "abcdef" for word in ("--bot", f"random as {name}"))]
PER_DEAL = 186  # games of six bots at 2-6 players
PAUSE = 2.0  # seconds between two reports, as in arena/web/parts/live.js


def arena(*words: str) -> list[str]:
    return [sys.executable, "-m", "arena", *words]


class Viewer:
    """Follows the page of a run."""

    def __init__(self, host: str, run: str) -> None:
        self.host, self.run = host, run
        self.reports = 0
        self.over = Event()
        self.thread = Thread(target=self.watch)
        self.thread.start()

    def watch(self) -> None:
        while not self.over.is_set():
            try:
                self.follow()
            except (OSError, HTTPException):  # the run file is not there yet
                sleep(0.1)

    def follow(self) -> None:
        events = HTTPConnection(self.host, timeout=5)
        events.request("GET", f"/runs/{self.run}/events")
        stream = events.getresponse()
        following, shown = 0.0, -1
        while not self.over.is_set():
            line = stream.readline()
            if not line:
                return
            if not line.startswith(b"data") or monotonic() < following:
                continue
            if json.loads(line[len("data: ") :])["report"] != shown:
                report = HTTPConnection(self.host, timeout=30)
                report.request("GET", f"/runs/{self.run}/report")
                answer = report.getresponse()
                if answer.status != HTTPStatus.OK:  # the run file has just been made
                    raise HTTPException(answer.reason)
                shown = int(answer.headers["X-Games"])
                self.reports += answer.read() != b""
                report.close()
                following = monotonic() + PAUSE

    def stop(self) -> None:
        self.over.set()
        self.thread.join()


@contextmanager
def watching(folder: Path, run: str, count: int) -> Iterator[tuple[list[Viewer], int]]:
    """A server for the folder, and so many viewers of the run; the viewers and the server's id."""
    with ExitStack() as stack:
        command = arena("serve", str(folder), "--port", "0")
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
        stack.enter_context(server)
        stack.callback(server.terminate)
        assert server.stdout is not None
        host = server.stdout.readline().split("http://")[1].split("/")[0]
        viewers = [Viewer(host, run) for _ in range(count)]
        for viewer in viewers:
            stack.callback(viewer.stop)
        yield viewers, server.pid


def processor_time(pid: int) -> float:
    """Seconds of processor time that a running process has taken so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def played(folder: Path, name: str, deals: int, workers: int) -> float:
    """Plays a league; returns the seconds that it took."""
    file = str(folder / f"{name}.db")
    words = [*LEAGUE, "--deals", str(deals), "--workers", str(workers), "--run", file]
    began = perf_counter()
    subprocess.run(arena(*words), check=True, capture_output=True)  # noqa: S603
    return perf_counter() - began


@click.command(help=__doc__)
@click.option("--viewers", default=5, show_default=True)
@click.option("--pairs", default=6, show_default=True)
@click.option("--deals", default=30, show_default=True, help="186 games each.")
@click.option("--workers", default=os.cpu_count() or 1, help="Of the league; default: all cores.")
def main(viewers: int, pairs: int, deals: int, workers: int) -> None:
    rows: list[list[object]] = []
    ratios, loads = [], []
    games = deals * PER_DEAL
    for pair in range(pairs):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            alone = 0.0
            if pair % 2:  # which comes first changes, so that a drift of the machine cancels out
                alone = played(folder, "alone", deals, workers)
            with watching(folder, "watched", viewers) as (people, server):
                start = processor_time(server)
                watched = played(folder, "watched", deals, workers)
                loads.append((processor_time(server) - start) / watched)
                reports = sum(viewer.reports for viewer in people)
            alone = alone or played(folder, "alone", deals, workers)
        ratios.append(alone / watched)
        speeds = [f"{games / alone:.0f}", f"{games / watched:.0f}", f"{ratios[-1]:.3f}"]
        rows.append([pair + 1, *speeds, reports, f"{loads[-1]:.1%}"])
    headers = ["pair", "games/s alone", "games/s watched", "ratio", "reports fetched", "server"]
    click.echo(tabulate(rows, headers=headers, colalign=("right",) * len(headers)))
    click.echo(
        f"\n{viewers} viewers, {workers} workers, {games:,} games each time: a watched league "
    )
    click.echo(f"keeps {median(ratios):.1%} of its speed; the server takes {median(loads):.1%} ")
    click.echo("of one core (medians).")


if __name__ == "__main__":
    main()
