"""Information set Monte Carlo tree search (ISMCTS) over any game that implements State. Compiled.

Every iteration determinizes the searching seat's View (samples one world that agrees with it),
descends the tree, adds one node and plays the world out. A node stands for what the tree's owner
can tell apart: other seats' face-down moves share a branch (`State.observed_move`). Not every child
is legal in every world, so UCB uses a child's availability count, not its parent's visits.

With one tree (SO-ISMCTS) everything is seen from the searching seat. With a tree per seat
(MO-ISMCTS) each seat selects in its own tree, where it tells its own face-down moves apart, and
nobody else's.
"""

from __future__ import annotations

from math import log, sqrt
from time import perf_counter
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engine import let_signals_in
from games.state import CHANCE, FOREVER, NOBODY, Rng, State
from games.view import View

NONE: Final = 0
"""No node; real nodes are numbered from 1."""

MOST_DRAWS: Final = 16
"""Worlds rejected because of the prior before the next one is accepted regardless."""

CHECK_INTERVAL: Final = 64
"""Iterations between checks of the clock, of Ctrl-C and of whether the best move is settled."""

CAPACITY: Final = 4096
"""Nodes that fit before the arrays grow for the first time."""


class Search:
    """The search tree of one decision; the seat's next decision in the same turn can reuse it."""

    def __init__(self, seat: i64, players: i64, move_limit: i64, capacity: i64 = CAPACITY) -> None:
        self.seat: i64 = seat
        self.players: i64 = players
        self.exploration: float = 0.7
        self.tree_per_seat: bool = False
        """MO-ISMCTS: a tree per seat instead of one tree."""
        self.eager_rollouts: bool = False
        """Play worlds out with `State.rollout` instead of random moves."""
        self.horizon: i64 = FOREVER
        """Decisions after which a playout stops and is scored by `State.win_estimates`."""
        self.roles: i64 = 0
        self.prior: vec[float] = vec[float]()
        """By seat and role, at most 1; unused while `roles` is 0. See `set_prior`."""
        self.drawn: i64 = 0
        self.weights: float = 0.0
        self.squares: float = 0.0
        """Worlds drawn under a prior: their number, the sum of their weights and of the squares."""
        self.role_weights: vec[float] = vec[float]()
        """By seat and role like `prior`: the weights of the worlds drawn since it was set."""
        self.iterations: i64 = 0
        """Iterations run in this tree so far."""
        self.simulated: i64 = 0
        """Decisions made in all worlds so far."""
        self.capacity: i64 = capacity
        self.nodes: i64 = 1
        self.first: vec[i64] = vec[i64]([0] * capacity)
        self.next: vec[i64] = vec[i64]([0] * capacity)
        self.move: vec[i64] = vec[i64]([0] * capacity)
        self.mover: vec[i64] = vec[i64]([0] * capacity)
        self.visits: vec[i64] = vec[i64]([0] * capacity)
        self.availability: vec[i64] = vec[i64]([0] * capacity)
        """Visits to the parent at which this node was legal."""
        self.wins: vec[float] = vec[float]([0.0] * capacity)
        self.roots: vec[i64] = vec[i64]([0] * players)
        self.at: vec[i64] = vec[i64]([0] * players)
        self.credit: vec[float] = vec[float]([0.0] * players)
        self.child_of_move: vec[i64] = vec[i64]([0] * move_limit)
        self.path: vec[i64] = vec[i64]([0] * capacity)
        self.depth: i64 = 0
        for owner in range(players):
            self.roots[owner] = self.new_node(NONE, 0, 0)

    # ---- the tree -------------------------------------------------------------------------

    def new_node(self, parent: i64, move: i64, mover: i64) -> i64:
        if self.nodes == self.capacity:
            self.grow()
        node = self.nodes
        self.nodes += 1
        self.move[node] = move
        self.mover[node] = mover
        if parent != NONE:
            self.next[node] = self.first[parent]
            self.first[parent] = node
        return node

    def grow(self) -> None:
        self.first = doubled(self.first)
        self.next = doubled(self.next)
        self.move = doubled(self.move)
        self.mover = doubled(self.mover)
        self.visits = doubled(self.visits)
        self.availability = doubled(self.availability)
        wins = vec[float]([0.0] * (2 * self.capacity))
        for i in range(self.capacity):
            wins[i] = self.wins[i]
        self.wins = wins
        self.capacity *= 2

    def child(self, node: i64, move: i64) -> i64:
        k = self.first[node]
        while k != NONE and self.move[k] != move:
            k = self.next[k]
        return k

    def follow(self, move: i64) -> None:
        """Make the child reached by the seat's own move the new root.

        Only with one tree: how the other seats perceived the move is not known here.
        """
        root = self.child(self.roots[self.seat], move)
        if root == NONE:
            root = self.new_node(NONE, move, self.seat)
        self.roots[self.seat] = root

    # ---- searching ------------------------------------------------------------------------

    def run(self, view: View, rng: Rng, iterations: i64, seconds: float) -> None:
        """Search until iterations or seconds (0: no limit) run out, or the best move is settled."""
        started = perf_counter()
        for i in range(iterations):
            self.iterate(self.determinize(view, rng), rng)
            if i % CHECK_INTERVAL == CHECK_INTERVAL - 1:
                let_signals_in()
                if seconds > 0.0 and perf_counter() - started > seconds:
                    return
                if self.is_settled(iterations - i - 1):
                    return

    def set_prior(self, roles: i64, prior: list[float]) -> None:
        """Weight worlds by the likelihood of each role of each seat (roles of seat 0 first).

        The likeliest role of every seat has 1, so no world weighs more than 1.
        """
        self.roles = roles
        self.prior = vec[float](prior)
        self.role_weights = vec[float]([0.0] * len(prior))

    def determinize(self, view: View, rng: Rng) -> State:
        """A world that agrees with the View; with a prior, accepted in proportion to its weight."""
        world = view.sample(rng)
        if self.roles == 0:
            return world
        most: i64 = MOST_DRAWS
        for _ in range(most):
            weight = 1.0
            for seat in range(self.players):
                role = world.role(seat)
                if seat != self.seat and role >= 0:
                    weight *= self.prior[seat * self.roles + role]
            for seat in range(self.players):
                role = world.role(seat)
                if seat != self.seat and role >= 0:
                    self.role_weights[seat * self.roles + role] += weight
            self.drawn += 1
            self.weights += weight
            self.squares += weight * weight
            if float(rng.below(1 << 30)) < weight * float(1 << 30):
                return world
            world = view.sample(rng)
        return world

    def effective_share(self) -> float:
        """Effective sample size (Kish) of the worlds drawn, as a share of their number."""
        if self.drawn == 0:
            return 1.0
        return self.weights * self.weights / (self.squares * float(self.drawn))

    def is_settled(self, left: i64) -> bool:
        """Whether the remaining iterations cannot change which move is most visited."""
        best: i64 = 0
        second: i64 = 0
        k = self.first[self.roots[self.seat]]
        while k != NONE:
            visits = self.visits[k]
            if visits > best:
                second = best
                best = visits
            elif visits > second:
                second = visits
            k = self.next[k]
        return best - second > left

    def iterate(self, world: State, rng: Rng) -> None:
        self.iterations += 1
        self.depth = 0
        for owner in range(self.players):
            self.at[owner] = self.roots[owner]
        growing = True
        while growing and world.actor != NOBODY:
            if world.actor == CHANCE:
                world.sample_chance(rng)
            else:
                growing = self.step(world, rng)
                self.simulated += 1
        if world.actor != NOBODY:
            if self.eager_rollouts:
                self.simulated += world.rollout(rng, self.horizon)
            else:
                self.simulated += world.playout(rng, self.horizon)
        self.backpropagate(world)

    def step(self, world: State, rng: Rng) -> bool:
        """Select and play one move in the tree; False once the tree has grown."""
        actor = world.actor
        owner = actor if self.tree_per_seat else self.seat
        node = self.at[owner]
        own_move = owner == actor
        nodes_before = self.nodes
        branch = self.select(world, node, own_move, rng)
        move = branch if own_move else self.sample_hidden_move(world, branch, rng)
        observed = world.observed_move(move)
        if self.tree_per_seat:
            for other in range(self.players):
                self.enter(other, actor, move if other == actor else observed)
        else:
            self.enter(owner, actor, branch)
        world.play(move)
        return self.nodes == nodes_before

    def enter(self, owner: i64, mover: i64, move: i64) -> None:
        """Descend one branch of the owner's tree; expand it if the branch is new."""
        parent = self.at[owner]
        node = self.child(parent, move)
        if node == NONE:
            node = self.new_node(parent, move, mover)
            self.availability[node] = 1
        self.at[owner] = node
        if self.depth == len(self.path):
            self.path = doubled(self.path)
        self.path[self.depth] = node
        self.depth += 1

    def select(self, world: State, node: i64, own_move: bool, rng: Rng) -> i64:
        """A random untried branch if there is one, else the branch with the highest UCB value."""
        child_of_move = self.child_of_move
        k = self.first[node]
        while k != NONE:
            child_of_move[self.move[k]] = k
            k = self.next[k]
        legal = world.legal
        untried: i64 = 0
        expanded: i64 = -1
        best = -1.0
        best_move: i64 = -1
        for i in range(world.count):
            move = legal[i]
            if not own_move:
                move = world.observed_move(move)
            k = child_of_move[move]
            if k == NONE:
                untried += 1
                if rng.below(untried) == 0:
                    expanded = move
                continue
            if k < 0:
                continue  # face-down moves that look alike are one branch
            child_of_move[move] = -k
            self.availability[k] += 1
            visits = float(self.visits[k])
            if visits == 0.0:
                value = 1e9
            else:
                bonus = sqrt(log(float(self.availability[k])) / visits)
                value = self.wins[k] / visits + self.exploration * bonus
            if value > best:
                best = value
                best_move = move
        k = self.first[node]
        while k != NONE:
            child_of_move[self.move[k]] = NONE
            k = self.next[k]
        return expanded if untried > 0 else best_move

    def sample_hidden_move(self, world: State, branch: i64, rng: Rng) -> i64:
        """A legal move that looks like this branch to others, uniformly at random."""
        alike: i64 = 0
        chosen: i64 = branch
        for i in range(world.count):
            if world.observed_move(world.legal[i]) == branch:
                alike += 1
                if rng.below(alike) == 0:
                    chosen = world.legal[i]
        return chosen

    def backpropagate(self, world: State) -> None:
        """Add the result to every node on the path, from the view of the seat that moved there."""
        credit = self.credit
        if world.actor == NOBODY:
            for seat in range(self.players):
                credit[seat] = 1.0 if world.wins(seat) else 0.0
        else:
            credit = world.win_estimates()
        for i in range(self.depth):
            node = self.path[i]
            self.visits[node] += 1
            self.wins[node] += credit[self.mover[node]]

    # ---- results --------------------------------------------------------------------------

    def best(self, moves: list[int]) -> int:
        """The most visited of the moves; ties go to the higher win rate, then the lower number."""
        root = self.roots[self.seat]
        choice = moves[0]
        most = -1.0
        for move in moves:
            k = self.child(root, move)
            if k == NONE:
                continue
            visits = self.visits[k]
            if visits == 0:
                continue
            rank = float(visits) + 0.5 * self.wins[k] / float(visits)
            if rank > most:
                most = rank
                choice = move
        return choice

    def role_tally(self) -> list[float]:
        """By seat and role: the weight of the worlds, drawn for this decision, with that role."""
        return list(self.role_weights)

    def table(self) -> list[tuple[int, int, float]]:
        """(move, visits, win rate) of every move tried at the root, most visited first."""
        rows: list[tuple[int, int, float]] = []
        k = self.first[self.roots[self.seat]]
        while k != NONE:
            visits: int = self.visits[k]
            share = self.wins[k] / float(self.visits[k]) if visits else 0.0
            rows.append((self.move[k], visits, share))
            k = self.next[k]
        rows.sort(key=_by_visits)
        return rows


def _by_visits(row: tuple[int, int, float]) -> tuple[int, int]:
    return -row[1], row[0]


def doubled(old: vec[i64]) -> vec[i64]:
    size = len(old)
    new = vec[i64]([0] * (2 * size))
    for i in range(i64(size)):
        new[i] = old[i]
    return new
