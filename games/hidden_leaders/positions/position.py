"""A position of Hidden Leaders, card by card: checked as a whole before it is set up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from games.errors import BadPosition
from games.hidden_leaders.rules.bytecode import PROGRAM, SETUP_START, START, TURN_START
from games.hidden_leaders.rules.cards import BEGINNER, HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import (
    ALL_FACTIONS,
    EMPTY,
    FACTION_NAMES,
    THRESHOLDS,
    Limit,
    Move,
    Track,
    Zone,
)
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.opcodes import Op, Row
from games.hidden_leaders.rules.scoring import winner, winning_faction
from games.hidden_leaders.rules.state import HiddenLeaders, blank
from games.hidden_leaders.rules.table import FRAME, FRAMES, LAST, LEADERS_AT, MOST_FRAMES, ROOM
from games.seats import seat_name
from games.state import CHANCE, NOBODY, UNSEEN, Rng

UNKNOWN: Final = -2
"""An unknown card or leader."""
NOT_DEALT: Final = -1
"""The leader of a seat that has none yet."""
LEAST_PLAYERS: Final = 2
TURN_LIMIT: Final = -1
"""`Position.over` of a game stopped at the turn limit."""
RUNNING: Final = 0

_NAMED: Final = 5
"""How many of the missing cards a message names."""
_GROWTH: Final = 5
"""The most a party can grow within a turn: at most three cards are played from hand, in chains that
turn up or place two more."""
MOST_THRESHOLD: Final = ROOM[Zone.OPEN] - _GROWTH - 1
"""With a higher threshold a party might outgrow its room on the table."""
_MOST_IN_HAND: Final = ROOM[Zone.HAND] - 2
"""In the middle of a turn a hand must have room for cards its player may still draw."""

TURN_FRAME: Final = (TURN_START, -1, 1, -1, -1, 0, 0, 0)
"""The only frame at the start of a turn."""
_SEAT_ZONES: Final = (Zone.HAND, Zone.OPEN, Zone.HIDDEN)
_DRAW_ROW: Final = (TURN_START + 2 * Row.SIZE,)
_FRAME_LIMITS: Final = (
    ("row", 0, len(PROGRAM) - 1),
    ("card", -1, len(HEROES) - 1),
    ("head", 0, 1),
    ("who", -1, Limit.PLAYERS - 1),
    ("pick", -1, Move.COUNT - 1),
    ("count", 0, Move.COUNT - 1),
    ("faction", 0, ALL_FACTIONS),
    ("dealt", 0, Limit.DEALT - 1),
)

CardTuple = tuple[int, ...]


@dataclass(frozen=True)
class Seat:
    """What lies before one seat."""

    leader: int = UNKNOWN
    hand: CardTuple = ()
    open: CardTuple = ()
    hidden: CardTuple = ()


class Fact(NamedTuple):
    """Something that a seat has learned before about another seat."""

    seat: int
    other: int
    part: str
    """`hand`, `hidden` or `leader`."""
    cards: CardTuple
    """Cards, or the leader."""


@dataclass(frozen=True)
class Position:
    """A table, possibly with unknown cards. It may be impossible: see `problems`."""

    players: int = LEAST_PLAYERS
    red: int = Track.START
    green: int = Track.START
    turn: int = 0
    first: int = 0
    turns: int = 0
    limit: int = Limit.ROUNDS * LEAST_PLAYERS
    threshold: int = THRESHOLDS[LEAST_PLAYERS]
    deck: CardTuple = RETAIL
    tavern: CardTuple = (EMPTY,) * Limit.TAVERN
    graveyard: CardTuple = ()
    wilderness: CardTuple = ()
    harbor: CardTuple | None = None
    """None: every card of the deck that is not placed elsewhere."""
    aside: CardTuple = ()
    drawn: CardTuple = ()
    seats: tuple[Seat, ...] = field(default=(Seat(), Seat()))
    pending: tuple[CardTuple, ...] = (TURN_FRAME,)
    drawing: bool = False
    """Whether a harbor card is about to be drawn in the draw step and chance decides which."""
    over: int = RUNNING
    """The faction that has won, or TURN_LIMIT."""
    facts: tuple[Fact, ...] = ()
    """What seats have learned before; only about cards and leaders that are named."""

    def state(self) -> HiddenLeaders:
        """The game; everything must be known."""
        problems = self.problems() + self.unknowns()
        if problems:
            raise BadPosition(problems)
        return _set_up(self)

    def complete(self, rng: Rng) -> HiddenLeaders:
        """The game with every unknown card and leader drawn at random from the unused ones."""
        problems = self.problems()
        if problems:
            raise BadPosition(problems)
        return _set_up(self._filled(rng))

    # ---- what is wrong with it --------------------------------------------------------------

    def problems(self) -> list[str]:
        """Everything that is impossible, one sentence each; empty if the position can be set up."""
        if not LEAST_PLAYERS <= self.players <= Limit.PLAYERS:  # much else depends on it
            return [f"players {self.players}: there are {LEAST_PLAYERS} to {Limit.PLAYERS} players"]
        return [
            *self._wrong_numbers(),
            *self._wrong_cards(),
            *self._wrong_leaders(),
            *self._wrong_sizes(),
            *self._wrong_frames(),
            *self._wrong_facts(),
        ]

    def places(self) -> Iterator[tuple[str, CardTuple]]:
        """Every place that holds cards, with its name; the harbor only if it is given."""
        yield "tavern", tuple(card for card in self.tavern if card != EMPTY)
        yield "graveyard", self.graveyard
        yield "wilderness", self.wilderness
        yield "aside", self.aside
        yield "drawn", self.drawn
        for number, seat in enumerate(self.seats):
            letter = seat_name(number)
            yield f"{letter} hand", seat.hand
            yield f"{letter} open", seat.open
            yield f"{letter} hidden", seat.hidden
        if self.harbor is not None:
            yield "harbor", self.harbor

    def unused(self) -> list[int]:
        """The cards of the deck that have no known place, ascending."""
        placed = {card for _, cards in self.places() for card in cards}
        return sorted(set(self.deck) - placed)

    def unknowns(self) -> list[str]:
        """What is unknown, place by place; empty if the position is complete."""
        cards = [
            f"{name}: {cards.count(UNKNOWN)} unknown"
            for name, cards in self.places()
            if UNKNOWN in cards
        ]
        leaders = [
            f"{seat_name(number)} leader: unknown"
            for number, seat in enumerate(self.seats)
            if seat.leader == UNKNOWN
        ]
        return cards + leaders

    def _wrong_numbers(self) -> Iterator[str]:
        for colour, space in (("red", self.red), ("green", self.green)):
            if not Track.FIRST <= space <= Track.LAST:
                yield f"{colour} {space}: the track goes from {Track.FIRST} to {Track.LAST}"
        if not 0 <= self.turn < self.players:
            yield f"turn {seat_name(self.turn)}: there are only {self.players} players"
        elif not NOBODY <= self.first < self.players:
            yield f"first {seat_name(self.first)}: there are only {self.players} players"
        for extra in range(max(0, self.players), len(self.seats)):
            yield f"seat {seat_name(extra)}: there are only {self.players} players"
        if not 1 <= self.threshold <= MOST_THRESHOLD:
            yield f"threshold {self.threshold}: it must be from 1 to {MOST_THRESHOLD}"
        if self.turns < 0 or (self.turns >= self.limit and self.over == RUNNING):
            yield f"turns {self.turns}: the game stops after {self.limit}"
        if not 1 <= self.limit < 2**16:
            yield f"limit {self.limit}: it must be from 1 to {2**16 - 1}"

    def _wrong_cards(self) -> Iterator[str]:
        placed = Counter(card for _, cards in self.places() for card in cards if card != UNKNOWN)
        for card, often in sorted(placed.items()):
            if often > 1:
                where = [name for name, cards in self.places() for _ in range(cards.count(card))]
                yield f"{HEROES[card].name} lies in {often} places: {', '.join(where)}"
            if card not in self.deck:
                yield f"{HEROES[card].name} is not in the deck"
        for card, often in Counter(self.deck).items():
            if often > 1:
                yield f"{HEROES[card].name} is {often} times in the deck"
        total = sum(len(cards) for _, cards in self.places())
        if total > len(self.deck):
            yield f"{total} cards are placed, but the deck has {len(self.deck)}"
            return
        unknown = sum(cards.count(UNKNOWN) for _, cards in self.places())
        unused = self.unused()
        if unknown > len(unused):
            yield f"{unknown} cards are unknown, but only {len(unused)} are not placed"
        elif self.harbor is not None and unknown < len(unused):
            names = ", ".join(HEROES[card].name for card in unused[:_NAMED])
            more = f" and {len(unused) - _NAMED} more" if len(unused) > _NAMED else ""
            yield f"{len(unused) - unknown} cards of the deck are not placed, out of: {names}{more}"

    def _wrong_leaders(self) -> Iterator[str]:
        known = Counter(seat.leader for seat in self.seats if seat.leader >= 0)
        for leader, often in known.items():
            if often > 1:
                who = [seat_name(i) for i, s in enumerate(self.seats) if s.leader == leader]
                yield f"leader {LEADERS[leader].name} belongs to {' and '.join(who)}"
        for number, seat in enumerate(self.seats):
            if seat.leader == NOT_DEALT and not self._dealing_leaders():
                name = seat_name(number)
                yield f"{name} has no leader, which is possible only until they are dealt"

    def _wrong_sizes(self) -> Iterator[str]:
        calm = self.pending == (TURN_FRAME,)
        most = Limit.HAND_AFTER_DISCARD if calm else _MOST_IN_HAND
        crowd = self.threshold + _GROWTH
        when = "at the start of a turn" if calm else "in a hand"
        if len(self.tavern) > Limit.TAVERN:
            yield f"tavern: {len(self.tavern)} slots, but it has {Limit.TAVERN}"
        for number, seat in enumerate(self.seats):
            letter, opened = seat_name(number), len(seat.open)
            if len(seat.hand) > most:
                yield f"{letter} hand: {len(seat.hand)} cards, at most {most} are possible {when}"
            if opened > crowd:
                yield f"{letter} open: {opened} heroes, at most {crowd} are possible"
            elif calm and opened >= self.threshold and self.over == RUNNING:
                yield f"{letter} open: {opened} heroes, so the game has ended at {self.threshold}"
        for name, cards in (("aside", self.aside), ("drawn", self.drawn)):
            if calm and cards:
                yield f"{name}: no card lies there at the start of a turn"
            elif len(cards) > ROOM[Zone.ASIDE]:
                yield f"{name}: {len(cards)} cards, at most {ROOM[Zone.ASIDE]} are possible"

    def _dealing_leaders(self) -> bool:
        """In the first step of setup; in the later ones every seat has its leader."""
        return bool(self.pending) and self.pending[0][:1] == (SETUP_START,)

    def _wrong_frames(self) -> Iterator[str]:
        if not 1 <= len(self.pending) <= MOST_FRAMES:
            yield f"pending: {len(self.pending)} frames, there are 1 to {MOST_FRAMES}"
        for depth, frame in enumerate(self.pending):
            problem = _wrong_frame(frame, depth, self.players)
            if problem:
                yield f"pending: frame {depth + 1} {problem}"
        if self.drawing and [frame[:1] for frame in self.pending] != [_DRAW_ROW]:
            yield "luck harbor: a harbor card is drawn only in the draw step"

    def wrong_end(self) -> Iterator[str]:
        """Why the rules would not have ended the game like that; asked of what people write."""
        if self.over == RUNNING:
            return
        if self.over == TURN_LIMIT:
            if self.turns < self.limit:
                yield f"over limit: the game stops after {self.limit} turns, not after {self.turns}"
            return
        says = winning_faction(self.red, self.green)
        if says != self.over:
            over = FACTION_NAMES[self.over].lower()
            markers = f"red {self.red} and green {self.green} say {FACTION_NAMES[says]}"
            yield f"over {over}: {markers}"

    def _wrong_facts(self) -> Iterator[str]:
        for fact in self.facts:
            name = f"{seat_name(fact.seat)} knows {seat_name(fact.other)} {fact.part}"
            if fact.seat == fact.other:
                yield f"{name}: a seat always knows its own cards and leader"
                continue
            if fact.other >= len(self.seats):
                continue  # said already
            seat = self.seats[fact.other]
            there = {"leader": (seat.leader,), "hand": seat.hand, "hidden": seat.hidden}[fact.part]
            for card in fact.cards:
                if card not in there or card < 0:
                    what = "it" if card < 0 else _card_or_leader(fact.part, card)
                    yield f"{name}: {what} is not named at seat {seat_name(fact.other)}"

    # ---- filling the unknown ----------------------------------------------------------------

    def _filled(self, rng: Rng) -> Position:
        pool = shuffled(self.unused(), rng)
        known = {seat.leader for seat in self.seats}
        free = [leader for leader in range(Limit.LEADERS) if leader not in known]
        leaders = shuffled(free, rng)

        def fill(cards: CardTuple) -> CardTuple:
            return tuple(pool.pop() if card == UNKNOWN else card for card in cards)

        seats = tuple(
            Seat(
                leaders.pop() if seat.leader == UNKNOWN else seat.leader,
                *map(fill, (seat.hand, seat.open, seat.hidden)),
            )
            for seat in self.seats
        )
        return replace(
            self,
            tavern=fill(self.tavern),
            graveyard=fill(self.graveyard),
            wilderness=fill(self.wilderness),
            aside=fill(self.aside),
            drawn=fill(self.drawn),
            seats=seats,
            harbor=None,
        )


def _card_or_leader(part: str, card: int) -> str:
    return LEADERS[card].name if part == "leader" else HEROES[card].name


def shuffled(items: list[int], rng: Rng) -> list[int]:
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        j = rng.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def _wrong_frame(frame: CardTuple, depth: int, players: int) -> str:
    """What is wrong with a frame; empty if nothing is."""
    if len(frame) != FRAME:
        return f"has {len(frame)} numbers instead of {FRAME}"
    for (name, low, high), number in zip(_FRAME_LIMITS, frame, strict=True):
        if not low <= number <= (players - 1 if name == "who" else high):
            return f"has {name} {number}"
    row, card, head = frame[:3]
    if row % Row.SIZE:
        return f"has row {row}, which is no multiple of {Row.SIZE}"
    if frame[Frame.DEALT] and row >= TURN_START:
        return f"has dealt {frame[Frame.DEALT]}, which only setup can have"
    if depth == 0:
        fits = card < 0 and head == 1 and PROGRAM[row] <= Op.LAST_OF_TURN
        return "" if fits else "is not a step of a turn"
    fits = card >= 0 and START[card] <= row < _end_of(card)
    return "" if fits else "is not a step of its card"


def _end_of(card: int) -> int:
    return START[card + 1] if card + 1 < len(HEROES) else len(PROGRAM)


# ---- from position to state and back ----------------------------------------------------------


def _set_up(position: Position) -> HiddenLeaders:
    """The state of a position without problems and without unknowns."""
    state = blank(position.players)
    state.red, state.green = position.red, position.green
    state.player, state.first = position.turn, position.first
    state.turns, state.turn_limit = position.turns, position.limit
    state.threshold = position.threshold
    _lay_cards(state, position)
    for frame in position.pending:
        state.push_frame(*frame[:3])
        for k, number in enumerate(frame):
            state.m[state.frame + k] = number
    if position.over != RUNNING:
        state.faction = max(position.over, 0)
        state.winner = winner(state, state.faction) if state.faction else NOBODY
        state.actor = NOBODY
        return state
    if position.drawing:
        state.chance = ChanceFrom.HARBOR
    try:
        state.run()
        calm = position_of(state) == _in_order(position)
    except IndexError:
        calm = False
    if not calm:
        raise BadPosition(["pending: no decision is possible with these frames and cards"])
    return state


def _sorted(cards: CardTuple) -> CardTuple:
    return tuple(sorted(cards))


def _in_order(position: Position) -> Position:
    """The same position as `position_of` returns it: everything unordered is sorted."""
    seats = tuple(
        replace(seat, hand=_sorted(seat.hand), open=_sorted(seat.open)) for seat in position.seats
    )
    return replace(position, harbor=None, deck=_sorted(position.deck), seats=seats, facts=())


def _lay_cards(state: HiddenLeaders, position: Position) -> None:
    for slot, card in enumerate(position.tavern):
        if card != EMPTY:
            state.lay(Zone.TAVERN, slot, card)
    zones = [
        (Zone.GRAVEYARD, position.graveyard),
        (Zone.WILDERNESS, position.wilderness),
        (Zone.ASIDE, position.aside),
        (Zone.DRAWN, position.drawn),
    ]
    for number, seat in enumerate(position.seats):
        state.m[LEADERS_AT + number] = seat.leader
        held = (seat.hand, seat.open, seat.hidden)
        zones += [(zone + number, cards) for zone, cards in zip(_SEAT_ZONES, held, strict=True)]
    for zone, cards in zones:
        for card in cards:
            state.lay(zone, LAST, card)
    for card in position.harbor or position.unused():
        state.lay(Zone.HARBOR, LAST, card)


def position_of(state: HiddenLeaders) -> Position:
    """The position of a state, whatever is pending in it."""
    seats = tuple(
        Seat(state.leader(seat), *(tuple(state.cards(zone + seat)) for zone in _SEAT_ZONES))
        for seat in range(state.players)
    )
    position = Position(
        players=state.players,
        red=state.red,
        green=state.green,
        turn=state.player,
        first=state.first,
        turns=state.turns,
        limit=state.turn_limit,
        threshold=state.threshold,
        tavern=tuple(state.cards(Zone.TAVERN)),
        graveyard=tuple(state.cards(Zone.GRAVEYARD)),
        wilderness=tuple(state.cards(Zone.WILDERNESS)),
        harbor=tuple(state.cards(Zone.HARBOR)),
        aside=tuple(state.cards(Zone.ASIDE)),
        drawn=tuple(state.cards(Zone.DRAWN)),
        seats=seats,
        pending=_frames(state),
        drawing=_drawing(state),
        over=(state.faction or TURN_LIMIT) if state.actor == NOBODY else RUNNING,
    )
    deck = sorted(card for _, cards in position.places() for card in cards)
    return replace(position, deck=tuple(deck), harbor=None)


def position_as_seen(board: HiddenLeaders, deck: CardTuple) -> Position:
    """The position of a table with unseen cards and leaders, which are unknown in it."""

    def known(cards: CardTuple) -> CardTuple:
        return tuple(UNKNOWN if card == UNSEEN else card for card in cards)

    seen = position_of(board)
    dealt = [UNKNOWN if seat.leader < 0 else seat.leader for seat in seen.seats]
    seats = tuple(
        Seat(leader, *map(known, (seat.hand, seat.open, seat.hidden)))
        for leader, seat in zip(dealt, seen.seats, strict=True)
    )
    return replace(
        seen,
        deck=deck,
        graveyard=known(seen.graveyard),
        wilderness=known(seen.wilderness),
        aside=known(seen.aside),
        drawn=known(seen.drawn),
        seats=seats,
    )


def _frames(state: HiddenLeaders) -> tuple[CardTuple, ...]:
    return tuple(
        tuple(state.m[at + k] for k in range(FRAME))
        for at in range(FRAMES, state.frame + FRAME, FRAME)
    )


def _drawing(state: HiddenLeaders) -> bool:
    """The draw step is the only one in which a pending chance event leaves no other trace."""
    return state.actor == CHANCE and (state.m[state.frame],) == _DRAW_ROW


def usual_threshold(players: int, deck: CardTuple) -> int:
    """The beginner game ends one hero earlier (R7)."""
    standard = THRESHOLDS[max(0, min(players, Limit.PLAYERS))]
    return standard - 1 if _sorted(deck) == BEGINNER else standard
