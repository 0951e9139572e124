"""A table of Secrets as numbers for models: what it holds for all, for each seat, for its token.

A seat has one claim: to win with the token it has now. A team wins together, so its seats have the
same features: sums over the team, and "has the turn" if one of them has it. Numbers are scaled to
about 1. The names are in `TABLE`, `SEAT` and `CLAIM`, in the order of the numbers.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import CENTRE, KINDS, SIDE_NAMES, Character, Token
from games.secrets.scoring import cards_to_go, score
from games.secrets.table import SIZE, TOKENS, UP, Table
from games.state import NOBODY

FEATURES_VERSION: Final = 2

CLAIMS: Final = 1

TABLE: Final = (
    *[f"{players} players" for players in range(4, 9)],
    *[f"{short} cards short of the end" for short in range(6)],
    *("cards never turned up / 29", "Bullets in the pile / 4"),
    *[f"{side} in the centre" for side in SIDE_NAMES],
    *("points of CIA minus KGB / 10", "Hippies / 2", "lowest score / 10"),
    *("one seat alone is lowest", "and it is a Hippie", "UN token held"),
)

SEAT: Final = (
    *("has the turn", "has the next turn", "turns until its own / players"),
    *("cards per seat / 5", "1 card short", "score per seat / 10"),
    "points of its lowest above the lowest other / 10",
    *("alone lowest", "has the UN token", "Scientists face up", "Politicians face up"),
)

CLAIM: Final = (
    "exists",
    *SIDE_NAMES,
    "points of its team minus the other's / 10",
    *("the same, 1 card short of the end", "the same, 2 cards short", "the same, 3 cards short"),
    *("its team is ahead", "the teams are level"),
    "a Hippie: points below the lowest other / 10",
    *("a Hippie: 1 card short", "a Hippie: 2 cards short", "a Hippie: 3 cards short"),
    "a Hippie: alone lowest",
    "not a Hippie: a Hippie is alone lowest",
    "not a Hippie: points of the lowest Hippie below the lowest other / 10",
    *("its team / 4", "the other team / 4"),
)

# Counted here because compiled code needs constants; a test compares them.
TABLE_SIZE: Final = 22
SEAT_SIZE: Final = 11
CLAIM_SIZE: Final = 19


def fill_features(table: Table, out: vec[float]) -> None:
    """See `State.fill_features`."""
    m = table.m
    players = table.players
    for i in range(TABLE_SIZE + players * (SEAT_SIZE + CLAIM_SIZE)):
        out[i] = 0.0
    points = vec[i64]([0] * players)
    lowest: i64 = 1000
    second: i64 = 1000
    last: i64 = NOBODY
    for seat in range(players):
        own = score(table, seat)
        points[seat] = own
        if own < lowest:
            second = lowest
            lowest = own
            last = seat
        elif own < second:
            second = own
    if lowest == second:
        last = NOBODY
    short = cards_to_go(table, table.threshold)
    fill_table(table, out, points, lowest, last, short)
    for seat in range(players):
        first = first_of_side(table, seat)
        if first < seat:
            copy_features(table, out, first, seat)
            continue
        fill_seat(table, out, seat, points, last)
        if m[TOKENS + seat] >= 0:
            above = points[seat] - (second if seat == last else lowest)
            fill_claim(table, out, seat, points, above, last, short)


def copy_features(table: Table, out: vec[float], seat: i64, to: i64) -> None:
    """Give a seat those of another of its team."""
    for i in range(i64(SEAT_SIZE)):
        out[TABLE_SIZE + to * SEAT_SIZE + i] = out[TABLE_SIZE + seat * SEAT_SIZE + i]
    claims = TABLE_SIZE + table.players * SEAT_SIZE
    for i in range(i64(CLAIM_SIZE)):
        out[claims + to * CLAIM_SIZE + i] = out[claims + seat * CLAIM_SIZE + i]


def fill_table(
    table: Table, out: vec[float], points: vec[i64], lowest: i64, last: i64, short: i64
) -> None:
    m = table.m
    out[table.players - 4] = 1.0
    out[5 + short] = 1.0
    out[11] = float(table.bag) / 29.0
    out[12] = float(table.bullets) / 4.0
    if m[TOKENS + CENTRE] >= 0:
        out[13 + m[TOKENS + CENTRE]] = 1.0
    ahead: i64 = 0
    hippies: i64 = 0
    for seat in range(table.players):
        side = m[TOKENS + seat]
        if side == Token.CIA:
            ahead += points[seat]
        elif side == Token.KGB:
            ahead -= points[seat]
        elif side == Token.HIPPIE:
            hippies += 1
    out[16] = float(ahead) / 10.0
    out[17] = float(hippies) / 2.0
    out[18] = float(lowest) / 10.0
    if last != NOBODY:
        out[19] = 1.0
        if m[TOKENS + last] == Token.HIPPIE:
            out[20] = 1.0
    if table.un != NOBODY:
        out[21] = 1.0


def first_of_side(table: Table, seat: i64) -> i64:
    """The first seat of the seat's team, which shares all of its features; a Hippie is alone."""
    m = table.m
    side = m[TOKENS + seat]
    if side != Token.CIA and side != Token.KGB:
        return seat
    first: i64 = 0
    while m[TOKENS + first] != side:
        first += 1
    return first


