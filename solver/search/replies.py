"""What a coalition can do about any hand that the solving seat may draw for its last turn.

If the seat draws, the others act, and then the seat acts once more and no further, the moves of the
others mostly do not depend on what it drew. So the tree of their moves is grown once for all hands.
At its leaves the seat's last turn begins, and each card is tried there once, alone: a hand is worth
what its best card is worth. The tree is grown only as far as hands ask for it.

Moves that read the seat's hand are tried with each hand. What reads the piles is tried on tables
that cover all that may lie there (`State.pile_variants`), which gives a lower and an upper bound.
So bounds hold whatever is drawn later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.state import CHANCE, NO_MOVE, Rest, State
from solver.core.budget import MAX_DEPTH, NodeBudget
from solver.core.question import Question
from solver.core.ratio import (
    ALWAYS,
    NEVER,
    Ratio,
    divided,
    larger,
    plus,
    smaller,
    times,
)

HandBounds = tuple[Ratio, Ratio]
_OPEN: Final[HandBounds] = (NEVER, ALWAYS)
_LOST: Final[HandBounds] = (NEVER, NEVER)
_WON: Final[HandBounds] = (ALWAYS, ALWAYS)

MOST_REST: Final = 2
"""Cards that a seat holds besides one, at most, when its turn begins."""
MOST_REPLIES: Final = 200_000
"""Positions in all trees together."""


class _Kind:
    LEAF: Final = 0
    LEAST: Final = 1
    MOST: Final = 2
    MEAN: Final = 3
    SETTLED: Final = 4
    UNKNOWN: Final = 5
    EITHER: Final = 6
    """One of the positions below, but nobody knows which."""


class ReplyNode:
    """A position of the others' turns, for every hand of the seat."""

    def __init__(self, kind: int, state: State, parts: int) -> None:
        self.kind = kind
        self.state = state
        self.parts = parts
        """What depends on the hand drawn or on the piles."""
        self.pending: list[int] = []
        """Moves not followed yet, the last one next."""
        self.below: list[ReplyNode] = []
        self.weights: list[int] = []
        self.by_hand: list[int] = []
        """Moves that read the hand."""
        self.by_piles: list[int] = []
        """Moves that read the piles."""
        self.unsure: list[ReplyNode] | None = None
        """What the latter lead to, whatever lies in the piles."""
        self.left_out = False
        """Whether a move is missing in all these."""
        self.settled: HandBounds = _OPEN
        self.options: dict[bytes, HandBounds] = {}
        """At a leaf: what playing a card is worth, by the card and what matters of the rest."""
        self.rests: dict[int, int] = {}
        self.pool: list[int] = []
        """At the root: the cards that the seat may hold."""
        self.ceiling: HandBounds | None = None
        self.asked = 0
        """The number of the question that `answer` is for."""
        self.answer: HandBounds = _OPEN


