"""What the solver knows of Hidden Leaders: goals, worlds, and when a turn is as good as over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from math import comb, perm
from typing import Final

from games.hidden_leaders.cards import HEROES, LEADERS
from games.hidden_leaders.drawing import seat_letter
from games.hidden_leaders.position import Position, position_of
from games.hidden_leaders.program import OP_DRAW, OP_MORE, OP_REFILL, OP_TRIM, PROGRAM
from games.hidden_leaders.resolve import F_ROW
from games.hidden_leaders.setup import UNKNOWN
from games.hidden_leaders.state import HiddenLeaders
from games.hidden_leaders.table import FRAMES
from games.hidden_leaders.words import FACTION_NAMES, LEADER_COUNT
from games.state import NOBODY, State
from solver.question import BadQuestion, Goal

MOST_WORLDS: Final = 5000
"""Ways to fill in a position's unknown cards and leaders that are looked at, at most."""

_CLOSING: Final = (OP_MORE, OP_DRAW, OP_TRIM, OP_REFILL)
"""Steps of a turn in which only hands, tavern and piles change: none of them decides who wins."""

Cards = tuple[int, ...]


def turns(state: State) -> int:
    """Turns completed."""
    assert isinstance(state, HiddenLeaders)
    return state.turns


def faction_wins(faction: int) -> Goal:
    """The faction wins, whoever leads it."""

    def reached(state: State) -> bool:
        assert isinstance(state, HiddenLeaders)
        return state.faction == faction

    return Goal(f"{FACTION_NAMES[faction]} wins, whoever leads it", reached)


def foregone(state: State) -> HiddenLeaders | None:
    """The table at the end of the turn, once its action is over: parties and markers stay."""
    assert isinstance(state, HiddenLeaders)
    if state.frame != FRAMES or PROGRAM[state.m[state.frame + F_ROW]] not in _CLOSING:
        return None
    end = state.copy()
    while end.turns == state.turns and end.actor != NOBODY:
        end.play(end.moves()[0])
    return end


# ---- worlds -----------------------------------------------------------------------------------


def worlds(position: Position, most: int = MOST_WORLDS) -> list[HiddenLeaders]:
    """Every way to fill in what is unknown, all equally likely; one if nothing is.

    Hands and open heroes have no order; the places in piles, tavern and among hidden heroes do.
    """
    many = world_count(position)
    if many > most:
        raise BadQuestion(
            f"there are {many} ways to fill in the unknown cards and leaders, and at most {most} "
            f"can be looked at (name more cards, use a smaller deck, or raise --worlds)"
        )
    return [
        replace(filled, harbor=None).state()
        for led in _with_leaders(position)
        for filled in _with_cards(led, led.unused())
    ]


def world_count(position: Position) -> int:
    """How many worlds there are."""
    unknown = sum(seat.leader == UNKNOWN for seat in position.seats)
    known = sum(seat.leader >= 0 for seat in position.seats)
    many = perm(LEADER_COUNT - known, unknown)
    left = len(position.unused())
    for _, cards, ordered in _gaps(position):
        gaps = cards.count(UNKNOWN)
        many *= perm(left, gaps) if ordered else comb(left, gaps)
        left -= gaps
    return many


def _gaps(position: Position) -> Iterator[tuple[tuple[str, int], Cards, bool]]:
    """Every place with unknown cards but the harbor: where, its cards, whether in an order."""
    for number, seat in enumerate(position.seats):
        for part, cards in (("hand", seat.hand), ("open", seat.open), ("hidden", seat.hidden)):
            if UNKNOWN in cards:
                yield (part, number), cards, part == "hidden"
    places = (
        ("tavern", position.tavern),
        ("graveyard", position.graveyard),
        ("wilderness", position.wilderness),
        ("aside", position.aside),
        ("drawn", position.drawn),
    )
    for name, cards in places:
        if UNKNOWN in cards:
            yield (name, -1), cards, name != "drawn"


def _with_leaders(position: Position) -> Iterator[Position]:
    known = {seat.leader for seat in position.seats}
    free = [leader for leader in range(LEADER_COUNT) if leader not in known]
    asked = [number for number, seat in enumerate(position.seats) if seat.leader == UNKNOWN]
    for dealt in permutations(free, len(asked)):
        seats = list(position.seats)
        for number, leader in zip(asked, dealt, strict=True):
            seats[number] = replace(seats[number], leader=leader)
        yield replace(position, seats=tuple(seats))


def _with_cards(position: Position, free: list[int]) -> Iterator[Position]:
    """The position with the first place that has gaps filled in every way, and so on."""
    gap = next(_gaps(position), None)
    if gap is None:
        yield position
        return
    place, cards, ordered = gap
    choose = permutations if ordered else combinations
    for drawn in choose(free, cards.count(UNKNOWN)):
        supply = iter(drawn)
        filled = tuple(next(supply) if card == UNKNOWN else card for card in cards)
        rest = [card for card in free if card not in drawn]
        yield from _with_cards(_refilled(position, place, filled), rest)


def _refilled(position: Position, place: tuple[str, int], cards: Cards) -> Position:
    name, number = place
    if number < 0:
        changed: dict[str, Cards] = {name: cards}
        return replace(position, **changed)  # type: ignore[arg-type]
    seats = list(position.seats)
    hand, opened, hidden = (
        cards if name == part else kept
        for part, kept in (
            ("hand", seats[number].hand),
            ("open", seats[number].open),
            ("hidden", seats[number].hidden),
        )
    )
    seats[number] = replace(seats[number], hand=hand, open=opened, hidden=hidden)
    return replace(position, seats=tuple(seats))


def filled_in(position: Position, world: HiddenLeaders) -> str:
    """What the world says about the unknown parts of the position, in the position's notation."""
    truth = position_of(world)
    said = []
    for number, (seat, true) in enumerate(zip(position.seats, truth.seats, strict=True)):
        parts = [f"leader {LEADERS[true.leader].name}"] if seat.leader == UNKNOWN else []
        for part, cards, held in (
            ("hand", seat.hand, true.hand),
            ("open", seat.open, true.open),
            ("hidden", seat.hidden, true.hidden),
        ):
            if UNKNOWN in cards:
                parts.append(f"{part} {_codes(held)}")
        if parts:
            said.append(f"{seat_letter(number)} {' '.join(parts)}")
    for (name, number), _, _ in _gaps(position):
        if number < 0:
            said.append(f"{name} {_codes(dict(truth.places())[name])}")
    return "; ".join(said)


def _codes(cards: Cards) -> str:
    return " ".join(HEROES[card].code for card in cards)
