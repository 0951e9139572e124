"""Random endings small enough for plain recursion; solvers are checked on them."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from games.hidden_leaders.positions.position import UNKNOWN, CardTuple, Position, Seat
from games.hidden_leaders.positions.worlds import PosedTable, world_count, worlds
from games.hidden_leaders.rules.card_language import Where
from games.hidden_leaders.rules.cards import CARD_NUMBER, HEROES, RETAIL
from games.hidden_leaders.rules.constants import EMPTY, Limit, Reads, Zone
from games.hidden_leaders.rules.reach import PERFORMS, READS
from games.hidden_leaders.rules.state import HiddenLeaders
from games.puzzle_material import RandomEndings
from games.questions import PosedEquilibrium, PosedPosition
from games.state import CHANCE, NOBODY, State

_MOST_TURNS: Final = 3
"""Turn limits, at most, so that questions can go to the end of the game."""
_GUESSING: Final = (CARD_NUMBER["Doubtful Priest"], CARD_NUMBER["Saber-Toothed Troll"])
"""Both let the other seat decide which faction wins, without knowing the leader of the seat that
plays them. So which of the two is played must not tell too much, and sometimes takes dice."""
_DUEL_THRESHOLD: Final = 3
_READERS: Final = 0.6
"""Share of heroes that read hands, tavern or piles, where a position is about such heroes."""
_LET_OTHERS_ACT: Final = [card for card in RETAIL if PERFORMS[card]]
_MOST_LASTING: Final = 3
"""Players of endings of several turns, at most: of more, no seat acts again within four turns."""


class SmallEndings(RandomEndings):
    """A few heroes, a party that is nearly full, 2 to 6 players, often in the middle of a turn."""

    horizons = (0, 1, 1, 2)

    def small(
        self, dice: random.Random, players: int, hidden: bool, most_worlds: int
    ) -> list[State]:
        position = small_position(dice, players)
        if hidden:
            position = with_secrets(dice, position)
        if world_count(position) > most_worlds:
            return []
        states = list[State](worlds(position, most_worlds))
        if not hidden:
            _play_on(dice, states[0])
        if states[0].actor < 0 or states[0].settled_end() is not None:
            return []
        return states

    def wide(self, dice: random.Random, players: int) -> State | None:
        full = dice.random() < 0.5
        (state,) = worlds(wide_position(dice, players, full), 1)
        # With a full harbor the hand is drawn, and only the tavern is left to fill.
        while full and state.actor != NOBODY and not _draws_little(state):
            state.play(dice.choice(state.moves()))
        return state if state.actor == 0 and state.turns == 0 else None

    def lasting(self, dice: random.Random, players: int) -> State | None:
        if players > _MOST_LASTING:
            return None
        (state,) = worlds(lasting_position(dice, players), 1)
        return state

    def drawing(self, dice: random.Random, players: int) -> State | None:
        if players > _MOST_LASTING:
            return None
        (state,) = worlds(drawing_position(dice, players), 1)
        return state

    def secretive(self, dice: random.Random, players: int) -> PosedPosition:
        return PosedTable(secretive_position(dice, players))

    def duel(self, dice: random.Random) -> PosedEquilibrium:
        return PosedTable(duel_position(dice))


def small_position(dice: random.Random, players: int) -> Position:
    """Few cards, a party that is nearly full, and an early turn limit."""
    cards = dice.sample(RETAIL, len(RETAIL))
    leaders = dice.sample(range(Limit.LEADERS), players)
    threshold = dice.randint(2, 3)
    deck: list[int] = []

    def draw(most: int, least: int = 0) -> CardTuple:
        drawn = tuple(cards.pop() for _ in range(dice.randint(least, most)))
        deck.extend(drawn)
        return drawn

    seats = tuple(
        Seat(leader, draw(2 - (number > 0), 1), draw(threshold - 1, threshold - 2), draw(1))
        for number, leader in enumerate(leaders)
    )
    tavern = draw(1)
    graveyard, wilderness, harbor = draw(2), draw(1), draw(1)
    return Position(
        players=players,
        red=dice.randint(5, 9),
        green=dice.randint(5, 9),
        limit=dice.randint(1, _MOST_TURNS),
        threshold=threshold,
        deck=tuple(sorted(deck)),
        tavern=tavern + (EMPTY,) * (Limit.TAVERN - len(tavern)),
        graveyard=graveyard,
        wilderness=wilderness,
        harbor=harbor,
        seats=seats,
    )


def _draws_little(state: HiddenLeaders) -> bool:
    """Whether the turn's hero is done, and the hand is full again."""
    return state.cleanup_parts() != 0 and state.size(Zone.HAND) == Limit.HAND_AFTER_DRAW


