"""Programs that try puzzles like a person: they know the goal and see what the puzzle shows.

Each picks a first move. They differ in how far they look, from one's own choices to a tree search.
With hidden cards each picture they form is of one of the puzzle's worlds, drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import log, sqrt
from typing import Final

from games.seats import seat_from_name
from games.state import CHANCE, NOBODY, Rng, State
from solver.ask import Solution
from solver.core.question import Others, Question
from solver.search.alpha_beta import after

GLANCE_DEPTH: Final = 4
GLANCE_POSITIONS: Final = 400
PLAYOUTS: Final = 24
"""Random playouts of each first move."""
_EXPLORATION: Final = 0.7
_SETTLED: Final = 1000.0
"""More than any heuristic says of an unfinished game."""

MovePicker = Callable[["PuzzleTask", Rng], int]


@dataclass(frozen=True)
class PuzzleTask:
    """A puzzle as its solvers see it."""

    worlds: tuple[State, ...]
    question: Question
    rival: int
    """The seat that must not win; NOBODY if there is none."""
    wins: bool
    """Whether the solving seat itself is to win."""

    @property
    def moves(self) -> list[int]:
        return self.worlds[0].moves()

    def world(self, rng: Rng) -> State:
        return self.worlds[rng.below(len(self.worlds))]

    def deadline(self) -> int:
        return self.question.deadline(self.worlds[0])


def puzzle_task(solution: Solution) -> PuzzleTask:
    """The task that the solution is about."""
    goal, _, who = solution.query.goal.partition(":")
    rival = seat_from_name(who) if who else NOBODY
    # The solvers may walk lines that proofs leave out, so nothing is watched.
    question = replace(solution.answer.question, watch=None)
    return PuzzleTask(solution.worlds, question, rival, goal == "win")


# ---- a glance ---------------------------------------------------------------------------------


def glance(task: PuzzleTask, rng: Rng) -> int:
    """The move after which the table looks best once all own choices of the turn are made."""
    looker = _Glance(task)
    world = task.world(rng)
    scores = {move: looker.score(world, move, GLANCE_DEPTH) for move in task.moves}
    best = max(scores.values())
    return rng.choice([move for move, score in scores.items() if score == best])


class _Glance:
    """Looks over own choices only, until another seat or chance must decide."""

    def __init__(self, task: PuzzleTask) -> None:
        self.task = task
        self.deadline = task.deadline()
        self.left = GLANCE_POSITIONS

    def score(self, state: State, move: int, depth: int) -> float:
        following = after(state, move)
        self.left -= 1
        verdict = self.task.question.verdict(following, self.deadline)
        if verdict is not None:
            return _SETTLED if verdict else -_SETTLED
        if following.actor != self.task.question.seat or depth == 1 or self.left <= 0:
            return self.outlook(following)
        return max(self.score(following, own, depth - 1) for own in following.moves())

    def outlook(self, state: State) -> float:
        """How good an undecided table looks for the goal."""
        if self.task.rival != NOBODY:
            return -float(state.heuristic(self.task.rival))
        return float(state.heuristic(self.task.question.seat)) if self.task.wins else 0.0


# ---- playouts ---------------------------------------------------------------------------------


def playout_shares(task: PuzzleTask, rng: Rng) -> dict[int, float]:
    """For every first move, the share of random playouts that reach the goal."""
    deadline = task.deadline()
    shares = {}
    for move in task.moves:
        states = (after(task.world(rng), move) for _ in range(PLAYOUTS))
        shares[move] = sum(_played_out(task, state, deadline, rng) for state in states) / PLAYOUTS
    return shares


def playouts(task: PuzzleTask, rng: Rng) -> int:
    """The move whose random playouts reach the goal most often."""
    shares = playout_shares(task, rng)
    best = max(shares.values())
    return rng.choice([move for move, share in shares.items() if share == best])


def _played_out(task: PuzzleTask, state: State, deadline: int, rng: Rng) -> bool:
    while (verdict := task.question.verdict(state, deadline)) is None:
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(rng.choice(state.moves()))
    return verdict


# ---- tree search ------------------------------------------------------------------------------


@dataclass
class _Node:
    """Statistics of a position: visits and reward of each move, from the view of who moves."""

    visits: dict[int, int] = field(default_factory=dict)
    rewards: dict[int, float] = field(default_factory=dict)
    then: dict[tuple[int, int], _Node] = field(default_factory=dict)
    """By move and world."""

    def select(self, moves: list[int], rng: Rng) -> int:
        """A move not tried yet, or the one with the highest upper confidence bound."""
        untried = [move for move in moves if move not in self.visits]
        if untried:
            return rng.choice(untried)
        total = log(sum(self.visits[move] for move in moves))

        def bound(move: int) -> float:
            visits = self.visits[move]
            return self.rewards[move] / visits + _EXPLORATION * sqrt(total / visits)

        return max(moves, key=bound)


class TreeSearch:
    """UCT towards the goal: the others oppose it, play at random or for themselves, as posed."""

    def __init__(self, iterations: int) -> None:
        self.iterations = iterations

    def __call__(self, task: PuzzleTask, rng: Rng) -> int:
        root = _Node()
        for _ in range(self.iterations):
            self._iterate(task, root, rng)
        return max(task.moves, key=lambda move: (root.visits.get(move, 0), -move))

    def _iterate(self, task: PuzzleTask, root: _Node, rng: Rng) -> None:
        world = rng.below(len(task.worlds))
        state, node, deadline = task.worlds[world].copy(), root, task.deadline()
        path: list[tuple[_Node, int, int]] = []
        fresh = False
        while not fresh and (verdict := task.question.verdict(state, deadline)) is None:
            actor = int(state.actor)
            if actor == CHANCE:
                move = int(state.sample_chance(rng))
            else:
                moves = state.moves()
                if actor != task.question.seat and task.question.others is Others.RANDOM:
                    move = rng.choice(moves)
                else:
                    move = node.select(moves, rng)
                    path.append((node, actor, move))
                    fresh = move not in node.visits
                state.play(move)
            node = node.then.setdefault((move, world), _Node())
        reached = _played_out(task, state, deadline, rng) if fresh else bool(verdict)
        for visited, actor, move in path:
            visited.visits[move] = visited.visits.get(move, 0) + 1
            reward = self._reward(task, actor, state, reached)
            visited.rewards[move] = visited.rewards.get(move, 0.0) + reward

    @staticmethod
    def _reward(task: PuzzleTask, actor: int, end: State, reached: bool) -> float:
        if actor == task.question.seat:
            return float(reached)
        if task.question.others is Others.SELFISH:
            return float(end.actor == NOBODY and end.wins(actor))
        return float(not reached)
