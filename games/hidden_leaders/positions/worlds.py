"""Positions of Hidden Leaders to be asked about: their worlds, and what may be left out of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, islice, permutations
from math import comb, perm
from typing import Final

from games.hidden_leaders.positions.notation import Position, position_of, read, write
from games.hidden_leaders.positions.position import UNKNOWN
from games.hidden_leaders.rules.cards import CARD_NUMBER, HEROES, LEADERS
from games.hidden_leaders.rules.constants import LEADER_COUNT, Zone
from games.hidden_leaders.rules.interpreter import Frame
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import FRAME, FRAMES
from games.hidden_leaders.text.board import seat_letter
from games.questions import PosedPosition, SecretsMatter, Watch, too_many
from games.state import State

PRYING: Final = frozenset(
    CARD_NUMBER[name]
    for name in (
        "Curious Cat Lover",
        "Resilient Rearguard",
        "Will-Bending Witch",
        "Underwater Artist",
        "Pessimistic Whaleman",
        "Deep Sea Squire",
    )
)
"""Heroes that take cards from, or depend on, other players' hands or the harbor."""

Cards = tuple[int, ...]


@dataclass(frozen=True)
class PosedTable:
    """A position of Hidden Leaders, for whoever asks about it."""

    position: Position

    def __str__(self) -> str:
        return write(self.position)

    @property
    def players(self) -> int:
        return self.position.players

    def unknowns(self) -> list[str]:
        return self.position.unknowns()

    def world_count(self, idle: bool = False) -> int:
        return world_count(self.position, idle)

    def worlds(self, most: int, idle: bool = False) -> list[State]:
        return list[State](worlds(self.position, most, idle))

    def can_idle(self) -> bool:
        """Hands of others are out of account for as long as no line touches them."""
        return any(" hand" in place for place in self.unknowns())

    def watch(self, world: State) -> Watch:
        assert isinstance(world, HiddenLeaders)
        if world.actor >= 0 and UNKNOWN in self.position.seats[world.actor].hand:
            raise SecretsMatter("whoever decides knows its own hand")
        return IdleHands(world).watch

    def told(self, world: State, idle: bool) -> str:
        assert isinstance(world, HiddenLeaders)
        return filled_in(self.position, world, idle)

    def sight(self, world: State, seat: int) -> tuple[Cards, ...]:
        return seen_by(world, seat)

    def seen(self, world: State, seat: int) -> str:
        assert isinstance(world, HiddenLeaders)
        return seen_in(self.position, world, seat)


def pose(text: str) -> PosedPosition:
    """The position the text describes; BadPosition says what is wrong with it."""
    return PosedTable(read(text))


def notation(state: State) -> str:
    """The position as text."""
    assert isinstance(state, HiddenLeaders)
    return write(state)


class IdleHands:
    """Watches that nothing depends on the others' hands or on what the harbor holds.

    Then unknown hands need not be filled in in every way: any way gives the same answer.
    """

    def __init__(self, root: HiddenLeaders) -> None:
        self.turn = root.player
        self.sizes = self.held(root)

    def held(self, state: HiddenLeaders) -> list[int]:
        """Cards in the harbor and in the hands of all but the turn's player."""
        seats = [seat for seat in range(state.players) if seat != self.turn]
        return [state.size(Zone.HARBOR), *(state.size(Zone.HAND + seat) for seat in seats)]

    def watch(self, state: State) -> None:
        """SecretsMatter if the card being resolved looks into hands or harbor."""
        assert isinstance(state, HiddenLeaders)
        for at in range(FRAMES, state.frame + FRAME, FRAME):
            if state.m[at + Frame.CARD] in PRYING:
                name = HEROES[state.m[at + Frame.CARD]].name
                raise SecretsMatter(f"unknown hands matter here, since {name} looks at them")
        if self.held(state) != self.sizes:
            raise SecretsMatter("unknown hands matter here, since cards come from them")


# ---- worlds -----------------------------------------------------------------------------------


def worlds(position: Position, most: int, idle: bool = False) -> list[HiddenLeaders]:
    """Every way to fill in what is unknown, all equally likely; one if nothing is.

    Hands and open heroes have no order; the places in piles, tavern and among hidden heroes do. If
    hands are said to be idle, those of all but the turn's player are filled in one way only.
    """
    many = world_count(position, idle)
    if many > most:
        raise too_many(many, most)
    return [
        replace(filled, harbor=None).state()
        for led in _with_leaders(position)
        for filled in _with_cards(led, led.unused(), idle)
    ]


def world_count(position: Position, idle: bool = False) -> int:
    """How many worlds there are."""
    unknown = sum(seat.leader == UNKNOWN for seat in position.seats)
    known = sum(seat.leader >= 0 for seat in position.seats)
    many = perm(LEADER_COUNT - known, unknown)
    left = len(position.unused())
    for place, cards in _gaps(position):
        gaps = cards.count(UNKNOWN)
        if not (idle and _idle(position, place)):
            many *= perm(left, gaps) if _ordered(place) else comb(left, gaps)
            left -= gaps
    return many


