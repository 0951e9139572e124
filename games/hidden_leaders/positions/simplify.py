"""Makes positions simpler for people: seat A to move, no chance involved, fewer cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from games.hidden_leaders.positions.position import UNKNOWN, CardTuple, Position, Seat
from games.hidden_leaders.rules.cards import RETAIL
from games.hidden_leaders.rules.constants import EMPTY, ROUND_LIMIT, TAVERN_SLOTS

FEWEST_TO_END: Final = 3
"""The lowest threshold used: a lower one would hardly look like this game."""

UNSEEN_BESIDE: Final = 3
"""Cards that might lie face down in place of the real ones."""


def turned(position: Position) -> Position:
    """The same with the seat to move as A, and without the turns played so far."""
    seats = position.seats[position.turn :] + position.seats[: position.turn]
    limit = ROUND_LIMIT * position.players
    return replace(position, seats=seats, turn=0, first=0, turns=0, limit=limit)


def without_luck(position: Position) -> Position:
    """The same with nothing to draw: only hands, parties and graveyard are in play."""
    bare = replace(position, tavern=(EMPTY,) * TAVERN_SLOTS, wilderness=(), harbor=None)
    return only(bare)


def only(position: Position, more: CardTuple = ()) -> Position:
    """The same with a deck of the cards on the table and of `more`, which are unseen."""
    deck = {card for _, cards in position.places() for card in cards if card >= 0}
    return replace(position, deck=tuple(sorted(deck | set(more))))


def thinner(position: Position) -> Iterator[Position]:
    """The position with one thing less each, the least important first.

    A deck that holds just the cards on the table stays so. In other decks, cards removed from the
    table become unseen; if the deck is not the retail one, unseen cards are removed as well, down
    to a few more than the unknown ones.
    """
    unseen = position.unused()
    for less in _thinner(position):
        yield less if unseen else only(less)
    unknown = sum(cards.count(UNKNOWN) for _, cards in position.places())
    if position.deck != RETAIL and len(unseen) > unknown + UNSEEN_BESIDE:
        for card in unseen:
            deck = tuple(kept for kept in position.deck if kept != card)
            yield replace(position, deck=deck)


def _thinner(position: Position) -> Iterator[Position]:
    for slot, card in enumerate(position.tavern):
        if card != EMPTY:
            tavern = (*position.tavern[:slot], EMPTY, *position.tavern[slot + 1 :])
            yield replace(position, tavern=tavern)
    for left in _one_less(position.wilderness):
        yield replace(position, wilderness=left)
    for left in _one_less(position.graveyard):
        yield replace(position, graveyard=left)
    for number in reversed(range(position.players)):
        seat = position.seats[number]
        for left in _one_less(seat.hand):
            yield with_seat(position, number, replace(seat, hand=left))
        for left in _one_less(seat.hidden):
            yield with_seat(position, number, replace(seat, hidden=left))
        for left in _one_less(seat.open):
            yield with_seat(position, number, replace(seat, open=left))
    yield from _nearer(position)


def _one_less(cards: CardTuple) -> Iterator[CardTuple]:
    for at in range(len(cards)):
        yield cards[:at] + cards[at + 1 :]


def with_seat(position: Position, number: int, seat: Seat) -> Position:
    """The position with that seat replaced."""
    seats = (*position.seats[:number], seat, *position.seats[number + 1 :])
    return replace(position, seats=seats)


def _nearer(position: Position) -> Iterator[Position]:
    """A threshold lower by one, and one open hero less in all parties or only in full ones."""
    if position.threshold <= FEWEST_TO_END:
        return
    threshold = position.threshold - 1
    most = max(len(seat.open) for seat in position.seats)
    for at in range(most):
        for least in (1, threshold):
            seats = tuple(
                replace(seat, open=seat.open[:at] + seat.open[at + 1 :])
                if len(seat.open) >= least
                else seat
                for seat in position.seats
            )
            yield replace(position, seats=seats, threshold=threshold)
