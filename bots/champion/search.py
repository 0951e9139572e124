"""The tree search of `champion`: worlds are judged by a network at the end of a turn. Compiled.

It descends and grows a tree as `bots.ismcts.tree.Search` does. Then plausible moves finish the
running turn, and the network says how likely each seat is to win. In the middle of a turn it would
judge cards that are just being moved.

Worlds are drawn once per decision and visited in turn. What a world is worth before the move is
taken off what it is worth after it: chances differ more between worlds than between moves, so a
move is known after far fewer visits (a control variate).

With a policy, moves are selected by PUCT: the policy's share of a move says how much it deserves
to be tried. A seat knows its own role, so the moves of another seat are counted for each role it
has in a world. With a belief, worlds get the roles of the other seats from it, not by rejection.

Where seats know little of what a world holds, a tree would let them choose as if they knew it all.
There other seats move as the policy says (`modelled`), only this seat's moves are searched, and the
tree ends with the running turn (`reach`).
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from bots.champion.network import Network
from bots.champion.policy import MovePolicy
from bots.ismcts.tree import CAPACITY, NONE, Search, doubled
from games.state import CHANCE, FOREVER, MOMENTS, MOST_MOVES, NOBODY, Rng, State
from games.view import View
from games.world_belief import WorldBelief, case_at

EVEN_SHARE: Final = 0.1
"""How much of the prior is spread evenly over all moves."""

MOST_ROUNDS: Final = 8
"""Visits to each of the worlds before others are drawn: more would search what they have in common
by chance."""


class ValueSearch(Search):
    """A search whose worlds are judged by a network."""

    def __init__(
        self,
        seat: i64,
        players: i64,
        move_limit: i64,
        roles: i64,
        network: Network,
        capacity: i64 = CAPACITY,
    ) -> None:
        super().__init__(seat, players, move_limit * (roles + 1) + MOMENTS, capacity)
        self.network: Network = network
        self.move_limit: i64 = move_limit
        self.policy: MovePolicy | None = None
        self.trust: float = 0.0
        """The constant of PUCT; 0 for plain UCB."""
        self.contrast: float = 1.0
        """How much of a world's worth before the move is taken off."""
        self.ahead: i64 = 0
        """Turns that quick moves play after the running one before a world is judged."""
        self.modelled: bool = False
        """Whether other seats move as the policy says, instead of as suits them best."""
        self.reach: i64 = 0
        """Turns that the tree may reach into, the running one included; 0: no limit."""
        self.patience: float = 1.0
        """The share of the remaining visits that the runner-up may need to become the most visited
        move: if it needs more, the search ends."""
        self.belief: WorldBelief | None = None
        """Where roles move: which worlds are likely."""
        self.odds: vec[float] = vec[float]([0.0] * self.capacity)
        """By node: what the policy thought of the move when it was first seen."""
        self.moments: vec[i64] = vec[i64]([-1] * self.capacity)
        """By node: the kind of the first decision that came up there."""
        self.variants: i64 = move_limit * (roles + 1)
        """The first of the numbers of branches that stand for a kind of decision."""
        self.available: vec[i64] = vec[i64]([0] * MOST_MOVES)
        """The nodes of the legal moves of one decision."""
        self.assignments: i64 = 0
        self.assigned: vec[i64] = vec[i64]()
        """Role after role, seat after seat, of every possible assignment."""
        self.summed: vec[float] = vec[float]()
        """The probability of each assignment and all before it."""
        self.worlds: list[State] = []
        """The worlds of this decision."""
        self.world: i64 = 0
        """The number of the world that is searched now."""
        self.rounds: i64 = 0
        """How often each of the worlds has been visited."""
        self.spare: State | None = None
        self.worth: vec[float] = vec[float]()
        """By world and seat: chances before the move, as differences from the mean."""

    def grow(self) -> None:
        super().grow()
        odds = vec[float]([0.0] * self.capacity)
        moments = vec[i64]([-1] * self.capacity)
        for i in range(i64(len(self.odds))):
            odds[i] = self.odds[i]
            moments[i] = self.moments[i]
        self.odds = odds
        self.moments = moments

    def at_moment(self, node: i64, moment: i64) -> i64:
        """The node, or the one below it for decisions of that kind if it had another kind first.

        Equal moves may bring different cards to light, and different decisions with them.
        """
        if self.moments[node] < 0:
            self.moments[node] = moment
        if self.moments[node] == moment:
            return node
        variant = self.child(node, self.variants + moment)
        if variant == NONE:
            variant = self.new_node(node, self.variants + moment, self.seat)
            self.moments[variant] = moment
        return variant

    def stand_at(self, moment: i64) -> None:
        """After `follow`: a decision of that kind has come up."""
        self.roots[self.seat] = self.at_moment(self.roots[self.seat], moment)

    # ---- worlds ---------------------------------------------------------------------------

    def set_belief(self, assignments: list[list[int]], chances: list[float]) -> None:
        """Give worlds the roles of one of these assignments, with these probabilities."""
        self.assignments = len(assignments)
        flat: list[int] = []
        sums: list[float] = []
        total = 0.0
        for i in range(len(assignments)):
            flat.extend(assignments[i])
            total += chances[i]
            sums.append(total)
        self.assigned = vec[i64](flat)
        self.summed = vec[float](sums)

    def draw_worlds(self, view: View, rng: Rng, count: i64) -> None:
        """Draw the worlds of a decision, and judge them."""
        self.worlds = []
        self.world = -1
        self.rounds = 0
        self.worth = vec[float]([0.0] * (count * self.players))
        mean = vec[float]([0.0] * self.players)
        for i in range(count):
            world = view.sample(rng)
            if self.assignments > 0:
                self.assign(world, (float(i) + drawn_fraction(rng)) / float(count))
            elif self.belief is not None:
                self.belief.spread(world, (float(i) + drawn_fraction(rng)) / float(count))
            self.worlds.append(world)
        # In any order: assignments are drawn evenly from the first to the last.
        for i in range(count - 1, 0, -1):
            j = rng.below(i + 1)
            kept = self.worlds[i]
            self.worlds[i] = self.worlds[j]
            self.worlds[j] = kept
        for i in range(count):
            self.network.evaluate(self.worlds[i], self.credit)
            for seat in range(self.players):
                self.worth[i * self.players + seat] = self.credit[seat]
                mean[seat] += self.credit[seat] / float(count)
        for i in range(count):
            for seat in range(self.players):
                self.worth[i * self.players + seat] -= mean[seat]

    def assign(self, world: State, aim: float) -> None:
        """Give the other seats the roles of the assignment at that share of all probability."""
        at = case_at(self.summed, aim) * self.players
        for seat in range(self.players):
            if seat != self.seat:
                world.assume_role(seat, self.assigned[at + seat])

    def determinize(self, view: View, rng: Rng) -> State:
        """The next of the worlds that were drawn for this decision; new ones after some rounds."""
        self.world += 1
        if self.world == len(self.worlds):
            self.world = 0
            self.rounds += 1
            if self.rounds == MOST_ROUNDS:
                self.draw_worlds(view, rng, len(self.worlds))
                self.world = 0
        world = self.worlds[self.world].copy_into(self.spare)
        self.spare = world
        return world

    # ---- searching ------------------------------------------------------------------------

    def is_settled(self, left: i64) -> bool:
        """Whether the remaining iterations are unlikely to change which move is most visited."""
        return super().is_settled(i64(float(left) * self.patience))

    def iterate(self, world: State, rng: Rng) -> None:
        self.iterations += 1
        self.depth = 0
        for owner in range(self.players):
            self.at[owner] = self.roots[owner]
        policy = self.policy if self.trust > 0.0 else None
        growing = True
        turn = world.turns
        last = turn + self.reach if self.reach > 0 else i64(FOREVER)
        while growing and world.actor != NOBODY:
            if world.actor == CHANCE:
                world.sample_chance(rng)
                continue
            if world.turns >= last:
                break
            turn = world.turns
            self.simulated += 1
            idle = world.idle_move()
            if idle >= 0:
                world.play(idle)
                continue
            if policy is not None and world.count == 1:
                world.play(world.legal[0])
                continue
            self.at[self.seat] = self.at_moment(self.at[self.seat], world.moment())
            if policy is None:
                growing = self.step(world, rng)
            elif self.modelled and world.actor != self.seat:
                growing = self.follow_policy(policy, world, rng)
            else:
                growing = self.descend(policy, world, rng)
        self.finish_turns(world, turn + 1 + self.ahead, rng)
        self.backpropagate(world)

    def finish_turns(self, world: State, stop: i64, rng: Rng) -> None:
        """Play plausible moves until so many turns are completed and a seat must decide."""
        while world.actor != NOBODY:
            if world.actor == CHANCE:
                world.sample_chance(rng)
            elif world.turns >= stop:
                return
            else:
                policy = self.policy
                if self.modelled and policy is not None:
                    idle = world.idle_move()
                    world.play(idle if idle >= 0 else policy.sample(world, rng))
                else:
                    world.play(world.rollout_move(rng))
                self.simulated += 1

    def backpropagate(self, world: State) -> None:
        credit = self.credit
        if world.actor == NOBODY:
            for seat in range(self.players):
                credit[seat] = 1.0 if world.wins(seat) else 0.0
        else:
            self.network.evaluate(world, credit)
        if self.contrast > 0.0:
            at = self.world * self.players
            for seat in range(self.players):
                credit[seat] -= self.contrast * self.worth[at + seat]
        for i in range(self.depth):
            node = self.path[i]
            self.visits[node] += 1
            self.wins[node] += credit[self.mover[node]]

    def first_branch(self, world: State) -> i64:
        """Where the branches of the seat to move begin, each set numbered apart from the others.

        This seat's own moves, those of seats that follow the policy, or those of the seat's role.
        """
        if world.actor == self.seat:
            return 0
        return self.move_limit * (1 if self.modelled else world.role(world.actor) + 1)

    def follow_policy(self, policy: MovePolicy, world: State, rng: Rng) -> bool:
        """Play a move of another seat by its policy; False if it was never seen before."""
        move = policy.sample(world, rng)
        branch = self.first_branch(world) + world.observed_move(move)
        self.enter(self.seat, world.actor, branch)
        world.play(move)
        return self.visits[self.at[self.seat]] > 0

    def descend(self, policy: MovePolicy, world: State, rng: Rng) -> bool:
        """Select a move by PUCT and play it; False if it was never tried before."""
        actor = world.actor
        own_move = actor == self.seat
        parent = self.at[self.seat]
        offset = self.first_branch(world)
        count = self.find_children(policy, world, parent, own_move, offset)
        node = self.best_of(count)
        move = self.move[node] - offset
        if not own_move:
            move = self.sample_hidden_move(world, move, rng)
        self.at[self.seat] = node
        if self.depth == len(self.path):
            self.path = doubled(self.path)
        self.path[self.depth] = node
        self.depth += 1
        world.play(move)
        return self.visits[node] > 0

    def find_children(
        self, policy: MovePolicy, world: State, parent: i64, own_move: bool, offset: i64
    ) -> i64:
        """Fill `available` with the nodes of the legal moves; returns how many there are."""
        child_of_move = self.child_of_move
        k = self.first[parent]
        while k != NONE:
            child_of_move[self.move[k]] = k
            k = self.next[k]
        oldest_new = self.nodes
        legal = world.legal
        weighed = False
        count: i64 = 0
        for i in range(world.count):
            move = legal[i] if own_move else world.observed_move(legal[i])
            k = child_of_move[offset + move]
            if k == NONE:
                if not weighed:
                    policy.weigh(world)
                    weighed = True
                k = self.new_node(parent, offset + move, world.actor)
                self.odds[k] = policy.odds[i]
            elif k < 0:  # face-down moves that look alike are one branch
                if -k >= oldest_new:
                    self.odds[-k] += policy.odds[i]
                continue
            child_of_move[offset + move] = -k
            self.available[count] = k
            count += 1
        k = self.first[parent]
        while k != NONE:
            child_of_move[self.move[k]] = NONE
            k = self.next[k]
        return count

    def best_of(self, count: i64) -> i64:
        """The available node with the highest value plus PUCT bonus.

        Untried ones are as good as the mean of the others.
        """
        available = self.available
        total = 0.0
        visits: i64 = 0
        wins = 0.0
        for i in range(count):
            k = available[i]
            total += self.odds[k]
            visits += self.visits[k]
            wins += self.wins[k]
        mean = wins / float(visits) if visits > 0 else 0.5
        spread = self.trust * sqrt(float(visits + 1))
        even = EVEN_SHARE / float(count)
        best = -1e9
        chosen: i64 = NONE
        for i in range(count):
            k = available[i]
            tried = float(self.visits[k])
            value = self.wins[k] / tried if tried > 0.0 else mean
            share = (1.0 - EVEN_SHARE) * self.odds[k] / total + even
            value += spread * share / (1.0 + tried)
            if value > best:
                best = value
                chosen = k
        return chosen


def drawn_fraction(rng: Rng) -> float:
    """A number between 0 and 1."""
    return (float(rng.below(1 << 26)) + 0.5) / 67108864.0
