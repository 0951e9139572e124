"""How fast the engines are: compiled and pure in one interleaved run, so that neither is lucky."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import IO, Any

from tabulate import tabulate

from solver.reference.benchmark_endings import endings, reduction

ENGINES = ("compiled", "pure")
MEASURES = ("play", "copies", "samples", "search", "solve")
RATES = ("decisions", "games", "copies", "samples", "iterations", "simulated", "positions")
"""What is reported per second; `play` gives the first two, `search` the next to last two."""


@dataclass(frozen=True)
class Plan:
    """How long to measure: every engine, player count and measure gets `rounds` slices."""

    rounds: int
    seconds: float


STANDARD = Plan(rounds=9, seconds=0.2)
QUICK = Plan(rounds=3, seconds=0.05)


@dataclass
class Speed:
    """One rate of one engine at one player count: a value for every slice."""

    slices: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return median(self.slices)

    def as_json(self) -> dict[str, float]:
        return {
            "median": round(self.median, 1),
            "min": round(min(self.slices), 1),
            "max": round(max(self.slices), 1),
        }

    def __str__(self) -> str:
        return f"{short(self.median)} ({short(min(self.slices))}-{short(max(self.slices))})"


def short(rate: float) -> str:
    """Three digits are all a clock can promise."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"


Key = tuple[str, int, str]
"""(rate, players, engine)."""


class Worker:
    """A process that runs one engine and measures when asked."""

    def __init__(self, stdin: IO[str], stdout: IO[str]) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.engine = str(self.answer()["engine"])

    def measure(self, what: str, game: str, players: int, seconds: float) -> dict[str, float]:
        """What one slice came to, and how long it took."""
        request = {"what": what, "game": game, "players": players, "seconds": seconds}
        self.stdin.write(json.dumps(request) + "\n")
        self.stdin.flush()
        return self.answer()

    def answer(self) -> dict[str, Any]:
        line = self.stdout.readline()
        if not line:
            raise OSError("a measuring process ended before its time")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def worker(engine: str) -> Iterator[Worker]:
    """A worker for that engine; without compiled modules, even "compiled" turns out to be pure."""
    command = [sys.executable, "-m", "arena.lab.bench_worker"]
    chosen = {**os.environ, "ARENA_PURE": "1" if engine == "pure" else ""}
    with subprocess.Popen(  # noqa: S603 - our own module, no words of a user's
        command, env=chosen, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Worker(process.stdin, process.stdout)


def run(
    game: str, counts: Sequence[int], plan: Plan, measured: Callable[[int], object]
) -> dict[Key, Speed]:
    """Measure both engines, or the pure one alone; `measured` is told of every round."""
    speeds: dict[Key, Speed] = {}
    with ExitStack() as stack:
        workers = [stack.enter_context(worker(engine)) for engine in ENGINES]
        if workers[0].engine == "pure":
            workers = workers[:1]
        for _ in range(plan.rounds):
            for players in counts:
                for what in MEASURES:
                    for one in workers:
                        answer = one.measure(what, game, players, plan.seconds)
                        note(speeds, answer, players, one.engine)
            measured(1)
    return speeds


def note(speeds: dict[Key, Speed], answer: dict[str, float], players: int, engine: str) -> None:
    for rate in RATES:
        if rate in answer:
            speed = speeds.setdefault((rate, players, engine), Speed())
            speed.slices.append(answer[rate] / answer["seconds"])


def ratio(speeds: dict[Key, Speed], rate: str, players: int) -> float | None:
    """How many times faster compiled is, by medians; None if only one engine was measured."""
    compiled = speeds.get((rate, players, "compiled"))
    if compiled is None:
        return None
    return compiled.median / speeds[rate, players, "pure"].median


# ---- reporting ----------------------------------------------------------------------------------


def as_json(
    game: str, speeds: dict[Key, Speed], counts: Sequence[int], plan: Plan
) -> dict[str, object]:
    rows = []
    for rate in RATES:
        for players in measured_counts(speeds, rate, counts):
            row: dict[str, object] = {"per_second": rate, "players": players}
            for engine in ENGINES:
                if (rate, players, engine) in speeds:
                    row[engine] = speeds[rate, players, engine].as_json()
            times = ratio(speeds, rate, players)
            row["ratio_of_medians"] = None if times is None else round(times, 2)
            rows.append(row)
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rounds": plan.rounds,
        "seconds_per_slice": plan.seconds,
        "rates": rows,
        "solver_looks_at_times_fewer_positions": round(reduction(found), 1)
        if (found := endings(game))
        else None,
    }


def measured_counts(speeds: dict[Key, Speed], rate: str, counts: Sequence[int]) -> list[int]:
    """The player counts at which there was something to measure."""
    return [players for players in counts if (rate, players, "pure") in speeds]


def as_text(game: str, speeds: dict[Key, Speed], counts: Sequence[int], plan: Plan) -> str:
    """A line per rate and player count: median (lowest-highest slice), and how they compare."""
    rows = []
    for rate in RATES:
        for players in measured_counts(speeds, rate, counts):
            cells = [str(speeds.get((rate, players, engine), "")) for engine in ENGINES]
            times = ratio(speeds, rate, players)
            rows.append([f"{rate}/s", players, *cells, "" if times is None else f"{times:.1f}"])
    headers = ["what", "players", *ENGINES, "ratio"]
    align = ["left", "right", "right", "right", "right"]
    table = tabulate(rows, headers=headers, colalign=align, disable_numparse=True)
    slices = f"{plan.rounds} slices of {plan.seconds} s each, engines in turn, on one core"
    said = f"{table}\n\nMedian (lowest-highest) of {slices}; ratio of medians."
    if found := endings(game):
        said += (
            f"\nOf {len(found)} endings the solver looks at {reduction(found):.0f} times fewer "
            f"positions than plain recursion (geometric mean)."
        )
    return said
