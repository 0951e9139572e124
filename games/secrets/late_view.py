"""The View of a seat that joins a game of Secrets now: it knows the open cards and its own token.

The View observes the table as events like those of a game: every card is turned up, and then laid,
put back or left out. So it knows nothing of earlier looks and swaps, and is the same for any two
tables that differ only in what the seat may not see.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.questions import NOTHING_LEARNED, Learned
from games.secrets.constants import CENTRE, COPIES, Character, Event, Phase
from games.secrets.position import CardTuple, Position, position_of
from games.secrets.state import Secrets
from games.secrets.view import SecretsView
from games.state import NOBODY, UNSEEN, State
from games.view import EventTuple, View


def late_view(state: State, seat: int) -> View:
    """What a seat knows if it joins now, while a seat must decide."""
    assert isinstance(state, Secrets)
    view = SecretsView(seat, state.players)
    for event in late_events(state, seat):
        view.observe(event)
    return view


def late_events(state: State, seat: int, learned: Learned = NOTHING_LEARNED) -> list[EventTuple]:
    """The events of such a view, for a seat that has also seen the tokens of some others."""
    assert isinstance(state, Secrets)
    looks = [(Event.LOOK, seat, other, state.token(other)) for other in sorted(learned.roles)]
    return [*laid_out(state, seat), *looks, *this_turn(state, seat)]


def laid_out(state: Secrets, seat: int) -> Iterator[EventTuple]:
    """The table at the start of this turn, as events for that seat."""
    position = position_of(state)
    yield Event.FIRST, state.first
    for card, count in enumerate(_left_out(position)):
        for _ in range(count):
            yield from _turned_up(card)  # forgotten as soon as the next turn begins
    for number, (up, down, bullets) in enumerate(_displays(position)):
        for card in down:
            yield from _turned_up(card)
            yield Event.TAKEN, number, card
        if down:
            yield Event.DOWN, number, UNSEEN
        for card in up:
            yield from _turned_up(card)
            yield Event.TAKEN, number, card
        for _ in range(bullets):
            yield Event.BULLET, number, UNSEEN
            yield Event.GIVEN, number, UNSEEN
    for card in position.bottom:
        yield from _turned_up(card)
        yield Event.UNDER, card, 1
    yield Event.UN, state.un
    yield Event.LOOK, seat, seat, state.token(seat)


def _turned_up(card: int) -> Iterator[EventTuple]:
    yield Event.TURN, 0
    yield Event.UP, card


def _left_out(position: Position) -> list[int]:
    """How many cards of each character are not in this game."""
    placed, unturned = position.placed(), position.unturned()
    return [COPIES[card] - placed[card] - unturned[card] for card in range(Character.COUNT)]


def _displays(position: Position) -> Iterator[tuple[CardTuple, CardTuple, int]]:
    """Face up, face down and the number of Bullets, without a card taken in this turn."""
    for number, seat in enumerate(position.seats):
        up = list(seat.up)
        if position.in_effect and number == position.taker:
            up.remove(position.offered)
        yield tuple(up), seat.down, len(seat.bullets)


def this_turn(state: Secrets, seat: int) -> Iterator[EventTuple]:
    """The events of this turn so far, and who must decide."""
    yield Event.TURN, state.player
    for _ in range(state.surplus + 1):
        yield Event.UP, state.one
    if state.two != UNSEEN:
        yield Event.UP, state.two
    if state.surplus:
        yield Event.UNDER, state.one, state.surplus
    if state.phase > Phase.CHOOSE and state.two != UNSEEN:
        yield Event.PENDING, state.player, Phase.CHOOSE, state.turns, NOBODY, UNSEEN, NOBODY
        other = state.two if state.offered == state.one else state.one
        yield Event.UNDER, other if seat == state.player else UNSEEN, 1
    if state.phase >= Phase.SWAP:
        yield Event.TAKEN, state.taker, state.offered
    if state.phase == Phase.NEIGHBOUR:
        yield Event.SHOW, CENTRE, state.token(CENTRE)
    if state.phase == Phase.GIVE:
        yield Event.BULLET, state.taker, state.bullet if seat == state.taker else UNSEEN
    yield state.pending_event()
    if seat == state.actor:
        yield Event.LEGAL_MOVES, *state.moves()
