"""Random endings of Secrets: positions close to the end with a short deck, inside a turn."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from games.secrets.constants import Phase
from games.secrets.position import UNKNOWN, Position, Seat, position_of
from games.secrets.state import Secrets, new_game
from games.state import CHANCE, NOBODY, Rng

SHORT_DECK: Final = 3
"""The most cards left in the deck, not counting those of this turn."""
MOVES_IN: Final = (0, 1, 2, 3, 3, 3, 3, 4, 4, 5)
"""Choices made in the turn so far: the card, the target and the claim come first."""


def random_ending(dice: random.Random, players: int) -> Secrets | None:
    """A random game close to its end, some choices into a turn; None if it ended before that."""
    state = new_game(players)
    rng = Rng(dice.getrandbits(40))
    while state.phase != Phase.CHOOSE or not _nearly_over(state):
        _choose(state, rng)
        if state.actor == NOBODY:
            return None
    position = position_of(state)
    rest = dice.sample(position.bottom, min(dice.randint(1, SHORT_DECK), len(position.bottom)))
    state = replace(position, deck=(), bottom=tuple(rest)).state()
    for _ in range(dice.choice(MOVES_IN)):
        if state.actor != NOBODY:
            _choose(state, rng)
    while state.actor == CHANCE:
        _choose(state, rng)
    return state if state.actor >= 0 else None


def _nearly_over(state: Secrets) -> bool:
    return max(state.size(seat) for seat in range(state.players)) == state.threshold - 1


def _choose(state: Secrets, rng: Rng) -> None:
    if state.actor == CHANCE:
        state.sample_chance(rng)
    else:
        state.play(rng.choice(state.moves()))


def hide_cards(dice: random.Random, position: Position) -> Position:
    """The same with some tokens and Bullets unknown to the seat that must decide.

    The card on offer is unknown unless that seat offers it; a centre that was shown is known.
    """
    blind = position.phase in (Phase.UN, Phase.ANSWER) and len(set(position.turned)) > 1
    shown = position.phase == Phase.NEIGHBOUR
    hidden = dice.sample(range(position.players + (not shown)), 2 if blind else 3)

    def covered(number: int, seat: Seat) -> Seat:
        token = UNKNOWN if number in hidden else seat.token
        bullets = tuple(UNKNOWN if dice.random() < 0.2 else bullet for bullet in seat.bullets)
        return replace(seat, token=token, bullets=bullets)

    return replace(
        position,
        seats=tuple(covered(number, seat) for number, seat in enumerate(position.seats)),
        centre=UNKNOWN if position.players in hidden else position.centre,
        offered=UNKNOWN if blind else position.offered,
    )
