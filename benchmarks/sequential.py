"""Error rates of `arena compare`: thousands of tests on simulated differences.

    python benchmarks/sequential.py
    python benchmarks/sequential.py --tests 200 --margin 0.1

Each line is a distribution ("law") of the differences of deals (`LAWS`). A verdict is wrong if it
is "better" or "worse" for equal bots, the opposite of the truth for others, or "equal" where the
true difference is the margin or more. At most 5 % of tests may be wrong, whatever the distribution.
Unsettled tests reached the limit of deals. The last columns are the median and the 90 % quantile of
the number of deals.
"""

import argparse
import os
from math import exp
from random import Random

from tabulate import tabulate

from arena.stats.intervals import wilson
from arena.stats.sequential_test import Verdict, simulate
from arena.worker_processes import worker_pool
from bots.runtime.processes import CHILD_CONTEXT

Law = dict[float, float]
EVEN: Law = {-1.0: 0.12, -0.5: 0.08, 0.0: 0.6, 0.5: 0.08, 1.0: 0.12}
WILD: Law = {-1.0: 0.5, 1.0: 0.5}
CALM: Law = {-1.0: 0.02, 0.0: 0.96, 1.0: 0.02}
SKEWED: Law = {-1.0: 0.1, 0.0: 0.7, 0.5: 0.2}
BATCH = 25


def tilted(law: Law, mean: float) -> Law:
    """The exponentially tilted distribution with this mean."""
    low, high = -20.0, 20.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        weights = {value: chance * exp(middle * value) for value, chance in law.items()}
        total = sum(weights.values())
        result = {value: weight / total for value, weight in weights.items()}
        if average(result) < mean:
            low = middle
        else:
            high = middle
    return result


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
    """Whether the verdict is false for a distribution with this mean."""
    if verdict is Verdict.EQUAL:
        return abs(mean) >= margin - 1e-6
    if verdict is Verdict.BETTER:
        return mean < 1e-6
    return verdict is Verdict.WORSE and mean > -1e-6


def main() -> None:
    """Print a table with a line per distribution."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--tests", type=int, default=2000)
    parser.add_argument("--limit", type=int, default=4000)
    parser.add_argument("--margin", type=float, default=0.05)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    rows = []
    with worker_pool(options.workers, CHILD_CONTEXT) as pool:
        for name, law in LAWS.items():
            starts = range(0, options.tests, BATCH)
            tasks = [(name, start, options.limit, options.margin) for start in starts]
            batches = map(tests, tasks) if pool is None else pool.map(tests, tasks)
            results = [result for batch in batches for result in batch]
            mean = average(law)
            verdicts = [verdict for verdict, _ in results]
            errors = sum(wrong(verdict, mean, options.margin) for verdict in verdicts)
            low, high = wilson(errors, len(results))
            lengths = sorted(deals for _, deals in results)
            rows.append(
                [
                    name,
                    f"{mean:+.3f}",
                    *(
                        f"{100 * verdicts.count(verdict) / len(verdicts):.1f}"
                        for verdict in (Verdict.BETTER, Verdict.WORSE, Verdict.EQUAL, None)
                    ),
                    f"{100 * errors / len(results):.1f} ({100 * low:.1f}-{100 * high:.1f})",
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