class Replies:
    """Bounds of what a hand is worth at the start of the others' turns."""

    def __init__(self, question: Question, deadline: int, budget: NodeBudget) -> None:
        self.question = question
        self.seat = question.seat
        self.deadline = deadline
        self.budget = budget
        self.trees: dict[bytes, ReplyNode] = {}
        self.nodes: dict[bytes, ReplyNode] = {}
        self.hands: dict[bytes, HandBounds] = {}
        self.asked = 0
        self.hand: list[int] = []
        """The hand asked about; empty: all cards within reach at once."""
        self.pool: list[int] = []
        self.known_at: ReplyNode | None = None
        """A root whose moves that read the piles are tried elsewhere."""
        self.reads = 0
        """What the option that is being tried has read."""

    # ---- questions ------------------------------------------------------------------------

    def bounds(self, state: State, parts: int) -> HandBounds:
        """For the hand that the seat holds. `parts`: what its cleanup may have changed."""
        found = self.tree(state, parts)
        if found is None:
            return _OPEN
        return self.worth(found[0], found[1], state.held(self.seat))

    def worth_in(self, tree: tuple[bytes, ReplyNode]) -> Callable[[list[int]], HandBounds]:
        """Values hands in this tree."""
        key, root = tree
        return lambda hand: self.worth(key, root, hand)

    def worth(self, key: bytes, tree: ReplyNode, hand: list[int]) -> HandBounds:
        """What a hand is worth in this tree."""
        if not hand:
            return _OPEN
        key += bytes(hand)
        known = self.hands.get(key)
        if known is None:
            known = self.ask(tree, hand)
            if self.budget.over:
                return _OPEN
            self.hands[key] = known
        return known

    def real_bounds(self, state: State, parts: int) -> HandBounds:
        """The same if the piles are as they lie here."""
        found = self.tree(state, parts)
        hand = state.held(self.seat)
        if found is None or not hand:
            return _OPEN
        key, tree = found
        if tree.kind != _Kind.LEAST or not tree.by_piles:
            return _OPEN
        key += b"+" + bytes(hand)
        base = self.hands.get(key)
        if base is None:
            self.known_at = tree
            base = self.ask(tree, hand)
            self.known_at = None
            if self.budget.over:
                return _OPEN
            self.hands[key] = base
        low, high = base
        for move in tree.by_piles:
            if high == NEVER:
                break
            after = state.copy()
            after.play(move)
            self.begin(hand)
            reply = self.value(self.grown(after, 0), 0)
            low, high = smaller(low, reply[0]), smaller(high, reply[1])
        return low, high

    def top(self, state: State, parts: int) -> Ratio:
        """What no hand within reach can exceed."""
        found = self.tree(state, parts)
        if found is None:
            return ALWAYS
        tree = found[1]
        if tree.ceiling is None:
            ceiling = self.ask(tree, [])
            if self.budget.over:
                return ALWAYS
            tree.ceiling = ceiling
        return tree.ceiling[1]

    def tree(self, state: State, parts: int) -> tuple[bytes, ReplyNode] | None:
        """The tree for everything but these parts, with its key."""
        key = state.key_without(parts)
        key += b"1" if state.piles_last() else b"0"
        tree = self.trees.get(key)
        if tree is None:
            if len(self.nodes) > MOST_REPLIES:
                return None
            start = state.copy()
            start.hold(self.seat, [])
            tree = self.grown(start, parts)
            tree.pool = state.within_reach(self.seat)
            self.trees[key] = tree
        return key, tree

    def ask(self, tree: ReplyNode, hand: list[int]) -> HandBounds:
        self.pool = tree.pool
        self.begin(hand)
        return self.value(tree, 0)

    def begin(self, hand: list[int]) -> None:
        self.asked += 1
        self.hand = hand

    # ---- the tree -------------------------------------------------------------------------

    def grown(self, state: State, parts: int) -> ReplyNode:
        """The node of a position, which may be changed."""
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            node = ReplyNode(_Kind.SETTLED, state, parts)
            node.settled = _WON if verdict else _LOST
            return node
        cleanup = int(state.cleanup_parts())
        if cleanup:
            state.skip_cleanup()
            return self.grown(state, parts | cleanup)
        key = state.key_without(parts) + parts.to_bytes(4, "little")
        key += b"1" if state.piles_last() else b"0"
        known = self.nodes.get(key)
        if known is not None:
            return known
        node = self.opened(state, parts)
        self.nodes[key] = node
        return node

    def opened(self, state: State, parts: int) -> ReplyNode:
        if state.turns + 1 == self.deadline:
            return ReplyNode(_Kind.LEAF, state, parts)
        if int(state.reads(NO_MOVE)) & parts:
            return ReplyNode(_Kind.UNKNOWN, state, parts)
        if state.actor == CHANCE:
            node = ReplyNode(_Kind.MEAN, state, parts)
            node.weights = state.weights()
            node.below = [self.after(node, move) for move in state.moves()]
            return node
        mine = state.actor == self.seat
        node = ReplyNode(_Kind.MOST if mine else _Kind.LEAST, state, parts)
        hand = int(state.hand_part(self.seat)) & parts
        for move in state.moves():
            reads = int(state.reads(move)) & parts
            if not reads:
                node.pending.append(move)
            elif mine or (reads & hand and reads != hand):
                node.left_out = True
            elif reads & hand:
                node.by_hand.append(move)
            else:
                node.by_piles.append(move)
        return node

    def after(self, node: ReplyNode, move: int) -> ReplyNode:
        following = node.state.copy()
        following.play(move)
        return self.grown(following, node.parts)

    def after_with_hand(self, node: ReplyNode, move: int) -> ReplyNode:
        """After a move that reads the hand asked about."""
        following = node.state.copy()
        following.hold(self.seat, self.hand)
        parts = node.parts & ~int(following.hand_part(self.seat))
        following.play(move)
        return self.grown(following, parts)

    def after_any_piles(self, node: ReplyNode, move: int) -> ReplyNode:
        """After a move that reads the piles, whatever lies there."""
        either = ReplyNode(_Kind.EITHER, node.state, node.parts)
        parts = node.parts & ~int(node.state.reads(move))
        if node.state.piles_last():
            for table in node.state.pile_variants(move):
                table.play(move)
                child = self.grown(table, parts)
                if child not in either.below:
                    either.below.append(child)
        if not either.below:
            either.kind = _Kind.UNKNOWN
        return either

    # ---- values ---------------------------------------------------------------------------

    def value(self, node: ReplyNode, depth: int) -> HandBounds:
        """For the hand asked about."""
        kind = node.kind
        if kind == _Kind.SETTLED:
            return node.settled
        if kind == _Kind.UNKNOWN:
            return _OPEN
        if node.asked == self.asked:
            return node.answer
        if depth > MAX_DEPTH or not self.budget.spend():
            return _OPEN
        if kind == _Kind.LEAF:
            found = self.last_turn(node)
        elif kind == _Kind.LEAST:
            found = self.least(node, depth)
        elif kind == _Kind.MOST:
            found = self.most(node, depth)
        elif kind == _Kind.MEAN:
            found = self.mean(node, depth)
        else:
            found = self.either(node, depth)
        node.asked = self.asked
        node.answer = found
        return found

    def least(self, node: ReplyNode, depth: int) -> HandBounds:
        """Moves that read neither hand nor piles first: these are the same for all hands."""
        low, high = ALWAYS, ALWAYS
        below = node.below
        at = 0
        while at < len(below) or node.pending:
            if at == len(below):
                child = self.after(node, node.pending.pop())
                if child in below:
                    continue
                below.append(child)
            found = self.value(below[at], depth + 1)
            if found[1] == NEVER:
                below.insert(0, below.pop(at))
                return _LOST
            low, high = smaller(low, found[0]), smaller(high, found[1])
            at += 1
            if self.budget.over:
                return NEVER, high
        if node.left_out:
            low = NEVER
        for child in self.dependent(node):
            found = self.value(child, depth + 1)
            low, high = smaller(low, found[0]), smaller(high, found[1])
            if high == NEVER:
                break
        return low, high

    def dependent(self, node: ReplyNode) -> list[ReplyNode]:
        """The positions after moves that read the hand or the piles."""
        if not self.hand:
            return []  # an upper bound is asked for
        found: list[ReplyNode] = []
        for move in node.by_hand:
            found.append(self.after_with_hand(node, move))
        if node is not self.known_at:
            if node.unsure is None:
                node.unsure = [self.after_any_piles(node, move) for move in node.by_piles]
            found += node.unsure
        return found

    def most(self, node: ReplyNode, depth: int) -> HandBounds:
        low, high = NEVER, NEVER
        while node.pending:
            node.below.append(self.after(node, node.pending.pop()))
        for child in node.below:
            found = self.value(child, depth + 1)
            low, high = larger(low, found[0]), larger(high, found[1])
            if low == ALWAYS:
                return _WON
        return low, ALWAYS if node.left_out else high

    def mean(self, node: ReplyNode, depth: int) -> HandBounds:
        low, high = NEVER, NEVER
        total = 0
        for child, weight in zip(node.below, node.weights, strict=True):
            found = self.value(child, depth + 1)
            low, high = plus(low, times(found[0], weight)), plus(high, times(found[1], weight))
            total += weight
        return divided(low, total), divided(high, total)

    def either(self, node: ReplyNode, depth: int) -> HandBounds:
        low, high = ALWAYS, NEVER
        for child in node.below:
            found = self.value(child, depth + 1)
            low, high = smaller(low, found[0]), larger(high, found[1])
            if low == NEVER and high == ALWAYS:
                break
        return low, high

    # ---- the last turn --------------------------------------------------------------------

    def last_turn(self, leaf: ReplyNode) -> HandBounds:
        """The best card of the hand; doing nothing reaches no goal."""
        low, high = NEVER, NEVER
        hand = self.hand
        if not int(leaf.state.hand_part(self.seat)) & leaf.parts:
            hand = leaf.state.held(self.seat)  # the others changed it
        elif not hand:
            return NEVER, self.dream(leaf)
        for card in hand:
            found = self.option(leaf, card, hand)
            low, high = larger(low, found[0]), larger(high, found[1])
            if low == ALWAYS:
                return _WON
        return low, high

    def rest(self, leaf: ReplyNode, card: int) -> int:
        rest = leaf.rests.get(card)
        if rest is None:
            rest = leaf.rests[card] = int(leaf.state.rest_matters(card))
        return rest

    def option(self, leaf: ReplyNode, card: int, hand: list[int]) -> HandBounds:
        """What playing this card of the hand is worth."""
        rest = self.rest(leaf, card)
        if rest == Rest.IDLE:
            return self.known_option(leaf, card, [], rest)
        return self.known_option(leaf, card, [other for other in hand if other != card], rest)

    def known_option(self, leaf: ReplyNode, card: int, others: list[int], rest: int) -> HandBounds:
        if rest == Rest.BY_KIND:
            key = bytes([card, *sorted([int(leaf.state.kind_of(other)) for other in others])])
        else:
            key = bytes([card, *others])
        found = leaf.options.get(key)
        if found is None:
            found = self.tried(leaf, card, others)
            if self.budget.over:
                return _OPEN
            leaf.options[key] = found
        return found

    def tried(self, leaf: ReplyNode, card: int, others: list[int]) -> HandBounds:
        table = leaf.state.copy()
        table.hold(self.seat, [card, *others])
        self.reads = int(table.reads(card))
        after = table.copy()
        after.play(card)
        value = self.played_out(after, 0)
        if not self.reads & leaf.parts & ~int(table.hand_part(self.seat)):
            return value, value
        variants = table.pile_variants(card) if table.piles_last() else []
        if not variants:
            return _OPEN
        low, high = ALWAYS, NEVER
        for variant in variants:
            variant.play(card)
            value = self.played_out(variant, 0)
            low, high = smaller(low, value), larger(high, value)
            if low == NEVER and high == ALWAYS:
                break
        return low, high

    def played_out(self, state: State, depth: int) -> Ratio:
        """The value of the rest of the last turn by plain recursion."""
        if not self.budget.spend() or depth > MAX_DEPTH:
            self.budget.over = self.budget.over or depth > MAX_DEPTH
            return NEVER
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            return ALWAYS if verdict else NEVER
        self.reads |= int(state.reads(NO_MOVE))
        moves = state.moves()
        if state.actor == CHANCE:
            total, value = 0, NEVER
            for move, weight in zip(moves, state.weights(), strict=True):
                value = plus(value, times(self.followed(state, move, depth), weight))
                total += weight
            return divided(value, total)
        mine = state.actor == self.seat
        value = NEVER if mine else ALWAYS
        for move in moves:
            found = self.followed(state, move, depth)
            value = larger(value, found) if mine else smaller(value, found)
            if value == (ALWAYS if mine else NEVER):
                break
        return value

    def followed(self, state: State, move: int, depth: int) -> Ratio:
        self.reads |= int(state.reads(move))
        after = state.copy()
        after.play(move)
        return self.played_out(after, depth + 1)

    # ---- all hands at once ----------------------------------------------------------------

    def dream(self, leaf: ReplyNode) -> Ratio:
        """What no hand within reach can exceed here."""
        if leaf.ceiling is not None:
            return leaf.ceiling[1]
        high = NEVER
        for card in self.pool:
            rest = self.rest(leaf, card)
            if rest == Rest.IDLE:
                high = larger(high, self.known_option(leaf, card, [], rest)[1])
            elif rest == Rest.BY_CARD:
                high = ALWAYS
            else:
                for others in rests(leaf.state, self.pool, card):
                    high = larger(high, self.known_option(leaf, card, others, rest)[1])
                    if high == ALWAYS:
                        break
            if high == ALWAYS or self.budget.over:
                break
        if self.budget.over:
            return ALWAYS
        leaf.ceiling = NEVER, high
        return high


def rests(state: State, pool: list[int], card: int) -> list[list[int]]:
    """For every way, by kinds, that the rest of the hand may look like: an example."""
    kinds: dict[int, list[int]] = {}
    for other in pool:
        if other != card:
            kinds.setdefault(int(state.kind_of(other)), []).append(other)
    found: list[list[int]] = [[]]
    for cards in kinds.values():
        more: list[list[int]] = []
        for some in found:
            for count in range(min(len(cards), MOST_REST - len(some)) + 1):
                more.append(some + cards[:count])
        found = more
    return found
