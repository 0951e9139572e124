"""The worlds of a position of Hidden Leaders, and which unknown cards can be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, permutations
from math import comb, perm
from typing import Final

from games.hidden_leaders.positions import common_sight
from games.hidden_leaders.positions.notation import codes, read, write
from games.hidden_leaders.positions.position import (
    UNKNOWN,
    CardTuple,
    Position,
    position_of,
    usual_threshold,
)
from games.hidden_leaders.positions.simplify import with_seat
from games.hidden_leaders.rules.cards import BEGINNER, CARD_NUMBER, HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import Limit, Zone
from games.hidden_leaders.rules.interpreter import Frame
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import FRAME, FRAMES
from games.questions import (
    Learned,
    PosedPosition,
    SecretsMatter,
    Watch,
    too_many,
)
from games.seats import seat_name
from games.state import Rng, State

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


@dataclass(frozen=True)
class PosedTable:
    """A position of Hidden Leaders as solvers see it."""

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
        """Unknown hands of others can be left out as long as no line touches them."""
        return any(" hand" in place for place in self.unknowns())

    def watch(self, world: State) -> Watch:
        assert isinstance(world, HiddenLeaders)
        if world.actor >= 0 and UNKNOWN in self.position.seats[world.actor].hand:
            raise SecretsMatter("the seat that decides knows its own hand")
        return IdleHands(world).watch

    def told(self, world: State, idle: bool) -> str:
        """Leaves out idle hands."""
        return _told(self.position, world, lambda place: not (idle and _idle(self.position, place)))

    def agreed_table(self, states: Sequence[State], idle: bool) -> State:
        return common_sight.agreed_table(states, self._idle_cards(states[0], idle))

    def doubts(self, states: Sequence[State], idle: bool) -> list[str]:
        return common_sight.doubts(states, self._idle_cards(states[0], idle))

    def _idle_cards(self, state: State, idle: bool) -> frozenset[int]:
        """The cards that fill in idle hands, as far as they are still there."""
        assert isinstance(state, HiddenLeaders)
        named, hands = self.named().cards, set[int]()
        for number, seat in enumerate(self.position.seats):
            if idle and UNKNOWN in seat.hand and _idle(self.position, ("hand", number)):
                hands.update(state.cards(Zone.HAND + number))
        return frozenset(hands - named)

    def draw(self, rng: Rng) -> State:
        return self.position.complete(rng)

    def filled(self, world: State) -> PosedTable:
        assert isinstance(world, HiddenLeaders)
        return PosedTable(replace(position_of(world), facts=self.position.facts))

    def options(self) -> dict[str, object]:
        """A turn limit inside a round moves to its end: a game counts it in whole rounds."""
        position = self.position
        deck, options = tuple(sorted(position.deck)), dict[str, object]()
        if deck != RETAIL:
            names = [HEROES[card].name for card in deck]
            options["deck"] = "beginner" if deck == BEGINNER else names
        if position.threshold != usual_threshold(position.players, deck):
            options["threshold"] = position.threshold
        if (rounds := -(-position.limit // position.players)) != Limit.ROUNDS:
            options["rounds"] = rounds
        return options

    def learned(self, seat: int) -> Learned:
        own = [fact for fact in self.position.facts if fact.seat == seat]
        cards = (card for fact in own if fact.part != "leader" for card in fact.cards)
        roles = (fact.other for fact in own if fact.part == "leader")
        return Learned(frozenset(cards), frozenset(roles))

    def named(self) -> Learned:
        places = (cards for _, cards in self.position.places())
        cards = frozenset(card for place in places for card in place if card >= 0)
        seats = enumerate(self.position.seats)
        roles = (number for number, seat in seats if seat.leader >= 0)
        return Learned(cards, frozenset(roles))

    def unnamed(self, seat: int) -> list[str]:
        """The graveyard is left out: a seat may have lost track of what lies there (R93)."""
        unnamed = ["tavern"] if UNKNOWN in self.position.tavern else []
        for number, owner in enumerate(self.position.seats):
            name = seat_name(number)
            if number == seat:
                unnamed += [f"{name} leader"] * (owner.leader == UNKNOWN)
                unnamed += [f"{name} hand"] * (UNKNOWN in owner.hand)
                unnamed += [f"{name} hidden"] * (UNKNOWN in owner.hidden)
            unnamed += [f"{name} open"] * (UNKNOWN in owner.open)
        return unnamed

    def sight(self, world: State, seat: int) -> tuple[CardTuple, ...]:
        return seen_by(world, seat)

    def seen(self, world: State, seat: int) -> str:
        def visible(place: Place) -> bool:
            name, whose = place
            if name in ("leader", "hand", "hidden"):
                return whose == seat
            return seat == self.position.turn if name == "drawn" else name != "wilderness"

        return _told(self.position, world, visible)


def pose(text: str) -> PosedPosition:
    """The position the text describes; BadPosition lists what is wrong with it."""
    return PosedTable(read(text))


class IdleHands:
    """Checks that nothing depends on the others' hands or on the cards in the harbor.

    Then one way to fill in unknown hands is enough: every way gives the same answer.
    """

    def __init__(self, root: HiddenLeaders) -> None:
        self.turn = root.player
        self.sizes = self.held(root)

    def held(self, state: HiddenLeaders) -> list[int]:
        """Cards in the harbor and in the hands of all but the turn player."""
        seats = [seat for seat in range(state.players) if seat != self.turn]
        return [state.size(Zone.HARBOR), *(state.size(Zone.HAND + seat) for seat in seats)]

    def watch(self, state: State) -> None:
        """Raise SecretsMatter if the card being resolved looks into hands or harbor."""
        assert isinstance(state, HiddenLeaders)
        for at in range(FRAMES, state.frame + FRAME, FRAME):
            if state.m[at + Frame.CARD] in PRYING:
                name = HEROES[state.m[at + Frame.CARD]].name
                raise SecretsMatter(f"unknown hands matter here, since {name} looks at them")
        if self.held(state) != self.sizes:
            raise SecretsMatter("unknown hands matter here, since cards come from them")


# ---- worlds -----------------------------------------------------------------------------------


def worlds(position: Position, most: int, idle: bool = False) -> list[HiddenLeaders]:
    """Every way to fill in the unknown cards, all equally likely; a single one if none is unknown.

    Hands and open heroes have no order; piles, tavern and hidden heroes do. With `idle`, hands of
    all but the turn player are filled in one way only.
    """
    count = world_count(position, idle)
    if count > most:
        raise too_many(count, most)
    return [
        replace(filled, harbor=None).state()
        for led in _with_leaders(position)
        for filled in _with_cards(led, led.unused(), idle)
    ]


def world_count(position: Position, idle: bool = False) -> int:
    unknown = sum(seat.leader == UNKNOWN for seat in position.seats)
    known = sum(seat.leader >= 0 for seat in position.seats)
    count = perm(Limit.LEADERS - known, unknown)
    left = len(position.unused())
    for place, cards in _gaps(position):
        gaps = cards.count(UNKNOWN)
        if not (idle and _idle(position, place)):
            count *= perm(left, gaps) if _ordered(place) else comb(left, gaps)
            left -= gaps
    return count


Place = tuple[str, int]
"""(leader, hand, open, hidden or a pile; the seat, or -1)."""


def _gaps(position: Position) -> list[tuple[Place, CardTuple]]:
    """Every place with unknown cards except the harbor; hands that may be idle come last."""
    places: list[tuple[Place, CardTuple]] = [
        (("tavern", -1), position.tavern),
        (("graveyard", -1), position.graveyard),
        (("wilderness", -1), position.wilderness),
        (("aside", -1), position.aside),
        (("drawn", -1), position.drawn),
    ]
    for number, seat in enumerate(position.seats):
        places += [(("open", number), seat.open), (("hidden", number), seat.hidden)]
        places.append((("hand", number), seat.hand))
    gaps = [(place, cards) for place, cards in places if UNKNOWN in cards]
    return sorted(gaps, key=lambda gap: _idle(position, gap[0]))


def _ordered(place: Place) -> bool:
    return place[0] not in ("hand", "open", "drawn")


def _idle(position: Position, place: Place) -> bool:
    return place[0] == "hand" and place[1] != position.turn


def _with_leaders(position: Position) -> Iterator[Position]:
    known = {seat.leader for seat in position.seats}
    free = [leader for leader in range(Limit.LEADERS) if leader not in known]
    unknown = [number for number, seat in enumerate(position.seats) if seat.leader == UNKNOWN]
    for dealt in permutations(free, len(unknown)):
        seats = list(position.seats)
        for number, leader in zip(unknown, dealt, strict=True):
            seats[number] = replace(seats[number], leader=leader)
        yield replace(position, seats=tuple(seats))


def _with_cards(position: Position, free: list[int], idle: bool) -> Iterator[Position]:
    """Fills in the first place with gaps in every way, then recursively the others."""
    gaps = _gaps(position)
    if not gaps:
        yield position
        return
    place, cards = gaps[0]
    choose = permutations if _ordered(place) else combinations
    ways: Iterator[CardTuple] = iter(choose(free, cards.count(UNKNOWN)))
    for drawn in islice(ways, 1) if idle and _idle(position, place) else ways:
        supply = iter(drawn)
        filled = tuple(next(supply) if card == UNKNOWN else card for card in cards)
        rest = [card for card in free if card not in drawn]
        yield from _with_cards(_refilled(position, place, filled), rest, idle)


def _refilled(position: Position, place: Place, cards: CardTuple) -> Position:
    name, number = place
    if number < 0:
        changed: dict[str, CardTuple] = {name: cards}
        return replace(position, **changed)  # type: ignore[arg-type]
    changed_seat: dict[str, CardTuple] = {name: cards}
    seat = replace(position.seats[number], **changed_seat)  # type: ignore[arg-type]
    return with_seat(position, number, seat)


# ---- the unknown cards of a world -------------------------------------------------------------


def seen_by(state: State, seat: int) -> tuple[tuple[int, ...], ...]:
    """What a seat sees of a table: its leader, its own cards, and all open cards."""
    assert isinstance(state, HiddenLeaders)
    zones = [Zone.TAVERN, Zone.GRAVEYARD, Zone.ASIDE, Zone.HAND + seat, Zone.HIDDEN + seat]
    zones += [Zone.OPEN + other for other in range(state.players)]
    if seat == state.player:
        zones.append(Zone.DRAWN)
    return (state.leader(seat),), *(tuple(state.cards(zone)) for zone in zones)


def _told(position: Position, world: State, included: Callable[[Place], bool]) -> str:
    assert isinstance(world, HiddenLeaders)
    truth = position_of(world)
    fields = []
    for number, (seat, true) in enumerate(zip(position.seats, truth.seats, strict=True)):
        parts = []
        if seat.leader == UNKNOWN and included(("leader", number)):
            parts.append(f"leader {LEADERS[true.leader].name}")
        for part, cards, held in (
            ("hand", seat.hand, true.hand),
            ("open", seat.open, true.open),
            ("hidden", seat.hidden, true.hidden),
        ):
            if UNKNOWN in cards and included((part, number)):
                parts.append(f"{part} {codes(held)}")
        if parts:
            fields.append(f"{seat_name(number)} {' '.join(parts)}")
    for place, _ in _gaps(position):
        name, number = place
        if number < 0 and included(place):
            fields.append(f"{name} {codes(dict(truth.places())[name])}")
    return "; ".join(fields)
