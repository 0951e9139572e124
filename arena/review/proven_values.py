"""What the solver can prove about the moves of a decision: values within the current turn.

A win that is certain this turn is worth 1, whatever comes later. Any other chance to win this turn
is the value of a move only if the game surely ends with the turn, and if no other player's choice
can change how it ends; otherwise it is no more than a lower bound.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from games.questions import Case
from games.registry import Game, read_position
from games.seats import seat_name
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View
from solver.answer import Answer, solve_open
from solver.ask import Query, solve_query
from solver.core.budget import NodeBudget
from solver.core.question import Question, win
from solver.search.alpha_beta import OpenSearch, after

_GLIMPSES: Final = 3
"""Worlds in which to see whether a turn can end the game."""

_Ends = frozenset[Hashable]


@dataclass(frozen=True)
class Proven:
    """What is proven about a move."""

    low: float
    """The chance to win this turn, at least: it cannot be worth less."""
    exact: bool
    """Whether it is worth just that."""


class TurnTable(Protocol):
    """A table on which a turn can be played to its end."""

    def cases(self, state: State, move: int) -> list[Case] | None:
        """The tables on which the move does what it really would; None if they are not known."""

    def drawn(self, state: State) -> list[Case] | None:
        """The same for cards that have been drawn."""

    def end(self, state: State) -> Hashable:
        """What decides who wins on a finished table."""


class _OpenTable:
    """A table with nothing unseen."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def cases(self, state: State, move: int) -> list[Case] | None:  # noqa: ARG002
        return self.drawn(state)

    def drawn(self, state: State) -> list[Case] | None:
        return [Case(frozenset(), state)]

    def end(self, state: State) -> Hashable:
        return bool(state.wins(self.seat))


def proven_with_open_cards(state: State, nodes: int) -> dict[int, Proven]:
    """What is proven about every move if all cards are open."""
    question = _question(int(state.actor))
    answer = solve_open(question, state, NodeBudget(nodes), lines=False)
    return _proven(answer, question, _OpenTable(question.seat), state, nodes)


def proven_by_view(rules: Game, view: View, nodes: int) -> dict[int, Proven]:
    """What is proven about every move by what the seat knows; nothing in another player's turn.

    Nothing is tried if the turn cannot end the game in any of a few sampled worlds.
    """
    rng = Rng(1)
    if not any(_can_end(view.sample(rng), nodes) for _ in range(_GLIMPSES)):
        return {}
    unseen = rules.analysis.unseen(view, 1)
    if unseen is None or rules.positions is None:
        return {}
    position = read_position(rules, rules.positions.write_view(view))
    query = Query(rules, position, sight="own", view=view)
    # The nodes of a review limit the search, not the odds.
    budget = NodeBudget(nodes)
    answer = solve_query(query, budget, tick=budget.check_time).answer
    return _proven(answer, _question(view.seat), unseen, unseen.table, nodes)


def _question(seat: int) -> Question:
    return Question(seat, win(seat, seat_name(seat)), horizon=1)


def _proven(
    answer: Answer, question: Question, table: TurnTable, root: State, nodes: int
) -> dict[int, Proven]:
    ends = TurnEnds(question, table, root, NodeBudget(nodes))
    proven = {}
    for value in answer.values:
        low, high = value.likely
        exact = low == 1 or (low == high and ends.after(root, value.move) is not None)
        proven[value.move] = Proven(float(low), exact)
    return proven


def _can_end(state: State, nodes: int) -> bool:
    """Whether some line of this turn ends the game; also True if that takes too long to see."""
    question, known = _question(int(state.actor)), set[bytes]()
    deadline, waiting = question.deadline(state), [state]
    while waiting and len(known) < nodes:
        table = waiting.pop()
        for move in dict.fromkeys(table.moves()):
            following = table.copy()
            following.play(move)
            if question.verdict(following, deadline) is None:
                key = following.key()
                if key not in known:
                    known.add(key)
                    waiting.append(following)
            elif following.actor == NOBODY:
                return True
    return bool(waiting)


class TurnEnds:
    """The ways in which the current turn can end the game."""

    def __init__(
        self, question: Question, table: TurnTable, root: State, budget: NodeBudget
    ) -> None:
        self.question = question
        self.table = table
        self.budget = budget
        self.deadline = question.deadline(root)
        self.known: dict[bytes, _Ends | None] = {}

    def after(self, state: State, move: int) -> _Ends | None:
        """How the game may end this turn after the move.

        None if it need not end, or that is not known, or another player chooses between the ends.
        """
        cases = self.table.cases(state, move)
        if cases is None:
            return None
        return _united(self._reached(after(case.table, move)) for case in cases)

    def _reached(self, state: State) -> _Ends | None:
        """The same for a position."""
        if not self.budget.spend():
            return None
        if self.question.verdict(state, self.deadline) is not None:
            over = state.actor == NOBODY
            return frozenset([self.table.end(state)]) if over else None
        key = state.key()
        if key not in self.known:
            self.known[key] = self._below(state)
        return self.known[key]

    def _below(self, state: State) -> _Ends | None:
        cases = self.table.drawn(state)
        if cases is None:
            return None
        if len(cases) > 1 or cases[0].facts:
            return _united(self._reached(case.table) for case in cases)
        ends = _united(self.after(state, move) for move in dict.fromkeys(state.moves()))
        free = state.actor in (self.question.seat, CHANCE)
        return ends if ends is None or free or len(ends) == 1 else None


def _united(parts: Iterable[_Ends | None]) -> _Ends | None:
    """All of these ends; None if any part is not known."""
    ends: _Ends = frozenset()
    for part in parts:
        if part is None:
            return None
        ends |= part
    return ends


def proven_line(state: State, move: int, nodes: int) -> list[int]:
    """The move, and the best play of all sides in the rest of the turn with all cards open."""
    search = OpenSearch(_question(int(state.actor)), state, NodeBudget(nodes), jumps=True)
    search.values()
    return [step for _, step in search.line(move)]
