"""The View of a player who joins the table now: it knows what lies open and the own cards.

The table is laid out before the View, card by card: face up where the seat may look, face down
elsewhere. So it knows nothing of what happened before, and the same of any two tables that differ
only in what the seat may not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import EMPEROR
from games.hidden_leaders.rules.constants import (
    ASIDE,
    DRAWN,
    E_FIRST,
    E_LEADER,
    E_MARKERS,
    E_MOVE,
    E_MOVES,
    E_PENDING,
    E_RESHUFFLE,
    GRAVEYARD,
    HAND,
    HARBOR,
    HIDDEN,
    OPEN,
    TAVERN,
    WILDERNESS,
    ZONES,
)
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import END, FRAME, FRAMES
from games.state import UNSEEN, State
from games.view import View

Event = tuple[int, ...]

BAGS: Final = (DRAWN, *range(HAND, HIDDEN))
"""Zones whose cards have no order."""


def seen(state: State, seat: int) -> View:
    """What the seat knows that joins now, while somebody must decide.

    The turn limit of a View counts whole rounds: one in the middle of a round moves to its end.
    """
    assert isinstance(state, HiddenLeaders)
    view = onlooker(state, seat)
    for event in pending(state, seat):
        view.observe(event)
    return view


def onlooker(state: HiddenLeaders, seat: int) -> HiddenLeadersView:
    """The same before it has been told who must decide."""
    rounds = -(-state.turn_limit // state.players)
    view = HiddenLeadersView(seat, state.players, deck_of(state), state.threshold, rounds)
    for event in laid_out(state, seat):
        view.observe(event)
    return view


def deck_of(state: HiddenLeaders) -> tuple[int, ...]:
    """All cards of the game, ascending."""
    return tuple(sorted(card for zone in range(ZONES) for card in state.cards(zone) if card >= 0))


def laid_out(state: HiddenLeaders, seat: int) -> Iterator[Event]:
    """The table as events for that seat; it begins with all cards where `deck_of` puts them."""
    for other in range(state.players):
        yield E_LEADER, other, state.leader(other) if other == seat else UNSEEN
    yield E_FIRST, state.player  # whose turn it is says who may see the cards drawn
    yield E_MARKERS, state.red, state.green
    emperor = next((zone for zone in range(ZONES) if EMPEROR in state.cards(zone)), None)
    apart = emperor is not None and open_to(state, seat, emperor)
    if apart:
        yield E_MOVE, GRAVEYARD, 0, ASIDE, END, EMPEROR
    elif emperor is not None:
        yield from shuffled_in(state)
    for zone in range(ZONES):
        if zone != HARBOR:
            yield from filled(state, seat, zone, apart)
    yield E_FIRST, state.first


def shuffled_in(state: HiddenLeaders) -> Iterator[Event]:
    """The Emperor, who begins in sight, goes among the other cards and is lost from sight."""
    yield E_MOVE, GRAVEYARD, 0, WILDERNESS, END, EMPEROR
    for card in deck_of(state):
        if card != EMPEROR:
            yield E_MOVE, HARBOR, 0, WILDERNESS, END, card
    yield (E_RESHUFFLE,)


def filled(state: HiddenLeaders, seat: int, zone: int, apart: bool) -> Iterator[Event]:
    """The cards of a zone come from the harbor, and the Emperor from aside if he lies there."""
    cards = state.cards(zone)
    shown = open_to(state, seat, zone)
    for i, card in enumerate(sorted(cards) if zone in BAGS else cards):
        if card >= 0:
            source = ASIDE if apart and card == EMPEROR else HARBOR
            index = i if zone == TAVERN else END
            yield E_MOVE, source, 0, zone, index, card if shown else UNSEEN


def open_to(state: HiddenLeaders, seat: int, zone: int) -> bool:
    """Whether the seat may look at the cards of the zone."""
    if zone == DRAWN:
        return state.player == seat
    if zone in (HARBOR, WILDERNESS):
        return False
    return zone in (HAND + seat, HIDDEN + seat) or not (HAND <= zone < OPEN or zone >= HIDDEN)


def pending(state: HiddenLeaders, seat: int) -> Iterator[Event]:
    """Who must decide and what is being resolved; to the one who must, also the legal moves."""
    if state.actor < 0:
        return
    frames = (state.m[at] for at in range(FRAMES, state.frame + FRAME))
    yield E_PENDING, state.actor, state.player, state.turns, *frames
    if state.actor == seat:
        yield E_MOVES, *state.moves()
