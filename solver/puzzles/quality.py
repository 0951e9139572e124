"""What makes a good puzzle: one answer, a temptation, and nothing on the table without a use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from games.errors import GameError
from games.hidden_leaders.positions.notation import Position
from games.hidden_leaders.positions.simplify import thinner
from games.hidden_leaders.positions.worlds import PosedTable
from games.hidden_leaders.rules.cards import RETAIL
from games.hidden_leaders.rules.constants import Move
from games.registry import game
from solver.ask import Asked, Solved, read_horizon, solve
from solver.core.budget import NodeBudget
from solver.core.question import Others
from solver.puzzles.themes import themes

GAME: Final = "hidden-leaders"
AGAINST: Final = Others.COALITION.value
FEWEST_PLAYS: Final = 3
"""Heroes that may be played first, at least: of two, one would be guessed."""
LEAST_VALUE: Final = Fraction(1, 2)
"""A smaller chance would hardly be called a solution."""
PROBE: Final = 4
"""Of the effort for a proof, the part that a first look may cost."""

Tempts = Callable[[Solved, int], bool]
"""Whether a hasty player chooses something else than this answer."""


@dataclass(frozen=True)
class Ending:
    """A table to be asked about, seat A to move, and where it comes from."""

    position: Position
    source: str
    number: int
    """Which game, or which try."""


@dataclass(frozen=True)
class Find:
    """A question with a single answer."""

    ending: Ending
    solved: Solved
    move: int
    value: Fraction
    themes: tuple[str, ...]

    @property
    def position(self) -> Position:
        return self.ending.position

    @property
    def turns(self) -> int:
        return read_horizon(self.solved.asked.horizon)

    @property
    def answer(self) -> str:
        return self.solved.asked.game.text.move(self.solved.worlds[0], self.move)


def asked(position: Position, goal: str, turns: int, others: str) -> Asked:
    """The question as a puzzle's file would ask it."""
    horizon = "turn" if turns == 1 else str(turns)
    return Asked(game(GAME), PosedTable(position), goal, horizon, others)


@dataclass(frozen=True)
class Finder:
    """Tells questions worth asking from others, and takes from them what they can spare."""

    tempts: Tempts
    nodes: int
    """Positions that a proof may take."""

    def glance(self, ending: Ending, question: Asked) -> Find | None:
        """As `find`, with less effort."""
        return replace(self, nodes=self.nodes // PROBE).find(ending, question)

    def find(self, ending: Ending, question: Asked) -> Find | None:
        """The find, if the question has a single answer and somebody is tempted to miss it."""
        try:
            solved = solve(question, NodeBudget(self.nodes))
        except GameError:
            return None
        answer = solved.answer
        best = answer.best
        plays = sum(one.move < Move.DISCARD for one in answer.values)
        known = solved.hidden and len(solved.worlds) == 1
        if not answer.exact or len(best) != 1 or plays < FEWEST_PLAYS or known:
            return None
        move, value = best[0].move, best[0].likely[0]
        if value >= LEAST_VALUE and self.tempts(solved, move):
            return Find(ending, solved, move, value, themes(solved))
        return None

    def shortened(self, found: Find, theme: str) -> Find:
        """The find with the plainest question that has the same answer."""
        return self._kept(found, _plainer(found), theme) or found

    def thinned(self, found: Find, theme: str) -> Find:
        """The find without whatever its answer, value and theme can do without."""
        while (less := self._one_less(found, theme)) is not None:
            found = less
        return found

    def _one_less(self, found: Find, theme: str) -> Find | None:
        return self._kept(found, (*_plainer(found), *_emptier(found)), theme)

    def _kept(
        self, found: Find, simpler: Iterable[tuple[Position, Asked]], theme: str
    ) -> Find | None:
        """The first of the simpler questions with the same answer, value and theme."""
        for position, question in simpler:
            if position.problems():
                continue
            ending = replace(found.ending, position=position)
            less = self.find(ending, replace(question, position=PosedTable(position)))
            if less is None or (less.move, less.value) != (found.move, found.value):
                continue
            if theme in less.themes:
                return less
        return None


# ---- simpler questions ------------------------------------------------------------------------


def _plainer(found: Find) -> Iterator[tuple[Position, Asked]]:
    """The find's question with fewer turns, or with others who simply are against it."""
    question = found.solved.asked
    turns = found.turns
    for fewer in range(1, turns + 1):
        plainer = asked(found.position, question.goal, fewer, AGAINST)
        tables = [found.position]
        if fewer == 1 and not found.solved.hidden:
            # Hardly anything is drawn before this turn is over: the deck need not be told.
            tables.insert(0, replace(found.position, deck=RETAIL))
        for position in tables:
            if (position, fewer, AGAINST) != (found.position, turns, question.others):
                yield position, plainer


def _emptier(found: Find) -> Iterator[tuple[Position, Asked]]:
    for position in thinner(found.position):
        yield position, found.solved.asked
