"""Solver work that commands share: a node limit that Ctrl-C cuts short, and certificates."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.cli.console import SearchProgress
from arena.cli.verbosity import note
from arena.files import write_file
from bots.runtime.mid_game import puzzle_policy
from solver.ask import Solution
from solver.certificates.format import write_certificate, write_seat_certificate
from solver.certificates.seat_writer import certify_seat
from solver.certificates.writer import certify
from solver.core.budget import NodeBudget
from solver.puzzles.files import Puzzle, find_puzzle, puzzle_files, solution_of


@contextmanager
def node_budget(
    nodes: int, on_interrupt: str = "for the bounds so far", seconds: float = 0.0
) -> Iterator[NodeBudget]:
    """A limit whose search the first Ctrl-C ends; a second Ctrl-C aborts the command."""
    progress = SearchProgress(on_interrupt)
    budget = NodeBudget(nodes, progress.show, seconds)
    progress.found = lambda: budget.found
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        budget.stop()

    signal.signal(signal.SIGINT, stop)
    try:
        yield budget
    finally:
        signal.signal(signal.SIGINT, before)
        progress.line.clear()


def solve_puzzle(puzzle: Puzzle, nodes: int) -> Solution:
    """The proven solution."""
    with node_budget(nodes) as budget:
        return solution_of(puzzle, budget, puzzle_policy)


def puzzle_paths(names: tuple[str, ...]) -> list[Path]:
    """The files of these puzzles; of all bundled ones if none is named."""
    return [find_puzzle(name) for name in names] or puzzle_files()


def certificate_of(solved: Solution, nodes: int) -> str:
    """The text of the answer's certificate, within as many nodes as the answer may take."""
    if solved.blind:
        return write_seat_certificate(certify_seat(solved))
    with node_budget(nodes) as budget:
        return write_certificate(certify(solved, budget))


def save_certificate(file: Path, text: str) -> None:
    write_file(file, text)
    note(f"wrote {file}")
