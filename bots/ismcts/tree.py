"""Information set Monte Carlo tree search over any game that keeps the contract. Compiled.

Every iteration draws a world from the searching seat's View and walks down the tree as far as it
reaches, one new node per iteration, then plays the world out. A node stands for what its owner can
tell apart: face-down choices of others are one branch (`State.observed_move`). Children not legal in the
present world are passed over, and how often a child was there to be chosen takes the place of the
parent's visits in the selection rule.

With one tree everything is seen from the searching seat. With a tree per seat each seat chooses in
a tree of its own, in which its own face-down choices are told apart and everybody else's are not.
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
"""No node: numbering starts at 1."""

MOST_DRAWS: Final = 16
"""Worlds drawn for one iteration under a leaning, before any will do."""

LOOK_UP: Final = 64
"""Iterations between two looks at the clock, at Ctrl-C and at whether the best move is settled."""


class Search:
    """A tree for one decision of one seat, which can be carried over to the seat's next one."""

    def __init__(self, seat: i64, players: i64, move_limit: i64) -> None:
        self.seat: i64 = seat
        self.players: i64 = players
        self.exploration: float = 0.7
        self.own_trees: bool = False
        """A tree per seat instead of one."""
        self.eager: bool = False
        """Playouts with eager moves instead of random ones."""
        self.horizon: i64 = FOREVER
        """Decisions of a playout after which it is broken off and judged (`State.win_estimates`)."""
        self.roles: i64 = 0
        self.leaning: vec[float] = vec[float]()
        """Without roles nothing; else how credible each role of each seat is, at most 1."""
        self.drawn: i64 = 0
        self.weights: float = 0.0
        self.squares: float = 0.0
        """Of the worlds drawn under a leaning: how many, their weights and the squares of these."""
        self.iterations: i64 = 0
        """Iterations done so far in this tree."""
        self.simulated: i64 = 0
        """Decisions made in all worlds so far."""
        self.room: i64 = 4096
        self.nodes: i64 = 1
        self.first: vec[i64] = vec[i64]([0] * 4096)
        self.next: vec[i64] = vec[i64]([0] * 4096)
        self.move: vec[i64] = vec[i64]([0] * 4096)
        self.mover: vec[i64] = vec[i64]([0] * 4096)
        self.visits: vec[i64] = vec[i64]([0] * 4096)
        self.there: vec[i64] = vec[i64]([0] * 4096)
        """How often the node could have been chosen."""
        self.wins: vec[float] = vec[float]([0.0] * 4096)
        self.roots: vec[i64] = vec[i64]([0] * players)
        self.at: vec[i64] = vec[i64]([0] * players)
        self.credit: vec[float] = vec[float]([0.0] * players)
        self.child_of_move: vec[i64] = vec[i64]([0] * move_limit)
        self.path: vec[i64] = vec[i64]([0] * 4096)
        self.depth: i64 = 0
        for owner in range(players):
            self.roots[owner] = self.new_node(NONE, 0, 0)

    # ---- the tree -------------------------------------------------------------------------

    def new_node(self, parent: i64, move: i64, mover: i64) -> i64:
        if self.nodes == self.room:
            self.make_room()
        node = self.nodes
        self.nodes += 1
        self.move[node] = move
        self.mover[node] = mover
        if parent != NONE:
            self.next[node] = self.first[parent]
            self.first[parent] = node
        return node

    def make_room(self) -> None:
        self.first = doubled(self.first)
        self.next = doubled(self.next)
        self.move = doubled(self.move)
        self.mover = doubled(self.mover)
        self.visits = doubled(self.visits)
        self.there = doubled(self.there)
        wins = vec[float]([0.0] * (2 * self.room))
        for i in range(self.room):
            wins[i] = self.wins[i]
        self.wins = wins
        self.room *= 2

    def child(self, node: i64, move: i64) -> i64:
        k = self.first[node]
        while k != NONE and self.move[k] != move:
            k = self.next[k]
        return k

    def follow(self, move: i64) -> None:
        """The seat made this move and is to decide again: go on in the part of the tree below.

        Only with one tree: how the other seats perceived the move is not known here.
        """
        found = self.child(self.roots[self.seat], move)
        if found == NONE:
            found = self.new_node(NONE, move, self.seat)
        self.roots[self.seat] = found

    # ---- searching ------------------------------------------------------------------------

    def run(self, view: View, rng: Rng, iterations: i64, seconds: float) -> None:
        """Search until the iterations are done, the time (if any) is up, or nothing can change."""
        started = perf_counter()
        for i in range(iterations):
            self.iterate(self.draw(view, rng), rng)
            if i % LOOK_UP == LOOK_UP - 1:
                let_signals_in()
                if seconds > 0.0 and perf_counter() - started > seconds:
                    return
                if self.decided(iterations - i - 1):
                    return

    def lean(self, roles: i64, credence: list[float]) -> None:
        """Draw worlds according to how credible each role of each seat is (roles of seat 0 first).

        The most credible role of every seat has 1, so that a world weighs 1 at most.
        """
        self.roles = roles
        self.leaning = vec[float](credence)

    def draw(self, view: View, rng: Rng) -> State:
        """A world that agrees with the View; under a leaning, mostly one whose roles do too."""
        world = view.sample(rng)
        if self.roles == 0:
            return world
        for _ in range(MOST_DRAWS):
            weight = 1.0
            for seat in range(self.players):
                role = world.role(seat)
                if seat != self.seat and role >= 0:
                    weight *= self.leaning[seat * self.roles + role]
            self.drawn += 1
            self.weights += weight
            self.squares += weight * weight
            if float(rng.below(1 << 30)) < weight * float(1 << 30):
                return world
            world = view.sample(rng)
        return world

    def effective(self) -> float:
        """The share of the worlds drawn that would say as much without a leaning (Kish)."""
        if self.drawn == 0:
            return 1.0
        return self.weights * self.weights / (self.squares * float(self.drawn))

    def decided(self, left: i64) -> bool:
        """Whether the most visited move stays so, whatever the remaining iterations bring."""
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
            if self.eager:
                self.simulated += world.rollout(rng, self.horizon)
            else:
                self.simulated += world.playout(rng, self.horizon)
        self.learn(world)

    def step(self, world: State, rng: Rng) -> bool:
        """Choose and play one move in the tree; False once the tree has grown."""
        actor = world.actor
        owner = actor if self.own_trees else self.seat
        node = self.at[owner]
        mine = owner == actor
        known = self.nodes
        branch = self.choose(world, node, mine, rng)
        move = branch if mine else self.unveil(world, branch, rng)
        veiled = world.observed_move(move)
        if self.own_trees:
            for other in range(self.players):
                self.enter(other, actor, move if other == actor else veiled)
        else:
            self.enter(owner, actor, branch)
        world.play(move)
        return self.nodes == known

    def enter(self, owner: i64, mover: i64, move: i64) -> None:
        """Go down one branch in the owner's tree, growing it where it ends."""
        node = self.at[owner]
        found = self.child(node, move)
        if found == NONE:
            found = self.new_node(node, move, mover)
            self.there[found] = 1
        self.at[owner] = found
        if self.depth == len(self.path):
            self.path = doubled(self.path)
        self.path[self.depth] = found
        self.depth += 1

    def choose(self, world: State, node: i64, mine: bool, rng: Rng) -> i64:
        """The branch to take: one not tried yet if there is any, else the most promising."""
        child_of_move = self.child_of_move
        k = self.first[node]
        while k != NONE:
            child_of_move[self.move[k]] = k
            k = self.next[k]
        legal = world.legal
        untried: i64 = 0
        fresh: i64 = -1
        best = -1.0
        promising: i64 = -1
        for i in range(world.count):
            move = legal[i]
            if not mine:
                move = world.observed_move(move)
            k = child_of_move[move]
            if k == NONE:
                untried += 1
                if rng.below(untried) == 0:
                    fresh = move
                continue
            if k < 0:
                continue  # face-down moves that look alike count once
            child_of_move[move] = -k
            self.there[k] += 1
            visits = float(self.visits[k])
            if visits == 0.0:
                value = 1e9
            else:
                bonus = sqrt(log(float(self.there[k])) / visits)
                value = self.wins[k] / visits + self.exploration * bonus
            if value > best:
                best = value
                promising = move
        k = self.first[node]
        while k != NONE:
            child_of_move[self.move[k]] = NONE
            k = self.next[k]
        return fresh if untried > 0 else promising

    def unveil(self, world: State, branch: i64, rng: Rng) -> i64:
        """One of the legal moves that look like this branch, each equally likely."""
        alike: i64 = 0
        chosen: i64 = branch
        for i in range(world.count):
            if world.observed_move(world.legal[i]) == branch:
                alike += 1
                if rng.below(alike) == 0:
                    chosen = world.legal[i]
        return chosen

    def learn(self, world: State) -> None:
        """Credit every node on the path to the seat that moved there."""
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
        """The most visited of the moves; among equals the more successful, then the lowest."""
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

    def table(self) -> list[tuple[int, int, float]]:
        """(move, visits, share won) of every move tried at the root, most visited first."""
        rows: list[tuple[int, int, float]] = []
        k = self.first[self.roots[self.seat]]
        while k != NONE:
            visits: int = self.visits[k]
            share = self.wins[k] / float(self.visits[k]) if visits else 0.0
            rows.append((self.move[k], visits, share))
            k = self.next[k]
        rows.sort(key=by_visits)
        return rows


def by_visits(row: tuple[int, int, float]) -> tuple[int, int]:
    return -row[1], row[0]


def doubled(old: vec[i64]) -> vec[i64]:
    many = len(old)
    new = vec[i64]([0] * (2 * many))
    for i in range(i64(many)):
        new[i] = old[i]
    return new