class _Dealer:
    """Deals heroes; all of them together are the deck."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.cards = dice.sample(RETAIL, len(RETAIL))
        self.readers = [card for card in self.cards if READS[card]]
        self.deck: list[int] = []

    def taken(self, cards: list[int]) -> list[int]:
        """These heroes, which are dealt no more until they are put back."""
        for card in cards:
            self.cards.remove(card)
        return cards

    def deal(self, count: int, reading: bool = False) -> CardTuple:
        """That many heroes; `reading`: more often such as read hands, tavern or piles."""
        dealt = []
        for _ in range(count):
            reader = reading and self.readers and self.dice.random() < _READERS
            dealt.append(self.readers[-1] if reader else self.cards[-1])
            self.cards.remove(dealt[-1])
            if dealt[-1] in self.readers:
                self.readers.remove(dealt[-1])
        self.deck.extend(dealt)
        return tuple(dealt)

    def tavern(self, count: int, reading: bool = False) -> CardTuple:
        return self.deal(count, reading) + (EMPTY,) * (Limit.TAVERN - count)

    def seats(self, players: int, threshold: int) -> tuple[Seat, ...]:
        """Parties that are nearly full, up to three cards for the first seat and one for others."""
        dice = self.dice
        return tuple(
            Seat(
                leader,
                self.deal(dice.randint(1, 1 if number else 3), reading=True),
                self.deal(dice.randint(threshold - 2, threshold - 1)),
                self.deal(dice.randint(0, 1)),
            )
            for number, leader in enumerate(dice.sample(range(Limit.LEADERS), players))
        )


def wide_position(dice: random.Random, players: int, full: bool) -> Position:
    """Several cards to draw, often of one faction, and hands that read where they may come to lie.

    A full harbor is not reshuffled within two turns.
    """
    dealer = _Dealer(dice)
    deal = dealer.deal
    threshold = dice.randint(2, 4)
    seats = tuple(
        Seat(
            leader,
            deal(2 if full and number == 0 else 1, reading=number > 0),
            deal(dice.randint(threshold - 2, threshold - 1)),
            deal(dice.randint(0, 1)),
        )
        for number, leader in enumerate(dice.sample(range(Limit.LEADERS), players))
    )
    return Position(
        players=players,
        tavern=dealer.tavern(Limit.TAVERN if full else 1),
        red=dice.randint(5, 9),
        green=dice.randint(5, 9),
        threshold=threshold,
        graveyard=deal(dice.randint(0, 2)),
        wilderness=deal(dice.randint(0, 3)),
        harbor=deal(14 if full else dice.randint(1, 2)),
        seats=seats,
        deck=tuple(sorted(dealer.deck)),
    )


def lasting_position(dice: random.Random, players: int) -> Position:
    """Several turns: a seat draws and acts again, and heroes read what it may have drawn.

    There are so few cards that plain recursion can go through all that may be drawn.
    """
    dealer = _Dealer(dice)
    deal = dealer.deal
    threshold = dice.randint(2, 3)
    seats = dealer.seats(players, threshold)
    return Position(
        players=players,
        tavern=dealer.tavern(dice.randint(0, 1), reading=True),
        red=dice.randint(5, 9),
        green=dice.randint(5, 9),
        threshold=threshold,
        graveyard=deal(dice.randint(0, 1), reading=True),
        wilderness=deal(dice.randint(0, 1)),
        harbor=deal(dice.randint(0, 2), reading=True),
        seats=seats,
        deck=tuple(sorted(dealer.deck)),
    )


def drawing_position(dice: random.Random, players: int) -> Position:
    """A seat draws and acts once more; heroes who let others act are often in the game."""
    dealer = _Dealer(dice)
    if dice.random() < 0.7:
        dealer.cards += dealer.taken(dice.sample(_LET_OTHERS_ACT, dice.randint(1, 4)))
    threshold = dice.randint(2, 4)
    deal = dealer.deal
    harbor = deal(dice.randint(1, 5))
    seats = dealer.seats(players, threshold)
    return Position(
        players=players,
        tavern=dealer.tavern(dice.randint(0, 2), reading=True),
        red=dice.randint(4, 10),
        green=dice.randint(4, 10),
        threshold=threshold,
        graveyard=deal(dice.randint(0, 2), reading=True),
        wilderness=deal(dice.randint(0, 1)),
        harbor=harbor,
        seats=seats,
        deck=tuple(sorted(dealer.deck)),
    )


def with_secrets(dice: random.Random, position: Position) -> Position:
    """The position with some leaders, hidden heroes and hands of others unknown to seat A."""
    seats = list(position.seats)
    for number in range(1, position.players):
        seat = seats[number]
        if dice.random() < 0.5:
            seat = replace(seat, leader=UNKNOWN)
        if dice.random() < 0.5:
            seat = replace(seat, hidden=(UNKNOWN,) * len(seat.hidden))
        if dice.random() < 0.3:
            seat = replace(seat, hand=(UNKNOWN,) * len(seat.hand))
        seats[number] = seat
    return replace(position, seats=tuple(seats), harbor=None)


def secretive_position(dice: random.Random, players: int) -> Position:
    """Leaders, hidden heroes, hands and piles that the seat to move does not know.

    It often holds a hero that touches unseen cards.
    """
    position = small_position(dice, players)
    seats = list(position.seats)
    mine, deck = seats[position.turn], set(position.deck)
    touching = [card for card in RETAIL if _touches_unseen(card) and card not in deck]
    if mine.hand and dice.random() < 0.7:
        card = dice.choice(touching)
        deck = deck - {mine.hand[0]} | {card}
        seats[position.turn] = replace(mine, hand=tuple(sorted((card, *mine.hand[1:]))))
    for number, seat in enumerate(seats):
        if number != position.turn:
            unknown_hand = (UNKNOWN,) * len(seat.hand)
            seats[number] = replace(
                seat,
                leader=UNKNOWN if dice.random() < 0.6 else seat.leader,
                hidden=(UNKNOWN,) * len(seat.hidden),
                hand=unknown_hand if dice.random() < 0.6 else seat.hand,
            )
    wilderness = position.wilderness or ()
    if dice.random() < 0.6:
        wilderness = (UNKNOWN,) * len(wilderness)
    return replace(
        position,
        seats=tuple(seats),
        wilderness=wilderness,
        harbor=None,
        deck=tuple(sorted(deck)),
    )


def _touches_unseen(card: int) -> bool:
    """Whether the hero touches cards that its player may not see, or lets others act."""
    steps = HEROES[card].steps
    hidden = any(step.cards is not None and step.cards.where == Where.HIDDEN for step in steps)
    return hidden or bool(READS[card] & ~(Reads.OWN_HAND | Reads.TAVERN))


def _play_on(dice: random.Random, state: State) -> None:
    """A few random moves, into the middle of a turn."""
    for _ in range(dice.choice((0, 0, 1, 1, 2))):
        if state.actor != NOBODY:
            state.play(dice.choice(state.moves()))
    while state.actor == CHANCE:
        state.play(dice.choice(state.moves()))


def duel_position(dice: random.Random) -> Position:
    """Two parties that one more hero may complete; half of them are about `_GUESSING`."""
    cards = dice.sample(RETAIL, len(RETAIL))
    special = list(_GUESSING) if dice.random() < 0.5 else []
    cards = special + [card for card in cards if card not in special]
    deck: list[int] = []

    def deal(most: int, least: int = 0) -> CardTuple:
        count = dice.randint(least, most)
        dealt = tuple(cards[:count])
        del cards[:count]
        deck.extend(dealt)
        return dealt

    def maybe_unknown(known: CardTuple) -> CardTuple:
        return (UNKNOWN,) * len(known) if dice.random() < 0.5 else known

    leaders = dice.sample(range(Limit.LEADERS), 2)
    seats = []
    for number, leader in enumerate(leaders):
        hand = deal(2 - number, 2 - 2 * number)
        opened, hidden = deal(_DUEL_THRESHOLD - 1, _DUEL_THRESHOLD - 1 - number), deal(1)
        seats.append(
            Seat(leader, hand if special else maybe_unknown(hand), opened, maybe_unknown(hidden))
        )
        if special or dice.random() < 0.5:
            seats[-1] = replace(seats[-1], leader=UNKNOWN)
    deal(1)
    red = dice.randint(4, 10)
    return Position(
        players=2,
        red=red,
        green=red + dice.randint(-1, 1) if special else dice.randint(4, 10),
        threshold=_DUEL_THRESHOLD,
        deck=tuple(sorted(deck)),
        tavern=(EMPTY,) * Limit.TAVERN,
        seats=tuple(seats),
    )