def fill_seat(table: Table, out: vec[float], seat: i64, points: vec[i64], last: i64) -> None:
    """Those of the seat's side: sums over a team, or a Hippie alone."""
    m = table.m
    players = table.players
    at = TABLE_SIZE + seat * SEAT_SIZE
    size = float(side_size(table, seat))
    own: i64 = 1000
    others: i64 = 1000
    for other in range(players):
        if first_of_side(table, other) != seat:
            others = min(others, points[other])
            continue
        own = min(own, points[other])
        turn = other - table.player
        if turn < 0:
            turn += players
        if turn == 0:
            out[at] = 1.0
        elif turn == 1:
            out[at + 1] = 1.0
        if other == seat or float(turn) < out[at + 2] * float(players):
            out[at + 2] = float(turn) / float(players)
        out[at + 3] += float(m[SIZE + other]) / 5.0 / size
        if m[SIZE + other] >= table.threshold - 1:
            out[at + 4] = 1.0
        out[at + 5] += float(points[other]) / 10.0 / size
        if other == last:
            out[at + 7] = 1.0
        if table.un == other:
            out[at + 8] = 1.0
        out[at + 9] += float(m[UP + other * KINDS + Character.SCIENTIST])
        out[at + 10] += float(m[UP + other * KINDS + Character.POLITICIAN])
    out[at + 6] = float(own - others) / 10.0


def side_size(table: Table, seat: i64) -> i64:
    """How many seats share the features of this one, which is the first."""
    found: i64 = 0
    for other in range(table.players):
        if first_of_side(table, other) == seat:
            found += 1
    return found


def fill_claim(
    table: Table, out: vec[float], seat: i64, points: vec[i64], above: i64, last: i64, short: i64
) -> None:
    m = table.m
    players = table.players
    at = TABLE_SIZE + players * SEAT_SIZE + seat * CLAIM_SIZE
    side = m[TOKENS + seat]
    out[at] = 1.0
    out[at + 1 + side] = 1.0
    if side == Token.HIPPIE:
        out[at + 10] = -float(above) / 10.0
        if short <= 3:
            out[at + 10 + max(i64(1), short)] = -float(above) / 10.0
        if seat == last:
            out[at + 14] = 1.0
        return
    ahead: i64 = 0
    mates: i64 = 0
    others: i64 = 0
    hippie: i64 = -1000
    for other in range(players):
        token = m[TOKENS + other]
        if token == side:
            ahead += points[other]
            mates += 1
        elif token == Token.HIPPIE:
            below = below_others(points, players, other)
            hippie = max(hippie, below)
        elif token >= 0:
            ahead -= points[other]
            others += 1
    out[at + 4] = float(ahead) / 10.0
    if short <= 3:
        out[at + 4 + max(i64(1), short)] = float(ahead) / 10.0
    if ahead > 0:
        out[at + 8] = 1.0
    elif ahead == 0:
        out[at + 9] = 1.0
    if last != NOBODY and m[TOKENS + last] == Token.HIPPIE:
        out[at + 15] = 1.0
    if hippie > -1000:
        out[at + 16] = float(hippie) / 10.0
    out[at + 17] = float(mates) / 4.0
    out[at + 18] = float(others) / 4.0


def below_others(points: vec[i64], players: i64, seat: i64) -> i64:
    """How many points the seat is below the lowest other."""
    lowest: i64 = 1000
    for other in range(players):
        if other != seat and points[other] < lowest:
            lowest = points[other]
    return lowest - points[seat]
