"""A seat's own turn as a checker works it out: from the seat's events alone, on complete worlds.

Cards that the seat does not see lie at numbered *spots*. `worlds` fills them in different ways, so
that a checker can see whether the rules treat these worlds alike. Nothing here is shared with
`knowledge`, whose answers are what is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Final, NamedTuple

from games.hidden_leaders.recount.layout import Layout
from games.hidden_leaders.recount.odds import Spot, SpotKinds, faction_odds
from games.hidden_leaders.recount.parts import BadEvents
from games.hidden_leaders.recount.ways import WaysTold
from games.hidden_leaders.rules.bytecode import TURN_START
from games.hidden_leaders.rules.cards import EMPEROR, HEROES, LEADERS
from games.hidden_leaders.rules.constants import (
    ALL_FACTIONS,
    FACTIONS,
    Event,
    Limit,
    Move,
    Zone,
)
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.state import HiddenLeaders, blank
from games.hidden_leaders.rules.table import FRAME, FRAMES, LAST, LEADERS_AT
from games.hidden_leaders.text.moves import move_text
from games.questions import Finding, SecretsMatter, SupposedWorld
from games.state import NOBODY, UNSEEN, State
from games.view import EventTuple

_MIXED: Final = 6
"""Worlds filled at random, besides those in which factions are heaped up."""
_MASKED: Final = 1000
"""_MASKED + 16 * spot + factions: in events, a card that the seat has just got to see."""
MOST_GUESSED: Final = 30_000
"""Ways to give spots their factions that are gone through without counting them."""
_NOT_TOLD: Final = (Event.PENDING, Event.LEGAL_MOVES)


class PartyEnd(NamedTuple):
    """A finished table, as far as it decides who wins."""

    faction: int
    parties: tuple[tuple[int, int, tuple[int, ...]], ...]
    """For each seat: known heroes of the faction, heroes in all, spots of the others."""


class TurnWitness:
    """Implements `games.questions.Witness`."""

    def __init__(
        self,
        seat: int,
        players: int,
        deck: tuple[int, ...],
        threshold: int,
        rounds: int,
        events: list[EventTuple],
    ) -> None:
        self.seat = seat
        self.players = players
        self.deck = deck
        self.threshold = threshold
        self.rounds = rounds
        self.events = events
        self._told: dict[int, WaysTold] = {}
        self._odds: dict[tuple[tuple[int, ...], int], dict[SpotKinds, Fraction]] = {}
        self._wins: dict[tuple[PartyEnd, SpotKinds], int] = {}
        self.layout = Layout(seat, players, deck, events)
        self.leaders = self.layout.leaders
        _, actor, player, _, *frames = self.layout.pending or (0, NOBODY, NOBODY, 0, 0)
        setup = frames[Frame.ROW] < TURN_START or any(frames[Frame.DEALT :: FRAME])
        if (actor, player) != (seat, seat) or setup:
            raise BadEvents("the events do not end with a decision of the seat in its own turn")
        longest = max(len(pile) for pile in self.layout.piles[Zone.OPEN : Zone.HIDDEN])
        late = self.layout.pending[3] >= rounds * players
        if late or (longest >= threshold and frames[Frame.ROW] == TURN_START):
            raise BadEvents("the game would have ended before this decision")
        if self.leaders[seat] == UNSEEN or len(self.layout.led) < players:
            raise BadEvents("not every seat got a leader, or the seat does not know its own")
        self.own = int(LEADERS[self.leaders[seat]].factions)
        self._find_spots()
        self._deal_leaders()
        self.worlds(frozenset())  # says what is wrong with the events, if anything is

    def _find_spots(self) -> None:
        """Which cards the seat sees where, and the spots of the others."""
        self.spots: list[Spot] = []
        self.certain: dict[Spot, int] = {}
        for zone, pile in enumerate(self.layout.piles):
            for index, card in enumerate(pile):
                if card != UNSEEN:
                    self.certain[zone, index] = card
                elif zone != Zone.TAVERN:
                    self.spots.append((zone, index))
        placed = set(self.certain.values())
        self.unseen = [card for card in self.deck if card not in placed]
        if len(self.unseen) != len(self.spots) or len(placed) != len(self.certain):
            raise BadEvents("the cards on the table are not those of the deck")

    def _deal_leaders(self) -> None:
        """Every way in which the leaders can have been dealt, one bit each."""
        free = [one for one in range(Limit.LEADERS) if one not in self.leaders]
        unknown = [seat for seat in range(self.players) if self.leaders[seat] == UNSEEN]
        self.dealt: list[list[int]] = []
        for deal in permutations(free, len(unknown)):
            leaders = list(self.leaders)
            for seat, leader in zip(unknown, deal, strict=True):
                leaders[seat] = leader
            self.dealt.append(leaders)
        if not self.dealt or len({*self.leaders} - {UNSEEN}) + len(unknown) != self.players:
            raise BadEvents("the leaders that it names cannot all have been dealt")
        self.everywhere = (1 << len(self.dealt)) - 1

    def told(self, kinds: int) -> WaysTold:
        if kinds not in self._told:
            self._told[kinds] = WaysTold(self.seat, self.players, self.deck, self.events, kinds)
        return self._told[kinds]

    # ---- worlds -----------------------------------------------------------------------------

    def worlds(self, facts: frozenset[Finding]) -> list[SupposedWorld]:
        """Worlds in which these facts hold, filled in different ways; none if they cannot hold."""
        dice = Random(1)
        worlds = []
        for number in range(2 * len(FACTIONS) + _MIXED):
            cards = list(self.unseen)
            dice.shuffle(cards)
            filled: dict[int, int] = {}
            for spot, factions in sorted(facts):
                fitting = [card for card in cards if HEROES[card].faction == factions]
                if not fitting:
                    return []
                filled[spot] = fitting[0]
                cards.remove(fitting[0])
            for spot in self._in_turn(number):
                if spot not in filled:
                    filled[spot] = cards.pop(self._wish(number, spot, cards))
            worlds.append(self._world(filled, number))
        return worlds

    def _in_turn(self, number: int) -> list[int]:
        """The spots in the order in which they are filled: in some worlds hands come first."""
        return sorted(
            range(len(self.spots)),
            key=lambda spot: self.spots[spot][0] < (Zone.HIDDEN if number % 2 else Zone.HAND),
        )

    def _wish(self, number: int, spot: int, cards: list[int]) -> int:
        """Which of these cards to lay there: heaps of one faction, another in each zone."""
        if number < 2 * len(FACTIONS):
            faction = FACTIONS[(number + self.spots[spot][0] * (number // 4)) % len(FACTIONS)]
            for at, card in enumerate(cards):
                if HEROES[card].faction & faction:
                    return at
        return len(cards) - 1

    def _world(self, filled: dict[int, int], number: int) -> SupposedWorld:
        table = blank(self.players)
        table.threshold = self.threshold
        table.turn_limit = self.rounds * self.players
        table.red, table.green, table.first = self.layout.red, self.layout.green, self.layout.first
        leaders = self.dealt[number * 7 % len(self.dealt)]
        for seat, leader in enumerate(leaders):
            table.m[LEADERS_AT + seat] = leader
        laid = [(place, card) for place, card in self.certain.items()]
        laid += [(self.spots[spot], card) for spot, card in filled.items()]
        for (zone, index), card in sorted(laid):
            table.lay(zone, index if zone == Zone.TAVERN else LAST, card)
        _, actor, player, turns, *frames = self.layout.pending
        table.player, table.turns = player, turns
        for at, value in enumerate(frames):
            table.m[FRAMES + at] = value
        table.frame = FRAMES + len(frames) - FRAME
        table.resume()
        if table.actor != actor or sorted(table.moves()) != sorted(self.layout.offers):
            raise BadEvents("the moves that the seat was offered are not those of the rules")
        return SupposedWorld(table, {card: spot for spot, card in filled.items()})

    # ---- what a checker sees of them --------------------------------------------------------

    def offered(self, world: SupposedWorld, state: State) -> dict[str, int]:
        """The moves or outcomes in words that name unseen cards by their spots."""
        offered = {}
        for move in state.moves():
            text, card = move_text(state, move), move % Move.DISCARD
            if move < 2 * Move.DISCARD and card in world.spot_of:
                text = text.replace(HEROES[card].name, f"unseen {world.spot_of[card] + 1}")
            offered[text] = move
        return offered

    def outcomes(
        self, world: SupposedWorld, state: State, facts: frozenset[Finding]
    ) -> dict[str, int]:
        """At a chance node, the outcomes with their weights; one stands for all that are alike.

        In a hand or the harbor unseen cards have no order, so they are alike.
        """
        assert isinstance(state, HiddenLeaders)
        weights = dict(zip(state.moves(), state.weights(), strict=True))
        known = {spot for spot, _ in facts}
        first: tuple[int, str] | None = None
        outcomes: dict[str, int] = {}
        unseen = 0
        for words, move in self.offered(world, state).items():
            spot = world.spot_of.get(move, -1)
            if (
                state.chance not in (ChanceFrom.HARBOR, ChanceFrom.HAND)
                or spot < 0
                or spot in known
            ):
                outcomes[words] = weights[move]
                continue
            unseen += weights[move]
            first = min(first or (spot, words), (spot, words))
        if first is not None:
            outcomes[first[1]] = unseen
        return outcomes

    def news(
        self, world: SupposedWorld, state: State, events: Sequence[EventTuple]
    ) -> tuple[tuple[EventTuple, ...], frozenset[Finding]]:
        """What the seat perceives, and the unseen cards among it with their factions."""
        assert isinstance(state, HiddenLeaders)
        for at in range(FRAMES, state.frame + FRAME, FRAME):
            if state.m[at + Frame.CARD] in world.spot_of:
                raise SecretsMatter("a hero that the seat has not seen would be performed")
        told = []
        found = set[Finding]()
        for event in events:
            kind = event[0]
            if kind == Event.LEADER:
                break  # the game is over
            if kind in _NOT_TOLD or (kind == Event.CHOSE and event[1] == self.seat):
                continue
            *before, last = event
            card = last % Move.DISCARD
            names = kind in (Event.MOVED, Event.SEEN, Event.CHOSE) and 0 <= last < 2 * Move.DISCARD
            if names and card in world.spot_of:
                spot, factions = world.spot_of[card], HEROES[card].faction
                found.add((spot, factions))
                last = _MASKED + 16 * spot + factions
            told.append((*before, last))
        return tuple(told), frozenset(found)

    def kinds(self) -> list[int]:
        """The factions that an unseen card may have."""
        return [*FACTIONS, ALL_FACTIONS] if EMPEROR in self.unseen else list(FACTIONS)

    def end(self, world: SupposedWorld, state: State) -> PartyEnd | None:
        """What decides who wins on a table after the turn; None if the seat surely does not."""
        assert isinstance(state, HiddenLeaders)
        if state.actor != NOBODY or not state.faction & self.own:
            return None
        parties = []
        for seat in range(self.players):
            heroes = state.cards(Zone.OPEN + seat) + state.cards(Zone.HIDDEN + seat)
            known = [card for card in heroes if card not in world.spot_of]
            count = sum(HEROES[card].faction & state.faction > 0 for card in known)
            spots = sorted(world.spot_of[card] for card in heroes if card in world.spot_of)
            parties.append((count, len(heroes), tuple(spots)))
        end = PartyEnd(int(state.faction), tuple(parties))
        # The rules must say the same about this world.
        kinds = tuple(HEROES[card].faction for card in self._at(world, end))
        leaders = [int(state.leader(seat)) for seat in range(self.players)]
        wins = self.wins(end, kinds) >> self.dealt.index(leaders) & 1
        if wins != (self.seat in state.winners()):
            raise SecretsMatter("the rules name another winner than the checker")
        return end

    def _at(self, world: SupposedWorld, end: PartyEnd) -> Iterator[int]:
        card_at = {spot: card for card, spot in world.spot_of.items()}
        return (card_at[spot] for spot in self.spots_of(end))

    # ---- who wins ---------------------------------------------------------------------------

    def spots_of(self, end: PartyEnd) -> tuple[int, ...]:
        return tuple(sorted({spot for _, _, spots in end.parties for spot in spots}))

    def wins(self, end: PartyEnd, kinds: SpotKinds) -> int:
        """The deals of the leaders in which the seat wins, as bits, if its spots are of these."""
        key = end, tuple(kind & end.faction for kind in kinds)
        if key not in self._wins:
            kind_of = dict(zip(self.spots_of(end), kinds, strict=True))
            strength = [
                (known + sum(kind_of[spot] & end.faction > 0 for spot in spots), -heroes)
                for known, heroes, spots in end.parties
            ]
            bits = 0
            for number, leaders in enumerate(self.dealt):
                best = max(
                    (*strength[seat], LEADERS[leader].number, seat)
                    for seat, leader in enumerate(leaders)
                    if LEADERS[leader].factions & end.faction
                )
                bits |= (best[-1] == self.seat) << number
            self._wins[key] = bits
        return self._wins[key]

    # ---- odds -------------------------------------------------------------------------------

    def odds(self, spots: tuple[int, ...], every_faction: bool) -> dict[SpotKinds, Fraction]:
        """The odds of the factions at these spots: all, or only those of the seat's leader."""
        kinds = ALL_FACTIONS if every_faction else self.own
        if (spots, kinds) not in self._odds:
            places = [self.spots[spot] for spot in spots]
            self._odds[spots, kinds] = faction_odds(self.told(kinds), places)
        return self._odds[spots, kinds]

    def possible(self, spots: tuple[int, ...]) -> Iterator[SpotKinds] | None:
        """The factions that these spots may have, and more; None if there are too many ways.

        It counts nothing: only that there are no more cards of a faction than are unseen.
        """
        own = self.own
        kinds = sorted({HEROES[card].faction & own for card in self.unseen})
        if len(kinds) ** len(spots) > MOST_GUESSED:
            return None
        most = {
            kind: sum(HEROES[card].faction & own == kind for card in self.unseen) for kind in kinds
        }
        return (
            way
            for way in product(kinds, repeat=len(spots))
            if all(way.count(kind) <= most[kind] for kind in kinds)
        )
