"""Searches for puzzles: asks questions about many endings and collects the best of them.

Endings are mined from games that were played, or composed at random.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from games.registry import Game
from games.seats import seat_name
from games.state import State
from solver.ask import Query
from solver.core.question import Others
from solver.puzzles.files import Puzzle
from solver.puzzles.quality import AGAINST, Candidate, Ending, Examiner, Tempts, puzzle_query
from solver.puzzles.themes import puzzle_material

SAME_ANSWERS: Final = 3
"""Puzzles of a collection with the same answer, at most."""
LONGER: Final = 0.3
"""The share of endings about which longer questions are asked as well."""
MOST_TURNS: Final = 3
_MOST_WORLDS: Final = 120
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
    nodes: int = 4000
    turns: int = 0
    """0: any number."""


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
    """Questions about the ending, in random order."""
    material = puzzle_material(wanted.game)
    denying, hiding = material.denial_theme, material.hidden_theme
    theme, position = wanted.theme, ending.position
    bare = replace(ending, position=material.without_luck(position))
    denied = f"deny:{seat_name(dice.randrange(1, position.players))}"
    often = 1.0 if wanted.turns else LONGER
    kinds: list[tuple[Ending, str, int, str]] = []
    if theme == hiding or (not theme and dice.random() < LONGER):
        hidden = material.hide_cards(dice, position)
        if hidden is not None and hidden.world_count() <= _MOST_WORLDS:
            kinds.append((replace(ending, position=hidden), "win", 1, AGAINST))
    if theme not in (denying, hiding):
        kinds.append((ending, "win", 1, AGAINST))
        if dice.random() < often:
            kinds += [(bare, "win", 2, AGAINST), (bare, "win", MOST_TURNS, AGAINST)]
            kinds.append((bare, "win", MOST_TURNS, Others.SELFISH.value))
    if theme == denying or (theme != hiding and dice.random() < often):
        kinds += [(bare, denied, 2, AGAINST), (bare, denied, MOST_TURNS, AGAINST)]
    dice.shuffle(kinds)
    for variant, goal, turns, others in kinds:
        if wanted.turns in (0, turns):
            yield variant, puzzle_query(wanted.game, variant.position, goal, turns, others)


# ---- a collection -----------------------------------------------------------------------------


class Collection:
    """The puzzles so far, including those that existed before; no two are alike."""

    def __init__(self, wanted: Wanted, tempts: Tempts, known: Iterable[Puzzle] = ()) -> None:
        self.wanted = wanted
        self.examiner = Examiner(tempts, wanted.nodes)
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
                if self._is_new(simplest):
                    used.add(ending.number)
                    self._note(simplest.solution.query, simplest.answer, theme)
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
        answer, players = candidate.answer, candidate.position.players
        fitting = [
            theme
            for theme in candidate.themes
            if self.wanted.theme in ("", theme) and (answer, theme, players) not in self.alike
        ]
        if not fitting or self.answers[answer] >= SAME_ANSWERS:
            return ""
        return min(fitting, key=lambda theme: self.themes[theme])

    def _note(self, query: Query, answer: str, theme: str) -> None:
        self.themes[theme] += 1
        self.answers[answer] += 1
        self.alike.add((answer, theme, query.position.players))
        self.asked.add((str(query.position), query.goal))
