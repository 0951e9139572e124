"""Random endings of Secrets: near the end, a short deck, in the middle of a turn."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from games.puzzle_material import RandomEndings
from games.secrets.constants import Phase
from games.secrets.position import UNKNOWN, Position, Seat, position_of
from games.secrets.state import Secrets, new_game
from games.secrets.worlds import PosedSecrets
from games.state import CHANCE, NOBODY, Rng, State

SHORT_DECK: Final = 3
"""Cards left in the deck, at most, besides those of the turn."""
MOVES_IN: Final = (0, 1, 2, 3, 3, 3, 3, 4, 4, 5)
"""Moves into the turn; the first are the card, the target and the claim."""


class SmallEndings(RandomEndings):
    """Turns that may be the last, for 4 to 8 players."""

    horizons = (1, 1, 2)

    def small(
        self, dice: random.Random, players: int, hidden: bool, most_worlds: int
    ) -> list[State]:
        state = random_ending(dice, players)
        if state is None:
            return []
        if not hidden:
            return [state]
        posed = PosedSecrets(hide_cards(dice, position_of(state)))
        return posed.worlds(most_worlds) if posed.world_count() <= most_worlds else []


def random_ending(dice: random.Random, players: int) -> Secrets | None:
    """A random game shortly before its end, some moves into a turn; None if it ended too soon."""
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
    """The position with some tokens and Bullets unknown to the seat that must decide.

    It does not know a card that another seat offers; it knows a centre that has been shown.
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
