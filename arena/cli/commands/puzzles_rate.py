"""`arena puzzles rate`: how often programs find the answers, and the ratings that follow."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction

import click

from arena.cli.completion import complete_puzzles
from arena.cli.console import format_table, show_json, show_report, wrap
from arena.cli.options import json_option
from arena.cli.puzzle_options import puzzle_nodes
from arena.cli.solver_work import puzzle_paths
from arena.lab.puzzle_difficulty import SOLVERS, TRIES, PuzzleRates, puzzle_rates
from bots.runtime.mid_game import puzzle_policy
from solver.core.budget import NodeBudget
from solver.puzzles.files import HARDEST, Puzzle, load_puzzle, prove

Rated = list[tuple[Puzzle, PuzzleRates]]


@click.command("rate")
@click.argument("names", nargs=-1, shell_complete=complete_puzzles)
@click.option(
    "--seeds",
    type=click.IntRange(1, 10_000),
    default=TRIES,
    help="Attempts by each program; ratings in puzzle files come from the default.",
)
@puzzle_nodes
@json_option
def rate_puzzles_command(names: tuple[str, ...], seeds: int, nodes: int, as_json: bool) -> None:
    """Measure how hard puzzles are.

    NAMES are puzzles or files; default: all bundled puzzles. Four programs that know the goal and
    see what the puzzle shows look for a best first move: a glance at one's own choices, random
    playouts, and tree searches of 50 and 500 iterations. A program fails if it finds one in fewer
    than half of its attempts. The rating of a puzzle comes from these attempts, from a guess among
    the first moves, from its traps (wrong moves whose random playouts often reach the goal) and
    from the size of its game tree. The same seeds give the same table on every machine.

    \b
    Examples:
      arena puzzles rate
      arena puzzles rate doubt my-puzzle.toml --seeds 50
      arena puzzles rate --json
    """
    rated: Rated = []
    for path in puzzle_paths(names):
        puzzle = load_puzzle(path)
        solved = prove(puzzle, NodeBudget(nodes), puzzle_policy)
        best = {value.move for value in puzzle.best(solved.answer)}
        rated.append((puzzle, puzzle_rates(solved, best, seeds)))
    if as_json:
        show_json(
            "puzzles-rate", {"puzzles": rates_json(rated), "summary": asdict(RateSummary.of(rated))}
        )
    else:
        show_report(rates_table(rated))


def rates_table(rated: Rated) -> str:
    rows = [
        [
            *(puzzle.name, puzzle.rating, rates.rating),
            " ".join(f"{float(100 * share):3.0f}" for share in rates.shares.values()),
            *(rates.traps, rates.tree),
        ]
        for puzzle, rates in rated
    ]
    headers = ["puzzle", "old", "new", "solved, %", "traps", "tree"]
    text = format_table(rows, headers, align=("left", *("right",) * (len(headers) - 1)))
    return f"{text}\n\n" + "\n".join(map(wrap, RateSummary.of(rated).sentences()))


@dataclass(frozen=True)
class RateSummary:
    """What the rates of many puzzles come to."""

    puzzles: int
    guess: float
    """How often a guess among the first moves is right, on average."""
    levels: dict[int, int]
    """Level -> puzzles of it."""
    failed: dict[str, int]
    """Program -> puzzles that it failed."""
    solved_by_all: int
    solved_by_all_above_level_2: int

    @classmethod
    def of(cls, rated: Rated) -> RateSummary:
        all_rates = [rates for _, rates in rated]
        easy = [rates for rates in all_rates if not rates.failed]
        return cls(
            len(rated),
            float(sum((rates.guess for rates in all_rates), Fraction()) / len(rated)),
            {
                level: sum(rates.difficulty == level for rates in all_rates)
                for level in range(1, HARDEST + 1)
            },
            {name: sum(name in rates.failed for rates in all_rates) for name in SOLVERS},
            len(easy),
            sum(rates.difficulty > 2 for rates in easy),
        )

    def sentences(self) -> list[str]:
        failed = ", ".join(f"{name} {count}" for name, count in self.failed.items())
        above = self.solved_by_all_above_level_2
        levels = ", ".join(f"{count} of level {level}" for level, count in self.levels.items())
        return [
            "Ratings: old is that of the puzzle's file, new what these attempts say.",
            f"Solved: by {', '.join(SOLVERS)}, in this order.",
            f"Puzzles: {levels}.",
            f"A guess among the first moves is right in {self.guess:.1%} on average.",
            f"Failed, of {self.puzzles}: {failed}.",
            f"Solved by all programs: {self.solved_by_all}; of these above level 2: {above}.",
        ]


def rates_json(rated: Rated) -> list[dict[str, object]]:
    return [
        {
            "name": puzzle.name,
            "claimed": puzzle.difficulty,
            "difficulty": rates.difficulty,
            "claimed_rating": puzzle.rating,
            "rating": rates.rating,
            "seeds": rates.tries,
            "guess": float(rates.guess),
            "traps": rates.traps,
            "tree": rates.tree,
            "found": dict(zip(SOLVERS, rates.found, strict=True)),
        }
        for puzzle, rates in rated
    ]
