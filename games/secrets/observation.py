"""What a seat sees of a table of Secrets, as numbers for learners.

Only what the seat has seen is read: the open table, its own offer, and the tokens and Bullets that
it has looked at (`Table.notes`), which it follows through every swap that it can follow.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import BULLETS, CENTRE, KINDS, PLACES, Character, Move, Phase
from games.secrets.table import (
    BAG,
    BULLET_NOTES,
    DOWN,
    FACELESS,
    NOTES_ROOM,
    SHOT,
    SIZE,
    TOKENS,
    UP,
    Table,
)
from games.state import NOBODY, UNSEEN, notes_of, put_byte, put_bytes

OBSERVATION_VERSION: Final = 1

_SEATS: Final = ("this seat", "next seat", *[f"seat {k}" for k in range(2, 8)])

PUBLIC_PARTS: Final = (
    *[(f"display of {seat}: 8 open, 8 turned down, cards, Bullets", 18) for seat in _SEATS],
    ("players: 4 to 8", 5),
    ("characters never turned up", 8),
    ("cards never turned up, put back under the deck, Bullets in the pile", 3),
    ("cards that end the game", 1),
    ("turns played", 1),
    ("first character turned up", 8),
    ("second character turned up", 8),
    ("kind of decision (Phase)", 15),
    ("whose turn it is", 8),
    ("who decides", 8),
    ("to whom the card is offered", 8),
    ("who has taken the card", 8),
    ("who has the UN token", 8),
    ("what the card is said to be, or silence", 9),
)
PRIVATE_PARTS: Final = (
    ("the card on offer, if known", 8),
    ("tokens seen: CIA, KGB, Hippie", 24),
    ("token in the centre, if seen", 3),
    ("Bullets seen in displays: 4 values each", 32),
    ("Bullet to give", 4),
)

# Counted here because compiled code needs constants; a test compares them.
PER_SEAT: Final = 18
NUMBERS_AT: Final = 144
PRIVATE_AT: Final = 248
WORDS: Final = 40

_MOST: Final = 127


def start_notes(table: Table) -> None:
    """See `State.take_notes`."""
    notes = vec[i64]([0] * NOTES_ROOM)
    for seat in range(table.players):
        notes[seat * PLACES + seat] = table.m[TOKENS + seat] + 1
    table.notes = notes
    table.noting = True
    table.watched = True


def fill_observation(table: Table, seat: i64, out: vec[i64], at: i64) -> None:
    """See `State.fill_observation`."""
    for i in range(at, at + WORDS):
        out[i] = 0
    origin = max(i64(0), seat)  # NOBODY is below 0
    fill_displays(table, origin, out, at)
    fill_numbers(table, origin, out, at)
    if seat != NOBODY:
        fill_private(table, seat, out, at)


def fill_displays(table: Table, origin: i64, out: vec[i64], at: i64) -> None:
    m = table.m
    seat = origin
    for k in range(table.players):
        first = k * PER_SEAT
        kinds = seat * KINDS
        up: i64 = 0
        down: i64 = 0
        for c in range(i64(Character.COUNT)):
            up |= m[UP + kinds + c] << (c << 3)
            down |= m[DOWN + kinds + c] << (c << 3)
        put_bytes(out, at, first, up)
        put_bytes(out, at, first + 8, down)
        bullets = m[FACELESS + seat]
        shot = m[SHOT + seat]
        while shot != 0:
            bullets += shot & 1
            shot >>= 1
        put_bytes(out, at, first + 16, m[SIZE + seat] | bullets << 8)
        seat += 1
        if seat == table.players:
            seat = 0


def fill_numbers(table: Table, origin: i64, out: vec[i64], at: i64) -> None:
    """The deck, the turn so far, and who must decide what."""
    n: i64 = NUMBERS_AT
    players = table.players
    put_byte(out, at, n + players - 4, 1)
    never: i64 = 0
    for c in range(i64(Character.COUNT)):
        never |= table.m[BAG + c] << (c << 3)
    put_bytes(out, at, n + 5, never)
    turns = min(table.turns, i64(_MOST))
    sizes = table.bag | table.bottom << 8 | table.bullets << 16
    put_bytes(out, at, n + 13, sizes | table.threshold << 24 | turns << 32)
    if table.one >= 0:
        put_byte(out, at, n + 18 + table.one, 1)
    if table.two >= 0:
        put_byte(out, at, n + 26 + table.two, 1)
    put_byte(out, at, n + 34 + table.phase, 1)
    put_seat(out, at, n + 49, table.player, origin, players)
    put_seat(out, at, n + 57, table.actor, origin, players)
    put_seat(out, at, n + 65, table.target, origin, players)
    put_seat(out, at, n + 73, table.taker, origin, players)
    put_seat(out, at, n + 81, table.un, origin, players)
    if table.claim >= Move.CLAIM and table.claim <= Move.SILENCE:
        put_byte(out, at, n + 89 + table.claim - Move.CLAIM, 1)


def fill_private(table: Table, seat: i64, out: vec[i64], at: i64) -> None:
    """The own offer, and the tokens and Bullets seen."""
    players = table.players
    notes = notes_of(table)
    known = seat == table.player or table.two == UNSEEN or table.phase > Phase.ANSWER
    if known and table.offered >= 0 and table.offered < Character.COUNT:
        put_byte(out, at, PRIVATE_AT + table.offered, 1)
    other = seat
    for k in range(players):
        side = notes[seat * PLACES + other] - 1
        if side >= 0:
            put_byte(out, at, PRIVATE_AT + 8 + k * 3 + side, 1)
        shot = table.m[SHOT + other]
        if shot != 0:
            for b in range(i64(BULLETS)):
                if (shot >> b) & 1 and (notes[BULLET_NOTES + b] >> seat) & 1:
                    put_byte(out, at, PRIVATE_AT + 35 + k * 4 + b, 1)
        other += 1
        if other == players:
            other = 0
    centre = notes[seat * PLACES + CENTRE] - 1
    if centre >= 0:
        put_byte(out, at, PRIVATE_AT + 32 + centre, 1)
    if table.phase == Phase.GIVE and table.taker == seat and table.bullet >= 0:
        put_byte(out, at, PRIVATE_AT + 67 + table.bullet, 1)


def put_seat(out: vec[i64], at: i64, first: i64, seat: i64, origin: i64, players: i64) -> None:
    """One for the seat, counted from the one that observes; nothing for nobody."""
    if seat >= 0:
        put_byte(out, at, first + (seat - origin if seat >= origin else seat - origin + players), 1)
