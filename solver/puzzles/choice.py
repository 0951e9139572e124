"""Which puzzle comes next: by rating, at random, or the same for everybody on a day."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from solver.puzzles.files import Puzzle, bundled_puzzles
from solver.puzzles.progress import Progress


@dataclass(frozen=True)
class PuzzleFilter:
    """Which puzzles are wanted; None: any."""

    game: str | None = None
    theme: str | None = None
    players: int | None = None
    level: int | None = None

    def puzzles(self) -> list[Puzzle]:
        """The bundled puzzles that fit, from easy to hard."""
        fitting = (puzzle for puzzle in bundled_puzzles() if self._fits(puzzle))
        return sorted(fitting, key=lambda puzzle: puzzle.rank)

    def _fits(self, puzzle: Puzzle) -> bool:
        return (
            self.game in (None, puzzle.query.game.name)
            and self.theme in (None, puzzle.theme)
            and self.players in (None, puzzle.query.position.players)
            and self.level in (None, puzzle.difficulty)
        )


def next_puzzle(puzzles: Sequence[Puzzle], progress: Progress) -> Puzzle | None:
    """The untried puzzle that is closest to the person's rating; None if all were tried."""
    untried = [puzzle for puzzle in puzzles if puzzle.name not in progress.marks]
    rating = progress.rating.rating
    return min(untried, key=lambda each: (abs(each.rating - rating), each.name), default=None)


def missed_puzzle(puzzles: Sequence[Puzzle], progress: Progress) -> Puzzle | None:
    """The puzzle missed the longest time ago and not solved since; None if there is none."""
    by_name = {puzzle.name: puzzle for puzzle in puzzles}
    names = [name for name, mark in progress.marks.items() if mark == "missed" and name in by_name]
    last = {attempt.puzzle: number for number, attempt in enumerate(progress.attempts)}
    return by_name[min(names, key=last.__getitem__)] if names else None


def random_puzzle(puzzles: Sequence[Puzzle], seed: int) -> Puzzle:
    """One of the puzzles; the same seed gives the same."""
    return random.Random(seed).choice(puzzles)


def daily_puzzle(puzzles: Sequence[Puzzle], day: date) -> Puzzle:
    """The puzzle of the day; none comes twice before all others have come."""
    order = sorted(puzzles, key=lambda puzzle: puzzle.name)
    random.Random(0).shuffle(order)
    return order[day.toordinal() % len(order)]
