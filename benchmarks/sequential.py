"""Whether `arena compare` keeps its error rates: thousands of tests on simulated differences.

    python benchmarks/sequential.py
    python benchmarks/sequential.py --tests 200 --margin 0.1

Each line is a law that differences of deals follow (`LAWS`). A verdict is wrong if it says "better"
or "worse" of equals, the reverse of the truth of others, or "equal" where the true difference is
the margin or more. The promise is that at most 5 % of tests are ever wrong, whatever the law.
Unsettled tests ran into the limit of deals. The last columns are the deals that half and nine
tenths of the tests needed.
"""

from __future__ import annotations

import argparse
import os
from math import exp
from random import Random

from tabulate import tabulate

from arena.lab.check_rules import workers
from arena.stats.intervals import wilson
from arena.stats.sequential_test import Verdict, simulate

Law = dict[float, float]
EVEN: Law = {-1.0: 0.12, -0.5: 0.08, 0.0: 0.6, 0.5: 0.08, 1.0: 0.12}
WILD: Law = {-1.0: 0.5, 1.0: 0.5}
CALM: Law = {-1.0: 0.02, 0.0: 0.96, 1.0: 0.02}
SKEWED: Law = {-1.0: 0.1, 0.0: 0.7, 0.5: 0.2}
BATCH = 25


def tilted(law: Law, mean: float) -> Law:
    """The law of the same family, every chance multiplied by a power, that has this mean."""
    low, high = -20.0, 20.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        weights = {value: chance * exp(middle * value) for value, chance in law.items()}
        whole = sum(weights.values())
        found = {value: weight / whole for value, weight in weights.items()}
        if average(found) < mean:
            low = middle
        else:
            high = middle
    return found


def average(law: Law) -> float:
    return sum(value * chance for value, chance in law.items())


LAWS: dict[str, Law] = {
    "equal": EVEN,
    "equal, no two games alike": WILD,
    "equal, luck mostly cancels": CALM,
    "equal, skewed": SKEWED,
    "half the margin": tilted(EVEN, 0.025),
    "the margin": tilted(EVEN, 0.05),
    "twice the margin": tilted(EVEN, 0.1),
    "worse by four margins": tilted(EVEN, -0.2),
    "ten margins": tilted(EVEN, 0.5),
    "the margin, skewed": tilted(SKEWED, 0.05),
    "worse by twice the margin, skewed": tilted(SKEWED, -0.1),
}


def tests(task: tuple[str, int, int, float]) -> list[tuple[Verdict | None, int]]:
    name, first, limit, margin = task
    return [
        simulate(LAWS[name], limit, Random(f"{name}/{number}"), margin=margin)
        for number in range(first, first + BATCH)
    ]


def wrong(verdict: Verdict | None, mean: float, margin: float) -> bool:
    """Whether the verdict is false of a law with this mean."""
    if verdict is Verdict.EQUAL:
        return abs(mean) >= margin - 1e-6
    if verdict is Verdict.BETTER:
        return mean < 1e-6
    return verdict is Verdict.WORSE and mean > -1e-6


def main() -> None:
    """Print a line per law as it is done."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--tests", type=int, default=2000)
    parser.add_argument("--limit", type=int, default=4000)
    parser.add_argument("--margin", type=float, default=0.05)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    rows = []
    with workers(options.workers) as pool:
        for name, law in LAWS.items():
            starts = range(0, options.tests, BATCH)
            tasks = [(name, start, options.limit, options.margin) for start in starts]
            done = map(tests, tasks) if pool is None else pool.map(tests, tasks)
            found = [one for batch in done for one in batch]
            mean = average(law)
            said = [verdict for verdict, _ in found]
            errors = sum(wrong(verdict, mean, options.margin) for verdict in said)
            low, high = wilson(errors, len(found))
            lengths = sorted(deals for _, deals in found)
            rows.append(
                [
                    name,
                    f"{mean:+.3f}",
                    *(
                        f"{100 * said.count(verdict) / len(said):.1f}"
                        for verdict in (Verdict.BETTER, Verdict.WORSE, Verdict.EQUAL, None)
                    ),
                    f"{100 * errors / len(found):.1f} ({100 * low:.1f}-{100 * high:.1f})",
                    lengths[len(lengths) // 2],
                    lengths[len(lengths) * 9 // 10],
                ]
            )
    headers = ["law", "mean", "better", "worse", "equal", "unsettled", "wrong, %", "deals", "90 %"]
    print(
        f"{options.tests} tests of each law, margin {options.margin}, at most {options.limit} deals"
    )
    print(tabulate(rows, headers=headers, disable_numparse=True))


if __name__ == "__main__":
    main()
