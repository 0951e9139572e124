"""What makes a good puzzle: a single answer, a tempting mistake, and nothing superfluous."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Final

from games.errors import GameError
from games.puzzle_material import PuzzleMaterial
from games.questions import PosedPosition
from games.registry import Game
from games.state import State
from solver.ask import Query, Solution, read_horizon, solve_query
from solver.core.budget import NodeBudget
from solver.core.question import Others
from solver.puzzles.themes import puzzle_material, themes

AGAINST: Final = Others.COALITION.value
FEWEST_PLAYS: Final = 3
"""Cards that could be played first, at least; one of two would be guessed."""
LEAST_VALUE: Final = Fraction(1, 2)
"""A smaller chance would hardly be called a solution."""
PROBE: Final = 4
"""A first look gets this fraction of the node budget of a proof: one in PROBE."""

Tempts = Callable[[Solution, int], bool]
"""Whether a hasty player misses this answer."""


@dataclass(frozen=True)
class Ending:
    """A position to ask about, with seat A to move, and where it comes from."""

    position: PosedPosition
    source: str
    number: int
    """The number of the game, or of the try."""


@dataclass(frozen=True)
class Candidate:
    """A question with a single answer that could become a puzzle."""

    ending: Ending
    solution: Solution
    move: int
    value: Fraction
    themes: tuple[str, ...]

    @property
    def position(self) -> PosedPosition:
        return self.ending.position

    @property
    def game(self) -> Game:
        return self.solution.query.game

    @property
    def material(self) -> PuzzleMaterial:
        return puzzle_material(self.game)

    @property
    def state(self) -> State:
        return self.solution.worlds[0]

    @property
    def turns(self) -> int:
        return read_horizon(self.solution.query.horizon)

    @property
    def answer(self) -> str:
        return self.game.text.move(self.state, self.move)

    @property
    def denied(self) -> str:
        """The letter of the seat that must not win; "" if the goal is to win."""
        return self.solution.query.goal.partition(":")[2]


def puzzle_query(rules: Game, position: PosedPosition, goal: str, turns: int, others: str) -> Query:
    """The question as a puzzle file would put it."""
    horizon = "turn" if turns == 1 else str(turns)
    return Query(rules, position, goal, horizon, others)


@dataclass(frozen=True)
class Examiner:
    """Picks the questions that make good puzzles, and simplifies them."""

    tempts: Tempts
    nodes: int
    """Positions that a proof may visit."""

    def glance(self, ending: Ending, query: Query) -> Candidate | None:
        """As `examine`, with a smaller budget."""
        return replace(self, nodes=self.nodes // PROBE).examine(ending, query)

    def examine(self, ending: Ending, query: Query) -> Candidate | None:
        """A candidate, if the question has a single answer that a hasty player misses."""
        try:
            solution = solve_query(query, NodeBudget(self.nodes), every_world=True)
        except GameError:
            return None
        answer = solution.answer
        best = answer.best
        material = puzzle_material(query.game)
        plays = sum(material.is_play(value.move) for value in answer.values)
        nothing_hidden = solution.hidden and len(solution.worlds) == 1
        if not answer.exact or len(best) != 1 or plays < FEWEST_PLAYS or nothing_hidden:
            return None
        move, value = best[0].move, best[0].likely[0]
        if value >= LEAST_VALUE and self.tempts(solution, move):
            return Candidate(ending, solution, move, value, themes(solution))
        return None

    def shortened(self, candidate: Candidate, theme: str) -> Candidate:
        """The candidate with the plainest question that has the same answer."""
        return self._first_equal(candidate, _plainer(candidate), theme) or candidate

    def simplified(self, candidate: Candidate, theme: str) -> Candidate:
        """The candidate without anything that answer, value and theme do not need."""
        while True:
            query = candidate.solution.query
            positions = candidate.material.simpler(candidate.position)
            emptier = (replace(query, position=position) for position in positions)
            simpler = self._first_equal(candidate, chain(_plainer(candidate), emptier), theme)
            if simpler is None:
                return candidate
            candidate = simpler

    def _first_equal(
        self, candidate: Candidate, queries: Iterable[Query], theme: str
    ) -> Candidate | None:
        """The first of the queries with the same answer, value and theme."""
        for query in queries:
            ending = replace(candidate.ending, position=query.position)
            simpler = self.examine(ending, query)
            if simpler is not None and theme in simpler.themes:
                if (simpler.move, simpler.value) == (candidate.move, candidate.value):
                    return simpler
        return None


def _plainer(candidate: Candidate) -> Iterator[Query]:
    """The candidate's question with fewer turns, or with others who simply oppose the goal."""
    query = candidate.solution.query
    for turns in range(1, candidate.turns + 1):
        positions = [candidate.position]
        if turns == 1 and not candidate.solution.hidden:
            # Hardly anything is drawn before this turn ends, so the deck need not be named.
            full = candidate.material.with_full_deck(candidate.position)
            positions = [full, *positions] if full is not None else positions
        for position in positions:
            same = (position, turns, AGAINST) == (candidate.position, candidate.turns, query.others)
            if not same:
                yield puzzle_query(query.game, position, query.goal, turns, AGAINST)
