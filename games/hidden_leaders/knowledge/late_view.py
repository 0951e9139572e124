"""The View of a seat that joins now: it knows the open cards and its own.

The View observes the table as events, card by card: face up where the seat may look, face down
elsewhere. So it knows nothing of what happened before, and is the same for any two tables that
differ only in what the seat may not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import EMPEROR
from games.hidden_leaders.rules.constants import Event, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import FRAME, FRAMES, LAST
from games.questions import NOTHING_LEARNED, Learned
from games.state import UNSEEN, State
from games.view import EventTuple, View

BAGS: Final = (Zone.DRAWN, *range(Zone.HAND, Zone.HIDDEN))
"""Zones whose cards have no order."""


def late_view(state: State, seat: int) -> View:
    """What a seat knows if it joins now, while a seat must decide.

    A View counts its turn limit in whole rounds, so a limit inside a round moves to its end.
    """
    assert isinstance(state, HiddenLeaders)
    view = onlooker(state, seat)
    for event in pending_events(state, seat):
        view.observe(event)
    return view


def late_events(
    state: State, seat: int, learned: Learned = NOTHING_LEARNED
) -> list[EventTuple] | None:
    """The events of such a view, for a seat that has also learned where some cards lie."""
    assert isinstance(state, HiddenLeaders)
    return [*laid_out(state, seat, learned), *pending_events(state, seat)]


def onlooker(state: HiddenLeaders, seat: int) -> HiddenLeadersView:
    """The same before the decision is announced."""
    rounds = -(-state.turn_limit // state.players)
    view = HiddenLeadersView(seat, state.players, deck_of(state), state.threshold, rounds)
    for event in laid_out(state, seat):
        view.observe(event)
    return view


def deck_of(state: HiddenLeaders) -> tuple[int, ...]:
    """All cards of the game, ascending."""
    return tuple(
        sorted(card for zone in range(Zone.COUNT) for card in state.cards(zone) if card >= 0)
    )


def laid_out(
    state: HiddenLeaders, seat: int, learned: Learned = NOTHING_LEARNED
) -> Iterator[EventTuple]:
    """The table as events for that seat, starting from a new game with that deck."""
    for other in range(state.players):
        known = other == seat or other in learned.roles
        yield Event.LEADER, other, state.leader(other) if known else UNSEEN
    yield Event.FIRST, state.player  # whose turn it is says who may see the cards drawn
    yield Event.MARKERS, state.red, state.green
    emperor = next((zone for zone in range(Zone.COUNT) if EMPEROR in state.cards(zone)), None)
    seen = emperor is not None and open_to(state, seat, emperor)
    apart = seen or EMPEROR in learned.cards
    if apart:
        yield Event.MOVED, Zone.GRAVEYARD, 0, Zone.ASIDE, LAST, EMPEROR
    elif emperor is not None:
        yield from shuffled_in(state)
    for zone in range(Zone.COUNT):
        if zone != Zone.HARBOR:
            yield from zone_events(state, seat, zone, apart, learned)
    yield Event.FIRST, state.first


def shuffled_in(state: HiddenLeaders) -> Iterator[EventTuple]:
    """The Emperor, who starts in sight, is shuffled into the other cards."""
    yield Event.MOVED, Zone.GRAVEYARD, 0, Zone.WILDERNESS, LAST, EMPEROR
    for card in deck_of(state):
        if card != EMPEROR:
            yield Event.MOVED, Zone.HARBOR, 0, Zone.WILDERNESS, LAST, card
    yield (Event.RESHUFFLED,)


def zone_events(
    state: HiddenLeaders, seat: int, zone: int, apart: bool, learned: Learned = NOTHING_LEARNED
) -> Iterator[EventTuple]:
    """The cards of a zone come from the harbor, the Emperor from aside if he is there."""
    cards = state.cards(zone)
    shown = open_to(state, seat, zone)
    for i, card in enumerate(sorted(cards) if zone in BAGS else cards):
        if card >= 0:
            source = Zone.ASIDE if apart and card == EMPEROR else Zone.HARBOR
            index = i if zone == Zone.TAVERN else LAST
            known = shown or card in learned.cards
            yield Event.MOVED, source, 0, zone, index, card if known else UNSEEN


def open_to(state: HiddenLeaders, seat: int, zone: int) -> bool:
    """Whether the seat may look at the cards of the zone."""
    if zone == Zone.DRAWN:
        return state.player == seat
    if zone in (Zone.HARBOR, Zone.WILDERNESS):
        return False
    return zone in (Zone.HAND + seat, Zone.HIDDEN + seat) or not (
        Zone.HAND <= zone < Zone.OPEN or zone >= Zone.HIDDEN
    )


def pending_events(state: HiddenLeaders, seat: int) -> Iterator[EventTuple]:
    """Who must decide and what is being resolved; for the actor also the legal moves."""
    if state.actor < 0:
        return
    frames = (state.m[at] for at in range(FRAMES, state.frame + FRAME))
    yield Event.PENDING, state.actor, state.player, state.turns, *frames
    if state.actor == seat:
        yield Event.LEGAL_MOVES, *state.moves()
