"""Simpler positions for puzzles: seat A to move, no luck, one card less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from games.hidden_leaders.positions.position import UNKNOWN, CardTuple, Position, Seat
from games.hidden_leaders.rules.cards import RETAIL
from games.hidden_leaders.rules.constants import EMPTY, Limit

FEWEST_TO_END: Final = 3
"""Open heroes that end the game, at least; fewer would hardly look like this game."""

UNSEEN_BESIDE: Final = 3
"""Cards in the deck beside those that lie face down, so that there is something to guess."""


def turned(position: Position) -> Position:
    """The position with the seat to move as A, and with no turns played yet."""
    seats = position.seats[position.turn :] + position.seats[: position.turn]
    limit = Limit.ROUNDS * position.players
    return replace(position, seats=seats, turn=0, first=0, turns=0, limit=limit)


def without_luck(position: Position) -> Position:
    """The position with nothing to draw: only hands, parties and graveyard are in play."""
    bare = replace(position, tavern=(EMPTY,) * Limit.TAVERN, wilderness=(), harbor=None)
    return only(bare)


def calm(position: Position) -> Position:
    """The position with empty piles: what the tavern has is all that can be drawn."""
    return only(replace(position, wilderness=(), harbor=None))


def only(position: Position, more: CardTuple = ()) -> Position:
    """The position with a deck of the cards on the table and of these unseen ones."""
    deck = {card for _, cards in position.places() for card in cards if card >= 0}
    return replace(position, deck=tuple(sorted(deck | set(more))))


def thinner(position: Position) -> Iterator[Position]:
    """Positions with one thing less, what is least missed first.

    If the deck is exactly the cards on the table, it stays so. Otherwise a card that leaves the
    table leaves a named deck too, or becomes unseen; such a deck loses unseen cards as well, down
    to a few.
    """
    unseen = position.unused()
    named = position.deck != RETAIL
    for less in _thinner(position):
        if named and unseen:
            yield replace(less, deck=tuple(sorted(set(position.deck) - _gone(position, less))))
        yield less if unseen else only(less)
    unknown = sum(cards.count(UNKNOWN) for _, cards in position.places())
    if named and len(unseen) > unknown + UNSEEN_BESIDE:
        for card in unseen:
            deck = tuple(kept for kept in position.deck if kept != card)
            yield replace(position, deck=deck)


def _gone(position: Position, less: Position) -> set[int]:
    """The cards that are on the table of one position, but not of the other."""
    before, after = (
        {card for _, cards in table.places() for card in cards} for table in (position, less)
    )
    return before - after


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
    seats = (*position.seats[:number], seat, *position.seats[number + 1 :])
    return replace(position, seats=seats)


def _nearer(position: Position) -> Iterator[Position]:
    """Lower the threshold by one, with one open hero less in all parties or in the fullest."""
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
