"""Hand-made positions as a seat sees them: the table is laid out before the View, card by card.

    game = given(player(0, hand=["Keen Koi"]), player(1, hidden=["Grumpy Guard"]))
    view = seen(game, 0)      # knows the hand of seat 0, and that seat 1 has a hidden hero
    game.play("Keen Koi")
    follow(view, game)        # and what the seat has perceived since

Every card comes out of the harbor, face up where the seat may see it and face down elsewhere, so
the View knows exactly as much as a player who joins the table now and looks at the own cards. The
Emperor is in the game only if it lies somewhere else than in the harbor.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.hidden_leaders.cards import EMPEROR
from games.hidden_leaders.state import HiddenLeaders
from games.hidden_leaders.table import END
from games.hidden_leaders.view import HiddenLeadersView
from games.hidden_leaders.words import (
    E_FIRST,
    E_LEADER,
    E_MARKERS,
    E_MOVE,
    GRAVEYARD,
    HAND,
    HARBOR,
    HIDDEN,
    OPEN,
    TAVERN,
    WILDERNESS,
    ZONES,
)
from games.state import UNSEEN
from tests.scenario import Scenario


def seen(game: Scenario, seat: int) -> HiddenLeadersView:
    """The View of that seat, which must not have asked for events before."""
    state = game.state
    cards = sorted(card for zone in range(ZONES) for card in state.cards(zone) if card >= 0)
    if EMPEROR in state.cards(HARBOR):
        cards.remove(EMPEROR)
    rounds = state.turn_limit // state.players
    view = HiddenLeadersView(seat, state.players, tuple(cards), state.threshold, rounds)
    for event in laid_out(state, seat):
        view.observe(event)
    follow(view, game)
    return view


def follow(view: HiddenLeadersView, game: Scenario) -> None:
    """Let the View take in what its seat has perceived since."""
    for event in game.events(view.seat):
        view.observe(event)


def laid_out(state: HiddenLeaders, seat: int) -> Iterator[tuple[int, ...]]:
    """The table as events for that seat."""
    for other in range(state.players):
        yield E_LEADER, other, state.leader(other) if other == seat else UNSEEN
    yield E_FIRST, state.first
    yield E_MARKERS, state.red, state.green
    for zone in range(ZONES):
        for i, card in enumerate(state.cards(zone)):
            if zone != HARBOR and card >= 0:
                yield from moved(card, zone, i if zone == TAVERN else END, seat)


def moved(card: int, zone: int, index: int, seat: int) -> Iterator[tuple[int, ...]]:
    """A card put there from where the game keeps it at first."""
    if card != EMPEROR:
        yield E_MOVE, HARBOR, 0, zone, index, card if open_to(seat, zone) else UNSEEN
    elif zone != GRAVEYARD:
        yield E_MOVE, GRAVEYARD, 0, zone, index, card


def open_to(seat: int, zone: int) -> bool:
    if zone in (HAND + seat, HIDDEN + seat):
        return True
    return zone != WILDERNESS and not HAND <= zone < OPEN and zone < HIDDEN
