"""Random endings to make puzzles from: the end is near, and seat A is to move."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.hidden_leaders.positions.position import UNKNOWN, CardTuple, Position, Seat
from games.hidden_leaders.positions.simplify import (
    FEWEST_TO_END,
    UNSEEN_BESIDE,
    only,
    with_seat,
    without_luck,
)
from games.hidden_leaders.rules.cards import EMPEROR, RETAIL
from games.hidden_leaders.rules.constants import EMPTY, Limit

EMPERORS: Final = 0.3
"""Share of endings with the Emperor on the table; more solutions turn on him than on others."""
SOON: Final = 30
"""Cards that are usually dealt to the table."""


def random_ending(dice: random.Random, players: int, held: Sequence[int] = ()) -> Position:
    """A random ending; if heroes are given, A holds one of them."""
    first: CardTuple = (dice.choice(held),) if held else ()
    left = [card for card in RETAIL if card != EMPEROR and card not in first]
    cards = dice.sample(left, len(left))
    if dice.random() < EMPERORS:
        cards.insert(len(cards) - dice.randrange(SOON), EMPEROR)

    def draw(least: int, most: int) -> CardTuple:
        return tuple(cards.pop() for _ in range(dice.randint(least, most)))

    threshold = dice.randint(FEWEST_TO_END, FEWEST_TO_END + 1)
    seats = [
        Seat(leader, draw(1, 2), draw(threshold - 2, threshold - 1), draw(0, 2))
        for leader in dice.sample(range(Limit.LEADERS), players)
    ]
    hand = first + draw(Limit.HAND_AFTER_DISCARD - 1, Limit.HAND_AFTER_DISCARD)[len(first) :]
    seats[0] = replace(seats[0], hand=hand)
    tavern = draw(0, Limit.TAVERN)
    return Position(
        players=players,
        red=dice.randint(4, 10),
        green=dice.randint(4, 10),
        limit=Limit.ROUNDS * players,
        threshold=threshold,
        tavern=tavern + (EMPTY,) * (Limit.TAVERN - len(tavern)),
        graveyard=draw(0, 3),
        seats=tuple(seats),
    )


def hide_cards(dice: random.Random, position: Position) -> Position | None:
    """The position with leaders, or a seat's hidden heroes, unknown to A; None if there are none.

    The deck then names what may lie there: the true cards and a few more.
    """
    others = range(1, position.players)
    if dice.random() < 0.5:
        for number in dice.sample(others, min(len(others), dice.choice((1, 1, 2)))):
            seat = replace(position.seats[number], leader=UNKNOWN)
            position = with_seat(position, number, seat)
        return position
    hiding = [number for number in others if position.seats[number].hidden]
    if not hiding:
        return None
    number = dice.choice(hiding)
    seat = position.seats[number]
    bare = without_luck(position)
    beside = dice.sample(sorted(set(RETAIL[:EMPEROR]) - set(bare.deck)), UNSEEN_BESIDE)
    unknown = replace(seat, hidden=(UNKNOWN,) * len(seat.hidden))
    return only(with_seat(bare, number, unknown), (*seat.hidden, *beside))
