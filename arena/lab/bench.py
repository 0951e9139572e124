"""Measures the speed of the compiled and the pure engine in one interleaved run."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import product
from statistics import median
from typing import IO, Any, Final

from tabulate import tabulate

from solver.reference.benchmark_endings import endings, reduction

ENGINES: Final = ("compiled", "pure")
_MEASURES: Final = (
    *("play", "copies", "samples", "search", "evaluate", "weigh", "champion", "solve"),
)
RATES: Final = (
    *("decisions", "games", "copies", "samples", "iterations", "simulated"),
    *("evaluations", "priors", "visits", "positions"),
)
"""What is reported per second; `play` measures decisions and games, `search` iterations and
simulated."""


@dataclass(frozen=True)
class BenchPlan:
    """How long to measure: `rounds` slices for every engine, player count and measure."""

    rounds: int
    seconds: float


STANDARD: Final = BenchPlan(rounds=9, seconds=0.2)
QUICK: Final = BenchPlan(rounds=3, seconds=0.05)


@dataclass
class Speed:
    """A rate of an engine at one player count: one value per slice."""

    slices: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return median(self.slices)

    def as_json(self) -> dict[str, float]:
        numbers = {"median": self.median, "min": min(self.slices), "max": max(self.slices)}
        return {name: round(number, 1) for name, number in numbers.items()}

    def __str__(self) -> str:
        return f"{short(self.median)} ({short(min(self.slices))}-{short(max(self.slices))})"


def short(rate: float) -> str:
    """Three significant digits; timing is not more precise."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"


Speeds = dict[tuple[str, int, str], Speed]  # (rate, players, engine) -> its speed


class BenchProcess:
    """A process that runs one engine (arena/lab/bench_worker.py)."""

    def __init__(self, stdin: IO[str], stdout: IO[str]) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.engine = str(self.answer()["engine"])

    def measure(self, what: str, game: str, players: int, seconds: float) -> dict[str, float]:
        """The counts of one slice, and its duration."""
        request = {"what": what, "game": game, "players": players, "seconds": seconds}
        self.stdin.write(json.dumps(request) + "\n")
        self.stdin.flush()
        return self.answer()

    def answer(self) -> dict[str, Any]:
        if not (line := self.stdout.readline()):
            raise OSError("a process of the benchmark died")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def bench_process(engine: str) -> Iterator[BenchProcess]:
    """Start a process for that engine; without compiled modules, even "compiled" is pure."""
    command = [sys.executable, "-m", "arena.lab.bench_worker"]
    environment = {**os.environ, "ARENA_PURE": "1" if engine == "pure" else ""}
    with subprocess.Popen(  # noqa: S603 - our own module, no user input
        command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield BenchProcess(process.stdin, process.stdout)


def run_bench(
    game: str, counts: Sequence[int], plan: BenchPlan, progress: Callable[[int], object]
) -> Speeds:
    """Measure both engines, or only the pure one; `progress(1)` is called after every round."""
    speeds: Speeds = {}
    with ExitStack() as stack:
        processes = [stack.enter_context(bench_process(engine)) for engine in ENGINES]
        if processes[0].engine == "pure":
            processes = processes[:1]
        for _ in range(plan.rounds):
            for players in counts:
                for what in _MEASURES:
                    for process in processes:
                        answer = process.measure(what, game, players, plan.seconds)
                        for rate in answer.keys() - {"seconds"}:
                            speed = speeds.setdefault((rate, players, process.engine), Speed())
                            speed.slices.append(answer[rate] / answer["seconds"])
            progress(1)
    return speeds


def measured(
    speeds: Speeds, counts: Sequence[int]
) -> Iterator[tuple[str, int, dict[str, Speed], float | None]]:
    """Every rate and player count that was measured, with the speed of each engine.

    Last, how many times faster the compiled engine is, by medians; None if there is only one.
    """
    for rate, players in product(RATES, counts):
        if (rate, players, "pure") in speeds:
            engines = {
                engine: speeds[rate, players, engine]
                for engine in ENGINES
                if (rate, players, engine) in speeds
            }
            pure = engines["pure"].median
            ratio = engines["compiled"].median / pure if "compiled" in engines else None
            yield rate, players, engines, ratio


def champion_shares(speeds: Speeds, counts: Sequence[int]) -> dict[int, dict[str, float]]:
    """By player count: the shares of value and policy in the time of a search of champion."""
    found: dict[int, dict[str, float]] = {}
    engine = ENGINES[0] if any(engine == ENGINES[0] for _, _, engine in speeds) else ENGINES[1]
    for players in counts:
        for name, alone in (("values", "evaluations"), ("priors", "priors")):
            key = (alone, players, engine)
            if key in speeds:
                asked = speeds[f"{name} asked", players, engine].median
                found.setdefault(players, {})[name] = asked / speeds[key].median
    return found


# ---- reporting ----------------------------------------------------------------------------------


def bench_json(
    game: str, speeds: Speeds, counts: Sequence[int], plan: BenchPlan
) -> dict[str, object]:
    rows = [
        {
            "per_second": rate,
            "players": players,
            **{engine: speed.as_json() for engine, speed in engines.items()},
            "ratio_of_medians": None if ratio is None else round(ratio, 2),
        }
        for rate, players, engines, ratio in measured(speeds, counts)
    ]
    solved = endings(game)
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rounds": plan.rounds,
        "seconds_per_slice": plan.seconds,
        "rates": rows,
        "shares_of_champions_search": [
            {"players": players, **{name: round(share, 3) for name, share in shares.items()}}
            for players, shares in champion_shares(speeds, counts).items()
        ],
        "solver_looks_at_times_fewer_positions": round(reduction(solved), 1) if solved else None,
    }


def bench_text(game: str, speeds: Speeds, counts: Sequence[int], plan: BenchPlan) -> str:
    """A table with a line per rate and player count."""
    rows = []
    for rate, players, engines, ratio in measured(speeds, counts):
        cells = [str(engines.get(engine, "")) for engine in ENGINES]
        rows.append([f"{rate}/s", players, *cells, "" if ratio is None else f"{ratio:.1f}"])
    headers = ["what", "players", *ENGINES, "ratio"]
    align = ["left", "right", "right", "right", "right"]
    table = tabulate(rows, headers=headers, colalign=align, disable_numparse=True)
    slices = f"{plan.rounds} slices of {plan.seconds} s each, engines alternating, on one core"
    text = f"{table}\n\nMedian (lowest-highest) of {slices}; ratio of medians."
    if shares := champion_shares(speeds, counts):
        each = "; ".join(
            ", ".join(f"{name} {share:.0%}" for name, share in of.items())
            + f" at {players} players"
            for players, of in shares.items()
        )
        text += f"\nTime of a search of champion, at most: {each}."
    if solved := endings(game):
        text += (
            f"\nIn {len(solved)} endings the solver visits {reduction(solved):.0f} times fewer "
            f"positions than plain recursion (geometric mean)."
        )
    return text
