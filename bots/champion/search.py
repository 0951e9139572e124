"""The tree search of `champion`: worlds are judged by a network at the end of a turn. Compiled.

It descends and grows the tree as `bots.ismcts.tree.Search` does. Then plausible moves finish the
running turn, and the network says how likely each seat is to win. In the middle of a turn it would
judge cards that are just being moved.

With a policy, moves are selected by PUCT: the policy's share of a move says how much it deserves
to be tried. With a belief, worlds get the roles of the other seats from it, not by rejection.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from bots.champion.network import Network
from bots.champion.policy import MovePolicy
from bots.ismcts.tree import NONE, Search
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View

EVEN_SHARE: Final = 0.1
"""How much of the prior is spread evenly over all moves."""


class ValueSearch(Search):
    """A search whose worlds are judged by a network."""

    def __init__(self, seat: i64, players: i64, move_limit: i64, network: Network) -> None:
        super().__init__(seat, players, move_limit)
        self.network: Network = network
        self.policy: MovePolicy | None = None
        self.trust: float = 0.0
        """The constant of PUCT; 0 for plain UCB."""
        self.share_of_move: vec[float] = vec[float]([0.0] * move_limit)
        self.assignments: i64 = 0
        self.assigned: vec[i64] = vec[i64]()
        """Role after role, seat after seat, of every possible assignment."""
        self.summed: vec[float] = vec[float]()
        """The probability of each assignment and all before it."""

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

    def determinize(self, view: View, rng: Rng) -> State:
        if self.assignments == 0:
            return super().determinize(view, rng)
        world = view.sample(rng)
        last = self.assignments - 1
        aim = (float(rng.below(1 << 26)) + 0.5) / 67108864.0 * self.summed[last]
        low: i64 = 0
        while low < last:
            middle = (low + last) >> 1
            if self.summed[middle] > aim:
                last = middle
            else:
                low = middle + 1
        for seat in range(self.players):
            if seat != self.seat:
                world.assume_role(seat, self.assigned[low * self.players + seat])
        return world

    def iterate(self, world: State, rng: Rng) -> None:
        self.iterations += 1
        self.depth = 0
        for owner in range(self.players):
            self.at[owner] = self.roots[owner]
        growing = True
        turn = world.turns
        while growing and world.actor != NOBODY:
            if world.actor == CHANCE:
                world.sample_chance(rng)
            else:
                turn = world.turns
                growing = self.step(world, rng)
                self.simulated += 1
        self.finish_turns(world, turn + 1, rng)
        self.backpropagate(world)

    def finish_turns(self, world: State, stop: i64, rng: Rng) -> None:
        """Play plausible moves until so many turns are completed and a seat must decide."""
        while world.actor != NOBODY:
            if world.actor == CHANCE:
                world.sample_chance(rng)
            elif world.turns >= stop:
                return
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
        for i in range(self.depth):
            node = self.path[i]
            self.visits[node] += 1
            self.wins[node] += credit[self.mover[node]]

    def select(self, world: State, node: i64, own_move: bool, rng: Rng) -> i64:
        policy = self.policy
        if policy is None or self.trust == 0.0 or world.count == 1:
            return super().select(world, node, own_move, rng)
        return self.select_by_policy(policy, world, node, own_move)

    def select_by_policy(self, policy: MovePolicy, world: State, node: i64, own_move: bool) -> i64:
        """The branch with the highest value plus PUCT bonus; untried ones have their parent's."""
        total = policy.weigh(world)
        shares = policy.odds
        share_of_move = self.share_of_move
        child_of_move = self.child_of_move
        k = self.first[node]
        while k != NONE:
            child_of_move[self.move[k]] = k
            k = self.next[k]
        legal = world.legal
        even = EVEN_SHARE / float(world.count)
        visits: i64 = 0
        wins = 0.0
        for i in range(world.count):
            move = legal[i] if own_move else world.observed_move(legal[i])
            if share_of_move[move] == 0.0:
                k = child_of_move[move]
                visits += self.visits[k]
                wins += self.wins[k]
                self.availability[k] += 1
            share_of_move[move] += (1.0 - EVEN_SHARE) * shares[i] / total + even
        mean = wins / float(visits) if visits > 0 else 0.5
        spread = self.trust * sqrt(float(visits + 1))
        best = -1.0
        best_move: i64 = -1
        for i in range(world.count):
            move = legal[i] if own_move else world.observed_move(legal[i])
            share = share_of_move[move]
            if share == 0.0:
                continue  # face-down moves that look alike are one branch
            share_of_move[move] = 0.0
            k = child_of_move[move]
            tried = float(self.visits[k])
            value = self.wins[k] / tried if tried > 0.0 else mean
            value += spread * share / (1.0 + tried)
            if value > best:
                best = value
                best_move = move
        k = self.first[node]
        while k != NONE:
            child_of_move[self.move[k]] = NONE
            k = self.next[k]
        return best_move
