"""A belief about tokens and the card on offer: how well they explain the others' moves. Compiled.

A filter over the arrangements of tokens that a View keeps. Tokens that move take their probability
with them. Every open choice multiplies the probability of an arrangement by how likely a policy
(weights of `move_features`) is to make that choice there. A card on offer is believed to be either
of the two by how likely it is to be chosen and offered to that target; once it lies open, the same
numbers count for the arrangements.
"""

from __future__ import annotations

from math import exp, log
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import CENTRE, PLACES, Event, Move, Phase, Token
from games.secrets.move_features import move_features
from games.secrets.state import Secrets
from games.secrets.table import BOTTOM, TOKENS
from games.secrets.view import BITS, MASK, SecretsView, exchanged
from games.state import MOST_MOVE_FEATURES, UNSEEN, State
from games.world_belief import WorldBelief, case_at

SLIP: Final = 0.05
"""How much of a choice is believed to be made at random: no single move is to prove anything."""


class TokenBelief(WorldBelief):
    """What one seat believes of the tokens, and of the card on offer."""

    def __init__(self, view: SecretsView, weights: list[float], sharpness: float) -> None:
        self.view: SecretsView = view
        self.weights: vec[float] = vec[float](weights)
        self.sharpness: float = sharpness
        """1: choices count as the policy says; below 1: they differ less."""
        self.chances: dict[int, float] = {}
        """By arrangement: how likely it is, as a multiple of any number."""
        self.offers: dict[int, tuple[float, float]] = {}
        """By arrangement: how well each of the two cards explains the offer; empty if not asked."""
        self.scratch: vec[i64] = vec[i64]([0] * MOST_MOVE_FEATURES)
        self.cases: vec[i64] = vec[i64]()
        self.sums: vec[float] = vec[float]()
        """For drawing: arrangements, twice each for two cards, and probabilities summed up."""
        self.start_afresh()

    def start_afresh(self) -> None:
        """Believe in all that the View allows, by its exact odds."""
        self.chances = {}
        for case, weight in self.view.token_weights().items():
            self.chances[case] = float(weight)
        self.offers = {}
        self.sums = vec[float]()

    # ---- events ---------------------------------------------------------------------------

    def observe(self, event: tuple[int, ...]) -> None:
        kind = event[0]
        if kind == Event.LOOK:
            self.see(event[2], event[3])
        elif kind == Event.SHOW:
            self.see(event[1], event[2])
        elif kind == Event.SWAP:
            self.swap(event[1], event[2], event[3])
        elif kind == Event.CHOSE:
            if event[1] != self.view.seat and event[2] != UNSEEN:
                self.chosen(event[2])
        elif kind == Event.TAKEN:
            self.taken(event[2])
        else:
            return
        self.sums = vec[float]()

    def see(self, place: i64, side: i64) -> None:
        if side == UNSEEN:
            return
        chances = self.chances
        shift = BITS * place
        self.replace({case: chances[case] for case in chances if (case >> shift) & MASK == side})

    def swap(self, a: i64, b: i64, taker: i64) -> None:
        """Chances follow the tokens; an unseen swap went the way that the policy makes likely."""
        moved: dict[int, float] = {}
        table = self.view.board()
        for case, chance in self.chances.items():
            if b != UNSEEN:
                after: int = exchanged(case, a, b)
                moved[after] = moved.get(after, 0.0) + chance
                continue
            table.phase = Phase.NEIGHBOUR
            table.actor = taker
            self.lay_out(table, case)
            to_left = self.likelihood(table, Move.LEFT)
            to_right = self.likelihood(table, Move.RIGHT)
            whole = to_left + to_right
            after = exchanged(case, a, table.left(taker))
            moved[after] = moved.get(after, 0.0) + chance * to_left / whole
            after = exchanged(case, a, table.right(taker))
            moved[after] = moved.get(after, 0.0) + chance * to_right / whole
        self.replace(moved)

    def chosen(self, move: i64) -> None:
        """Another seat's open choice: the View's board still shows the table before it."""
        table = self.view.board()
        if table.phase == Phase.CLAIM:
            return
        if table.phase == Phase.TARGET:
            self.offered(table, move)
            return
        likelier: dict[int, float] = {}
        for case, chance in self.chances.items():
            self.lay_out(table, case)
            likelier[case] = chance * self.likelihood(table, move)
        self.replace(likelier)

    def offered(self, table: Secrets, target: i64) -> None:
        """Another seat offers a card: either of the two, as far as this seat knows."""
        self.offers = {}
        for case in self.chances:
            self.lay_out(table, case)
            if table.two == UNSEEN:  # there was nothing to choose from (S7)
                table.offered = table.one
                only = self.likelihood(table, target)
                self.offers[case] = (only, 0.0)
                continue
            first = self.offer_likelihood(table, table.one, target)
            second = self.offer_likelihood(table, table.two, target)
            self.offers[case] = (first, second)

    def offer_likelihood(self, table: Secrets, card: i64, target: i64) -> float:
        """Of choosing that card, and then that target."""
        table.phase = Phase.CHOOSE
        table.list_moves()
        found = self.likelihood(table, Move.CARD + card)
        table.phase = Phase.TARGET
        table.offered = card
        table.list_moves()
        return found * self.likelihood(table, target)

    def taken(self, card: i64) -> None:
        """The card lies open: what it said about the tokens counts now."""
        if not self.offers:
            return
        second = card != self.view.board().one
        likelier: dict[int, float] = {}
        for case, chance in self.chances.items():
            offer = self.offers.get(case, (1.0, 1.0))
            likelier[case] = chance * (offer[1] if second else offer[0])
        self.offers = {}
        self.replace(likelier)

    def replace(self, chances: dict[int, float]) -> None:
        """Keep these, scaled so that they neither vanish nor overflow."""
        total = 0.0
        for chance in chances.values():
            total += chance
        if total <= 0.0:
            self.start_afresh()
            return
        self.chances = {}
        for case, chance in chances.items():
            self.chances[case] = chance / total

    # ---- the policy -----------------------------------------------------------------------

    def lay_out(self, table: Secrets, case: i64) -> None:
        """Put the arrangement on the table, and list the moves there."""
        for place in range(i64(PLACES)):
            if place < table.players or place == CENTRE:
                table.m[TOKENS + place] = (case >> (BITS * place)) & MASK
        table.list_moves()

    def likelihood(self, table: Secrets, move: i64) -> float:
        """How likely the actor is to make that move; blunted by the sharpness."""
        role = table.m[TOKENS + table.actor]
        total = 0.0
        own = 0.0
        for i in range(table.count):
            score = 0.0
            for j in range(move_features(table, table.legal[i], role, self.scratch)):
                score += self.weights[self.scratch[j]]
            odds = exp(score)
            total += odds
            if table.legal[i] == move:
                own = odds
        chance = (1.0 - SLIP) * own / total + SLIP / float(table.count)
        return exp(self.sharpness * log(chance))

    # ---- worlds ---------------------------------------------------------------------------

    def prepare(self) -> None:
        """Sum up the probabilities of all arrangements, with either card."""
        allowed = self.view.token_weights()
        for case in self.chances:
            if case not in allowed:
                self.start_afresh()
                break
        cases: list[int] = sorted(self.chances)
        sums: list[float] = []
        total = 0.0
        for case in cases:
            offer = self.offers.get(case, (1.0, 1.0))
            total += self.chances[case] * offer[0]
            sums.append(total)
            total += self.chances[case] * offer[1]
            sums.append(total)
        self.cases = vec[i64](cases)
        self.sums = vec[float](sums)

    def spread(self, world: State, aim: float) -> None:
        assert isinstance(world, Secrets)
        if len(self.sums) == 0:
            self.prepare()
        low = case_at(self.sums, aim)
        case = self.cases[low >> 1]
        for place in range(i64(PLACES)):
            if place < world.players or place == CENTRE:
                world.m[TOKENS + place] = (case >> (BITS * place)) & MASK
        if self.offers and world.two != UNSEEN and self.view.offer_hidden():
            first = low & 1 == 0
            world.offered = world.one if first else world.two
            world.m[BOTTOM + world.bottom - 1] = world.two if first else world.one

    def role_weights(self) -> list[float]:
        players = self.view.players
        shares = [0.0] * (players * Token.COUNT)
        total = 0.0
        for case, chance in self.chances.items():
            offer = self.offers.get(case, (0.5, 0.5))
            weight = chance * (offer[0] + offer[1])
            total += weight
            for seat in range(players):
                shares[seat * Token.COUNT + ((case >> (BITS * seat)) & MASK)] += weight
        return [share / total for share in shares]
