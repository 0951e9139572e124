"""Searches for puzzles: asks questions about many endings and collects the best of them.

Endings are mined from games that were played, or composed at random.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from games.puzzle_material import PosedQuestion, PuzzleMaterial
from games.registry import Game
from games.state import State
from solver.ask import Query
from solver.puzzles.files import Puzzle
from solver.puzzles.quality import Candidate, Ending, Examiner, Tempts, puzzle_query
from solver.puzzles.themes import puzzle_material

SAME_ANSWERS: Final = 6
"""Puzzles of a collection with the same answer, at most."""
QUESTIONS: Final = 5
"""Questions asked about an ending, at most."""
MOST_TURNS: Final = 3
TRIES_PER_PUZZLE: Final = 4000
"""Composed endings looked at for each puzzle wanted, at most."""


@dataclass(frozen=True)
class Wanted:
    """Which puzzles to make, and how large their proofs may be."""

    game: Game
    count: int
    players: tuple[int, ...]
    theme: str = ""
    seed: int = 0
    nodes: int = 20_000
    turns: int = 0
    """0: any number."""
    quiet: bool = False
    """Whether only answers are wanted that play no card."""


# ---- endings ----------------------------------------------------------------------------------


def mined(rules: Game, states: Iterable[tuple[State, str, int]]) -> Iterator[Ending]:
    """The states near the end of their game; each comes with its source and its game's number."""
    material = puzzle_material(rules)
    for state, source, number in states:
        position = material.ending_of(state)
        if position is not None:
            yield Ending(position, source, number)


def composed(wanted: Wanted) -> Iterator[Ending]:
    """Random endings that suit the theme."""
    material = puzzle_material(wanted.game)
    dice = random.Random(wanted.seed)
    source = f"composed, seed {wanted.seed}"
    for number in range(TRIES_PER_PUZZLE * wanted.count):
        position = material.random_ending(dice, dice.choice(wanted.players), wanted.theme)
        if position is not None:
            yield Ending(position, source, number)


# ---- questions --------------------------------------------------------------------------------


def puzzle_queries(
    dice: random.Random, ending: Ending, wanted: Wanted
) -> Iterator[tuple[Ending, Query]]:
    """Some questions about the ending that fit what is wanted, in random order."""
    material = puzzle_material(wanted.game)
    questions = [
        question
        for question in material.questions(dice, ending.position)
        if wanted.turns in (0, question.turns) and _may_fit(material, question, wanted.theme)
    ]
    dice.shuffle(questions)
    most = len(questions) if wanted.quiet else QUESTIONS  # quiet answers are rare
    for position, goal, turns, others in questions[:most]:
        variant = replace(ending, position=position)
        yield variant, puzzle_query(wanted.game, position, goal, turns, others)


def _may_fit(material: PuzzleMaterial, question: PosedQuestion, theme: str) -> bool:
    """Whether an answer to the question could have the theme; "": any."""
    hidden = bool(question.position.unknowns())
    if hidden or theme == material.hidden_theme:
        return hidden and theme in ("", material.hidden_theme)
    denying = question.goal.startswith("deny")
    return denying or not theme or theme != material.denial_theme


# ---- a collection -----------------------------------------------------------------------------


class Collection:
    """The puzzles so far, including those that existed before; no two are alike."""

    def __init__(self, wanted: Wanted, tempts: Tempts, known: Iterable[Puzzle] = ()) -> None:
        self.wanted = wanted
        self.examiner = Examiner(tempts, wanted.nodes, wanted.quiet)
        self.themes = Counter[str]()
        self.answers = Counter[str]()
        self.alike: set[tuple[str, str, int]] = set()
        """Answer, theme and number of players."""
        self.asked: set[tuple[str, str]] = set()
        """Position and goal."""
        self.looked = 0
        """Endings looked at."""
        for puzzle in known:
            self._note(puzzle.query, puzzle.answer[0], puzzle.theme)

    def gather(self, endings: Iterable[Ending]) -> Iterator[tuple[Candidate, str]]:
        """Candidates with their themes, one per game, until there are as many as wanted."""
        dice = random.Random(self.wanted.seed)
        used: set[int] = set()
        for ending in endings:
            if len(used) == self.wanted.count:
                return
            if ending.number in used:
                continue
            self.looked += 1
            for candidate, theme in self._candidates(dice, ending):
                simplest = self.examiner.simplified(candidate, theme)
                if self._is_new(simplest) and self.examiner.certified(simplest):
                    used.add(ending.number)
                    self._note(simplest.solution.query, simplest.answers[0], theme)
                    yield simplest, theme
                    break

    def _candidates(self, dice: random.Random, ending: Ending) -> Iterator[tuple[Candidate, str]]:
        """The candidates of this ending that are unlike all others, with their themes."""
        for variant, query in puzzle_queries(dice, ending, self.wanted):
            candidate = self.examiner.glance(variant, query)
            if candidate is not None and (theme := self._theme(candidate)):
                shorter = self.examiner.shortened(candidate, theme)
                if self.wanted.turns in (0, shorter.turns):
                    yield shorter, theme

    def _is_new(self, candidate: Candidate) -> bool:
        """Whether it still takes the turns that are wanted, and has not been asked before."""
        query = candidate.solution.query
        fits = self.wanted.turns in (0, candidate.turns)
        return fits and (str(query.position), query.goal) not in self.asked

    def _theme(self, candidate: Candidate) -> str:
        """The rarest of its themes so far; "" if it would be like another puzzle."""
        answer, players = candidate.answers[0], candidate.position.players
        fitting = [
            theme
            for theme in candidate.themes
            if self.wanted.theme in ("", theme)
            and (self.wanted.quiet or (answer, theme, players) not in self.alike)
        ]
        if not fitting or (self.answers[answer] >= SAME_ANSWERS and not self.wanted.quiet):
            return ""
        return min(fitting, key=lambda theme: self.themes[theme])

    def _note(self, query: Query, answer: str, theme: str) -> None:
        self.themes[theme] += 1
        self.answers[answer] += 1
        self.alike.add((answer, theme, query.position.players))
        self.asked.add((str(query.position), query.goal))
