"""What a seat sees of a table of Hidden Leaders, as numbers for learners.

Only what the seat has seen is read: the open table, its own leader and hand, and face-down heroes
that it has seen (`Table.notes`: for each card, the seats that know it, one bit each).
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import BLANK, PROGRAM
from games.hidden_leaders.rules.constants import EMPTY, Zone
from games.hidden_leaders.rules.interpreter import Frame, Interpreter
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES, LEADERS_AT, LENGTH, TAVERN_AT
from games.state import NOBODY, notes_of, put_byte, put_bytes

OBSERVATION_VERSION: Final = 1

PLANE: Final = 80
"""One number for each card, in a plane of whole words."""

_SEATS: Final = ("this seat", "next seat", "seat 2", "seat 3", "seat 4", "seat 5")

PUBLIC_PARTS: Final = (
    *[(f"open heroes of {seat}", PLANE) for seat in _SEATS],
    ("cards in the tavern", PLANE),
    ("top of the graveyard", PLANE),
    ("cards being resolved", PLANE),
    ("card picked before", PLANE),
    ("players: 2 to 6", 5),
    ("red marker", 1),
    ("green marker", 1),
    ("open heroes that end the game", 1),
    ("rounds played", 1),
    ("sizes of harbor, wilderness, graveyard", 3),
    ("whose turn it is", 6),
    ("who decides", 6),
    ("kind of decision (Op)", 32),
    ("player picked", 6),
    ("faction named", 4),
    ("count of the card being resolved", 1),
    ("hand sizes", 6),
    ("hidden heroes", 6),
    ("open heroes", 6),
)
PRIVATE_PARTS: Final = (
    ("own leader", 8),
    ("own hand", PLANE),
    ("cards drawn, to choose from", PLANE),
    *[(f"hidden heroes of {seat} that it has seen", PLANE) for seat in _SEATS],
)

# Counted here because compiled code needs constants; a test compares them.
TAVERN: Final = 480
GRAVEYARD: Final = 560
RESOLVED: Final = 640
PICKED: Final = 720
NUMBERS_AT: Final = 800
PRIVATE_AT: Final = 888
HAND: Final = 896
DRAWN: Final = 976
HIDDEN: Final = 1056
WORDS: Final = 192

_MOST: Final = 127


def start_notes(table: Interpreter) -> None:
    """See `State.take_notes`."""
    notes = vec[i64]([0] * PLANE)
    for seat in range(table.players):
        at = AT[Zone.HIDDEN + seat]
        for i in range(at, at + table.m[LENGTH + Zone.HIDDEN + seat]):
            if table.m[i] >= 0:
                notes[table.m[i]] = 1 << seat
    table.notes = notes
    table.noting = True
    table.watched = True


def fill_observation(table: Interpreter, seat: i64, out: vec[i64], at: i64) -> None:
    """See `State.fill_observation`."""
    for i in range(at, at + WORDS):
        out[i] = 0
    m = table.m
    origin = max(i64(0), seat)  # NOBODY is below 0
    other = origin
    for k in range(table.players):
        fill_plane(table, Zone.OPEN + other, out, at, k * PLANE)
        other += 1
        if other == table.players:
            other = 0
    for i in range(i64(TAVERN_AT), i64(TAVERN_AT) + 3):
        if m[i] != EMPTY:
            put_byte(out, at, TAVERN + m[i], 1)
    top = m[LENGTH + Zone.GRAVEYARD] - 1
    if top >= 0 and m[AT[Zone.GRAVEYARD] + top] >= 0:
        put_byte(out, at, GRAVEYARD + m[AT[Zone.GRAVEYARD] + top], 1)
    fill_numbers(table, origin, out, at)
    if seat != NOBODY:
        fill_private(table, seat, out, at)


def fill_plane(table: Interpreter, zone: i64, out: vec[i64], at: i64, first: i64) -> None:
    """One for each card that is known to lie in the zone."""
    m = table.m
    start = AT[zone]
    blank: i64 = BLANK
    for i in range(start, start + m[LENGTH + zone]):
        card = m[i]
        if card >= 0 and card < blank:
            put_byte(out, at, first + card, 1)


def fill_numbers(table: Interpreter, origin: i64, out: vec[i64], at: i64) -> None:
    """The cards being resolved, markers, sizes, and who must decide what."""
    m = table.m
    players = table.players
    f = table.frame
    blank: i64 = BLANK
    for i in range(i64(FRAMES), f + FRAME, FRAME):
        card = m[i + Frame.CARD]
        if card >= 0 and card < blank and not marked(out, at, RESOLVED + card):
            put_byte(out, at, RESOLVED + card, 1)
    n: i64 = NUMBERS_AT
    put_byte(out, at, n + players - 2, 1)
    rounds = at_most(table.turns // players, _MOST)
    piles = m[LENGTH + Zone.HARBOR] << 32 | m[LENGTH + Zone.WILDERNESS] << 40
    piles |= m[LENGTH + Zone.GRAVEYARD] << 48
    put_bytes(
        out,
        at,
        n + 5,
        table.red | table.green << 8 | table.threshold << 16 | rounds << 24 | piles,
    )
    put_byte(out, at, n + 12 + relative(table.player, origin, players), 1)
    fill_sizes(table, origin, out, at)
    if table.actor < 0:
        return
    put_byte(out, at, n + 18 + relative(table.actor, origin, players), 1)
    put_byte(out, at, n + 24 + PROGRAM[m[f + Frame.ROW]], 1)
    if m[f + Frame.WHO] >= 0:
        put_byte(out, at, n + 56 + relative(m[f + Frame.WHO], origin, players), 1)
    for k in range(i64(4)):
        if m[f + Frame.FACTION] & (1 << k):
            put_byte(out, at, n + 62 + k, 1)
    put_byte(out, at, n + 66, at_most(m[f + Frame.COUNT], _MOST))
    if m[f + Frame.PICK] >= 0 and m[f + Frame.PICK] < blank:
        put_byte(out, at, PICKED + m[f + Frame.PICK], 1)


def fill_sizes(table: Interpreter, origin: i64, out: vec[i64], at: i64) -> None:
    """How many cards each seat has in its hand, hidden and open."""
    m = table.m
    hands: i64 = 0
    hidden: i64 = 0
    shown: i64 = 0
    other = origin
    for k in range(table.players):
        hands |= m[LENGTH + Zone.HAND + other] << (k << 3)
        hidden |= m[LENGTH + Zone.HIDDEN + other] << (k << 3)
        shown |= m[LENGTH + Zone.OPEN + other] << (k << 3)
        other += 1
        if other == table.players:
            other = 0
    put_bytes(out, at, NUMBERS_AT + 67, hands)
    put_bytes(out, at, NUMBERS_AT + 73, hidden)
    put_bytes(out, at, NUMBERS_AT + 79, shown)


def fill_private(table: Interpreter, seat: i64, out: vec[i64], at: i64) -> None:
    """Own leader and cards, and the face-down heroes seen."""
    m = table.m
    if m[LEADERS_AT + seat] >= 0:
        put_byte(out, at, PRIVATE_AT + m[LEADERS_AT + seat], 1)
    fill_plane(table, Zone.HAND + seat, out, at, HAND)
    if table.player == seat:
        fill_plane(table, Zone.DRAWN, out, at, DRAWN)
    notes = notes_of(table)
    blank: i64 = BLANK
    zone = Zone.HIDDEN + seat
    for k in range(table.players):
        start = AT[zone]
        for i in range(start, start + m[LENGTH + zone]):
            card = m[i]
            if card >= 0 and card < blank and (notes[card] >> seat) & 1:
                put_byte(out, at, HIDDEN + k * PLANE + card, 1)
        zone += 1
        if zone == Zone.HIDDEN + table.players:
            zone = Zone.HIDDEN


def marked(out: vec[i64], at: i64, index: i64) -> bool:
    """Whether that number is set already: a card can be on the stack twice."""
    return (out[at + (index >> 3)] >> ((index & 7) << 3)) & _MOST != 0


def relative(seat: i64, origin: i64, players: i64) -> i64:
    """The seat, counted from the one that observes."""
    return seat - origin if seat >= origin else seat - origin + players


def at_most(number: i64, most: i64) -> i64:
    return most if number > most else number