Place = tuple[str, int]
"""Leader, hand, open, hidden or a pile; whose, or -1."""


def _gaps(position: Position) -> list[tuple[Place, Cards]]:
    """Every place with unknown cards but the harbor; hands that may be idle come last."""
    places: list[tuple[Place, Cards]] = [
        (("tavern", -1), position.tavern),
        (("graveyard", -1), position.graveyard),
        (("wilderness", -1), position.wilderness),
        (("aside", -1), position.aside),
        (("drawn", -1), position.drawn),
    ]
    for number, seat in enumerate(position.seats):
        places += [(("open", number), seat.open), (("hidden", number), seat.hidden)]
        places.append((("hand", number), seat.hand))
    found = [one for one in places if UNKNOWN in one[1]]
    return sorted(found, key=lambda one: _idle(position, one[0]))


def _ordered(place: Place) -> bool:
    return place[0] not in ("hand", "open", "drawn")


def _idle(position: Position, place: Place) -> bool:
    return place[0] == "hand" and place[1] != position.turn


def _with_leaders(position: Position) -> Iterator[Position]:
    known = {seat.leader for seat in position.seats}
    free = [leader for leader in range(LEADER_COUNT) if leader not in known]
    asked = [number for number, seat in enumerate(position.seats) if seat.leader == UNKNOWN]
    for dealt in permutations(free, len(asked)):
        seats = list(position.seats)
        for number, leader in zip(asked, dealt, strict=True):
            seats[number] = replace(seats[number], leader=leader)
        yield replace(position, seats=tuple(seats))


def _with_cards(position: Position, free: list[int], idle: bool) -> Iterator[Position]:
    """The position with the first place that has gaps filled in every way, and so on."""
    gaps = _gaps(position)
    if not gaps:
        yield position
        return
    place, cards = gaps[0]
    choose = permutations if _ordered(place) else combinations
    ways: Iterator[Cards] = iter(choose(free, cards.count(UNKNOWN)))
    for drawn in islice(ways, 1) if idle and _idle(position, place) else ways:
        supply = iter(drawn)
        filled = tuple(next(supply) if card == UNKNOWN else card for card in cards)
        rest = [card for card in free if card not in drawn]
        yield from _with_cards(_refilled(position, place, filled), rest, idle)


def _refilled(position: Position, place: Place, cards: Cards) -> Position:
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


# ---- what a world says ------------------------------------------------------------------------


def seen_by(state: State, seat: int) -> tuple[tuple[int, ...], ...]:
    """What a seat sees of a table: its leader, its own cards, and all that lie open."""
    assert isinstance(state, HiddenLeaders)
    zones = [Zone.TAVERN, Zone.GRAVEYARD, Zone.ASIDE, Zone.HAND + seat, Zone.HIDDEN + seat]
    zones += [Zone.OPEN + other for other in range(state.players)]
    if seat == state.player:
        zones.append(Zone.DRAWN)
    return (state.leader(seat),), *(tuple(state.cards(zone)) for zone in zones)


def seen_in(position: Position, world: HiddenLeaders, seat: int) -> str:
    """What the world says about those unknown cards and leaders that the seat sees."""

    def seen(place: Place) -> bool:
        name, whose = place
        if name in ("leader", "hand", "hidden"):
            return whose == seat
        return seat == position.turn if name == "drawn" else name != "wilderness"

    return _told(position, world, seen)


def filled_in(position: Position, world: HiddenLeaders, idle: bool) -> str:
    """What the world says about what is unknown, in the position's notation; not of idle hands."""
    return _told(position, world, lambda place: not (idle and _idle(position, place)))


def _told(position: Position, world: HiddenLeaders, telling: Callable[[Place], bool]) -> str:
    truth = position_of(world)
    said = []
    for number, (seat, true) in enumerate(zip(position.seats, truth.seats, strict=True)):
        parts = []
        if seat.leader == UNKNOWN and telling(("leader", number)):
            parts.append(f"leader {LEADERS[true.leader].name}")
        for part, cards, held in (
            ("hand", seat.hand, true.hand),
            ("open", seat.open, true.open),
            ("hidden", seat.hidden, true.hidden),
        ):
            if UNKNOWN in cards and telling((part, number)):
                parts.append(f"{part} {_codes(held)}")
        if parts:
            said.append(f"{seat_letter(number)} {' '.join(parts)}")
    for place, _ in _gaps(position):
        name, number = place
        if number < 0 and telling(place):
            said.append(f"{name} {_codes(dict(truth.places())[name])}")
    return "; ".join(said)


def _codes(cards: Cards) -> str:
    return " ".join(HEROES[card].code for card in cards)
