"""What makes a good puzzle: a single answer, a tempting mistake, and nothing superfluous."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
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
from solver.certificates.checker import check_certificate
from solver.certificates.writer import certify
from solver.core.budget import NodeBudget
from solver.core.question import Others
from solver.puzzles.themes import puzzle_material, themes

AGAINST: Final = Others.COALITION.value
LEAST_VALUE: Final = Fraction(1, 3)
"""A smaller chance would hardly be called a solution."""
LARGEST_DENOMINATOR: Final = 12
"""Chances with a larger one cannot be worked out in one's head."""
PROBE: Final = 4
"""A first look gets this fraction of the node budget of a proof: one in PROBE."""

Tempts = Callable[[Solution, Collection[int]], bool]
"""Whether a hasty player misses these answers."""


@dataclass(frozen=True)
class Ending:
    """A position to ask about, with seat A to move, and where it comes from."""

    position: PosedPosition
    source: str
    number: int
    """The number of the game, or of the try."""


@dataclass(frozen=True)
class Candidate:
    """A question that could become a puzzle.

    It has a single answer, or several that come to the same: not to play a card.
    """

    ending: Ending
    solution: Solution
    moves: tuple[int, ...]
    """The best first moves."""
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
    def answers(self) -> list[str]:
        return [self.game.text.move(self.state, move) for move in self.moves]

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
    quiet: bool = False
    """Whether only answers are wanted that play no card; programs find these easily."""

    def glance(self, ending: Ending, query: Query) -> Candidate | None:
        """As `examine`, with a smaller budget."""
        return replace(self, nodes=self.nodes // PROBE).examine(ending, query)

    def examine(self, ending: Ending, query: Query) -> Candidate | None:
        """A candidate, if the question has one kind of answer, and a hasty player misses it."""
        try:
            solution = solve_query(query, NodeBudget(self.nodes), every_world=True)
        except GameError:
            return None
        answer = solution.answer
        best = answer.best
        nothing_hidden = solution.hidden and len(solution.worlds) == 1
        if not answer.exact or nothing_hidden or not self._fitting(solution):
            return None
        moves, value = tuple(each.move for each in best), best[0].likely[0]
        if value < LEAST_VALUE or value.denominator > LARGEST_DENOMINATOR:
            return None
        if self.quiet or self.tempts(solution, moves):
            return Candidate(ending, solution, moves, value, themes(solution))
        return None

    def _fitting(self, solution: Solution) -> bool:
        """Whether there is enough to choose from, and one best move, or only quiet ones."""
        material, answer = puzzle_material(solution.query.game), solution.answer
        single = len(answer.best) == 1 and not self.quiet
        enough = material.enough_choices([each.move for each in answer.values])
        fewer = len(answer.best) < len(answer.values)
        return enough and (single or (fewer and self._quiet(solution)))

    def _quiet(self, solution: Solution) -> bool:
        """Whether all best moves play no card."""
        material = puzzle_material(solution.query.game)
        return all(material.is_quiet(each.move) for each in solution.answer.best)

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

    def certified(self, candidate: Candidate) -> bool:
        """Whether the answer has a certificate that the checker accepts without much work."""
        try:
            checked = check_certificate(certify(candidate.solution, NodeBudget(2 * self.nodes)))
        except GameError:
            return False
        return not checked.open and checked.positions <= self.nodes

    def _first_equal(
        self, candidate: Candidate, queries: Iterable[Query], theme: str
    ) -> Candidate | None:
        """The first of the queries with the same answer, value and theme."""
        for query in queries:
            ending = replace(candidate.ending, position=query.position)
            simpler = self.examine(ending, query)
            if simpler is not None and theme in simpler.themes:
                if (simpler.moves, simpler.value) == (candidate.moves, candidate.value):
                    return simpler
        return None


def _plainer(candidate: Candidate) -> Iterator[Query]:
    """The candidate's question with fewer turns, without a deck, or with others who oppose it."""
    query = candidate.solution.query
    asked = (candidate.position, candidate.turns, query.others)
    for turns in range(1, candidate.turns + 1):
        positions = [candidate.position]
        if turns == 1:
            # Hardly anything is drawn before this turn ends, so the deck need not be named.
            full = candidate.material.with_full_deck(candidate.position)
            positions = [full, *positions] if full is not None else positions
        for position in positions:
            for others in dict.fromkeys((AGAINST, query.others)):
                if (position, turns, others) != asked:
                    yield puzzle_query(query.game, position, query.goal, turns, others)
