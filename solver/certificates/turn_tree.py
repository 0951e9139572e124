"""One turn of a seat as a tree of what it sees, walked by the rules in several worlds at once.

The worlds (`games.questions.Witness.worlds`) agree with what the seat has seen and differ in the
cards that it has not. As long as all of them offer the same moves and show the seat the same, the
rules do not look at unseen cards, and one tree stands for all worlds. Where the seat gets to see a
card, the tree has a branch for each kind that the card may be. Where the worlds differ in any other
way, there is no tree (`SecretsMatter`). Nothing is taken from the searches.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from games.questions import Finding, SecretsMatter, SupposedWorld, Witness
from games.registry import Game
from games.state import CHANCE, NOBODY, State
from solver.certificates.format import Seen

MOST_TURN_NODES: Final = 20_000
"""Nodes of the tree of one move."""

Facts = frozenset[Finding]


@dataclass(frozen=True)
class TurnNode:
    """A position of the turn, as far as the seat can tell."""

    who: str
    """`end`, `mine`, `theirs`, `chance`, or `seen`: the seat gets to see a card."""
    end: Hashable = None
    """At an end: what decides who wins; None if the seat does not win."""
    branches: tuple[TurnBranch, ...] = ()


@dataclass(frozen=True)
class TurnBranch:
    """A move, an outcome, or what a card turns out to be."""

    node: TurnNode
    words: str = ""
    weight: int = 1
    """Of an outcome of chance."""
    facts: Facts = frozenset()
    """At `seen`: what the seat finds out."""
    news: Seen = ()
    """What the seat perceives."""


@dataclass
class TurnWalker:
    """Grows the trees of one seat's turn."""

    rules: Game
    witness: Witness
    nodes: int = 0
    path: list[str] = field(default_factory=list)
    _started: dict[Facts, list[SupposedWorld]] = field(default_factory=dict)

    def moves(self) -> list[str]:
        """The moves that the seat has now."""
        world = self.start(frozenset())[0]
        return list(self.witness.offered(world, world.state))

    def start(self, facts: Facts) -> list[SupposedWorld]:
        if facts not in self._started:
            self._started[facts] = self.witness.worlds(facts)
        return self._started[facts]

    def tree(self, move: str) -> TurnBranch:
        """What follows a first move; SecretsMatter if that depends on more than the seat sees."""
        self.nodes = 0
        self.path = []
        worlds = self.start(frozenset())
        self.turn = int(worlds[0].state.turns)
        self.seat = int(worlds[0].state.actor)
        return self.after(worlds, [world.state for world in worlds], frozenset(), move)

    def after(
        self, worlds: list[SupposedWorld], states: list[State], facts: Facts, words: str
    ) -> TurnBranch:
        """The branch of this move or outcome, made in all worlds."""
        self.nodes += 1
        if self.nodes > MOST_TURN_NODES:
            raise SecretsMatter("the turn has too many positions")
        following, told, found = [], set(), set()
        for world, state in zip(worlds, states, strict=True):
            after = state.copy()
            after.record()
            move = self.witness.offered(world, state).get(words)
            if move is None:
                raise self.differs(f"'{words}' is not possible in every world")
            after.play(move)
            news, findings = self.witness.news(world, after, after.take_events(self.seat))
            following.append(after)
            told.add(news)
            found.add(frozenset(spot for spot, _ in findings))
        self.path.append(words)
        if len(found) > 1:
            raise self.differs("which cards the seat sees depends on unseen ones")
        (spots,) = found
        fresh = sorted(spots - {spot for spot, _ in facts})
        ends, over = self.ends(worlds, following)
        if over == len(worlds) and len(ends) == 1:
            branch = TurnBranch(TurnNode("end", ends.pop()), words)
        elif fresh:
            branch = TurnBranch(self.told_apart(facts, fresh), words)
        elif over or len(told) > 1 or self.differ(worlds, following):
            branch = TurnBranch(TurnNode("end", self.only_end(worlds, following)), words)
        else:
            (news,) = told
            branch = TurnBranch(self.grown(worlds, following, facts), words, news=news)
        self.path.pop()
        return branch

    def told_apart(self, facts: Facts, fresh: list[int]) -> TurnNode:
        """The seat sees these cards: one branch for each kind that they may be."""
        *before, words = self.path
        branches = []
        for kinds in product(self.witness.kinds(), repeat=len(fresh)):
            found = frozenset(zip(fresh, kinds, strict=True))
            worlds = self.start(facts | found)
            if not worlds:
                continue
            states = [self.replayed(world, before) for world in worlds]
            self.path.pop()
            branch = self.after(worlds, states, facts | found, words)
            self.path.append(words)
            branches.append(TurnBranch(branch.node, words, facts=found, news=branch.news))
        return TurnNode("seen", branches=tuple(branches))

    def replayed(self, world: SupposedWorld, moves: list[str]) -> State:
        state = world.state.copy()
        for words in moves:
            move = self.witness.offered(world, state).get(words)
            if move is None:
                raise self.differs(f"'{words}' is not possible in every world")
            state.play(move)
        return state

    def grown(self, worlds: list[SupposedWorld], states: list[State], facts: Facts) -> TurnNode:
        """The node of a position that is not the end of the turn."""
        if states[0].actor == CHANCE:
            pairs = zip(worlds, states, strict=True)
            weights = [self.witness.outcomes(world, state, facts) for world, state in pairs]
            if any(one != weights[0] for one in weights):
                raise self.differs("the outcomes of chance depend on unseen cards")
            branches = []
            for words, weight in weights[0].items():
                branch = self.after(worlds, states, facts, words)
                branches.append(TurnBranch(branch.node, words, weight, news=branch.news))
            return TurnNode("chance", branches=tuple(branches))
        moves = self.witness.offered(worlds[0], states[0])
        return TurnNode(
            "mine" if states[0].actor == self.seat else "theirs",
            branches=tuple(self.after(worlds, states, facts, words) for words in moves),
        )

    def differ(self, worlds: list[SupposedWorld], states: list[State]) -> bool:
        """Whether it depends on unseen cards who decides, or between what."""
        offered = {
            (int(state.actor), *sorted(self.witness.offered(world, state)))
            for world, state in zip(worlds, states, strict=True)
        }
        return len(offered) > 1

    def only_end(self, worlds: list[SupposedWorld], states: list[State]) -> Hashable:
        """How the turn ends, whatever anybody does from here on in these worlds."""
        found = set[Hashable]()
        for world, state in zip(worlds, states, strict=True):
            waiting = [state]
            while waiting:
                self.nodes += 1
                if self.nodes > MOST_TURN_NODES:
                    raise SecretsMatter("the turn has too many positions")
                here = waiting.pop()
                end = self.after_turn(here)
                if end is not None:
                    found.add(self.witness.end(world, end))
                    continue
                for move in here.moves():
                    following = here.copy()
                    following.play(move)
                    self.witness.news(world, following, ())
                    waiting.append(following)
        if len(found) > 1:
            raise self.differs("what happens depends on cards that the seat does not see")
        return found.pop()

    def ends(self, worlds: list[SupposedWorld], states: list[State]) -> tuple[set[Hashable], int]:
        """The ends of the turn in these worlds, and in how many it is over."""
        ended = [self.after_turn(state) for state in states]
        pairs = [(world, end) for world, end in zip(worlds, ended, strict=True) if end is not None]
        return {self.witness.end(world, end) for world, end in pairs}, len(pairs)

    def after_turn(self, state: State) -> State | None:
        """The state after this turn, if only drawing, discarding and refilling are left of it."""
        end = state
        while end.actor != NOBODY and end.turns == self.turn:
            if not self.rules.analysis.only_cleanup(end):
                return None
            end = end.copy()
            end.play(end.moves()[0])
        return end

    def differs(self, problem: str) -> SecretsMatter:
        after = f"after {'; '.join(self.path)}: " if self.path else ""
        return SecretsMatter(f"{after}{problem}")
