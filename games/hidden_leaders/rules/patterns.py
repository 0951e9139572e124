"""A table of Hidden Leaders as patterns for models: few numbers, each with a weight of its own.

A slot asks a question that takes several things together, such as how many steps a faction needs
and how near the end is; the number of its answer is the pattern. `TABLE_PATTERNS`, `SEAT_PATTERNS`
and `CLAIM_PATTERNS` name the slots. A claim is one faction of a seat's leader: the way in which the
seat can win.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import FACTION_OF, PROGRAM, SUPPORTS
from games.hidden_leaders.rules.constants import EMPTY, Limit, Zone
from games.hidden_leaders.rules.features import CLAIMS, KINDS, STEPS, marker_card
from games.hidden_leaders.rules.interpreter import Interpreter
from games.hidden_leaders.rules.move_features import CARDS
from games.hidden_leaders.rules.opcodes import MarkRow
from games.hidden_leaders.rules.table import AT, LENGTH, TAVERN_AT
from games.state import NO_PATTERN

_HAND: Final = "faction, card in hand"

TABLE_PATTERNS: Final = (
    ("players, open heroes short of the end", 30),
    ("markers", 144),
    ("players, rounds", 60),
    ("supporters of each faction", 256),
    ("players, seats 1 short, whether the player can end the game", 40),
    ("harbor", 10),
)
SEAT_PATTERNS: Final = (
    ("own open heroes short, place in turn order", 32),
    ("players, place in turn order, open heroes short of the end", 120),
    ("players, leader", 30),
    ("hidden heroes, cards in hand", 25),
    ("other seats 1 short, whether itself, place in turn order", 24),
)
CLAIM_PATTERNS: Final = (
    ("faction, its marker, the other one", 432),
    ("faction, steps, open heroes short of the end", 216),
    ("lead over the best rival, open heroes short of the end", 72),
    ("heroes of the faction, open heroes short of the end", 48),
    ("steps that the hand gains, steps, place in turn order", 96),
    ("cards of it in hand and in the tavern, place in turn order", 80),
    ("rivals, the most cards and steps that one of their hands has", 48),
    ("whether this and the next player claim it, get it, can end the game", 144),
    ("players, whether it would win now, and the player it by ending, heroes short", 120),
    ("steps, steps of the seat's other claim", 64),
    ("supporters, steps that their hands gain, open heroes short of the end", 63),
    ("hidden and open heroes of the faction, whether there are rivals", 48),
    ("heroes of the faction, of the seat's other claim", 49),
    ("steps, steps of the nearest other faction, open heroes short of the end", 144),
    *((_HAND, 312),) * 4,
)

# Where the patterns of each slot begin, and how many slots there are. Counted here because
# compiled code needs constants; a test compares them.
PLAYERS_SHORT: Final = 0
MARKERS: Final = 30
ROUNDS_PLAYED: Final = 174
SUPPORTERS: Final = 234
ONE_SHORT: Final = 490
HARBOR: Final = 530
OWN_SHORT: Final = 540
ORDER: Final = 572
LEADER: Final = 692
SIZES: Final = 722
NEAR_END: Final = 747
CLAIM_MARKERS: Final = 771
CLAIM_STEPS: Final = 1203
LEADS_BY: Final = 1419
STRENGTH: Final = 1491
REACH: Final = 1539
HELD: Final = 1635
RIVALS: Final = 1715
PLAYERS_CLAIM: Final = 1763
WINS_NOW: Final = 1907
BOTH_STEPS: Final = 2027
ALL_REACH: Final = 2091
HIDDEN_HEROES: Final = 2154
BOTH_STRENGTHS: Final = 2202
THREAT: Final = 2251
HAND_CARD: Final = 2395
PATTERNS: Final = 2707
TABLE_SLOTS: Final = 6
SEAT_SLOTS: Final = 5
CLAIM_SLOTS: Final = 18
EMPIRE_KIND: Final = 2
FIRST_CARD: Final = 14
HAND_SLOTS: Final = 4


def _faction_bytes() -> list[int]:
    """For every card: 1 in the byte of each of its factions."""
    return [
        sum(1 << 8 * k for k in range(KINDS) if FACTION_OF[card] & (1 << k))
        for card in range(CARDS)
    ]


FACTION_BYTES: Final = vec[i64](_faction_bytes())

_AFTER: Final = vec[i64]([-1] * (CARDS * 256))
"""By card and markers, filled as they come up: the fewest steps that each faction needs after the
card's marker part, a byte each."""

# Reused from call to call. By seat and faction: heroes, hidden ones, cards in hand, steps that the
# hand gains; by faction: its supporters and their number.
_HEROES: Final = vec[i64]([0] * 24)
_HIDDEN: Final = vec[i64]([0] * 24)
_HELD: Final = vec[i64]([0] * 24)
_GAIN: Final = vec[i64]([0] * 24)
_WHO: Final = vec[i64]([0] * 24)
_COUNT: Final = vec[i64]([0] * 4)
_RIVALS: Final = vec[i64]([0] * 5)
"""Of the claim that is being filled; see below."""

BEST: Final = 0
MOST_HELD: Final = 1
MOST_GAIN: Final = 2
ALL_GAIN: Final = 3
IS_AHEAD: Final = 4


def most(value: i64, limit: i64) -> i64:
    return limit if value > limit else value


def steps_after(table: Interpreter, card: i64, here: i64) -> i64:
    """The fewest steps of each faction after the card's marker part, a byte each."""
    at = card * 256 + here
    known = _AFTER[at]
    if known >= 0:
        return known
    row = marker_card(card)
    packed: i64 = 0
    for k in range(i64(KINDS)):
        nearest = STEPS[k * 256 + here]
        if row >= 0:
            for j in range(PROGRAM[row + MarkRow.ALTERNATIVES]):
                outcome = table.shifted(PROGRAM[row + MarkRow.FIRST] + j, 1)
                if outcome >= 0 and STEPS[k * 256 + outcome] < nearest:
                    nearest = STEPS[k * 256 + outcome]
        packed += nearest << (8 * k)
    _AFTER[at] = packed
    return packed


def fill_patterns(table: Interpreter, out: vec[i64]) -> None:
    """See `State.fill_patterns`."""
    m = table.m
    players = table.players
    longest: i64 = 0
    one_short: i64 = 0
    for k in range(i64(KINDS)):
        _COUNT[k] = 0
    here = table.red * 16 + table.green
    for seat in range(players):
        opened = m[LENGTH + Zone.OPEN + seat]
        longest = max(longest, opened)
        if opened >= table.threshold - 1:
            one_short += 1
        count_seat(table, seat, here)
    short = table.threshold - longest
    stage = max(i64(1), min(i64(6), short)) - 1
    mover = table.player
    can_end = (
        m[LENGTH + Zone.OPEN + mover] >= table.threshold - 1 and m[LENGTH + Zone.HAND + mover] > 0
    )
    kind = players - 2
    out[0] = PLAYERS_SHORT + kind * 6 + stage
    out[1] = MARKERS + (table.red - 1) * 12 + table.green - 1
    out[2] = ROUNDS_PLAYED + kind * 12 + most(table.turns // players, 11)
    out[3] = SUPPORTERS + ((_COUNT[0] * 4 + _COUNT[1]) * 4 + _COUNT[2]) * 4 + _COUNT[3]
    out[4] = ONE_SHORT + (kind * 4 + most(one_short, 3)) * 2 + (1 if can_end else 0)
    out[5] = HARBOR + most(m[LENGTH + Zone.HARBOR] >> 3, 9)
    for seat in range(players):
        fill_seat(table, seat, out, stage, one_short)
    for k in range(i64(KINDS)):
        for i in range(_COUNT[k]):
            fill_claim(table, k, _WHO[k * 6 + i], out, stage, can_end)


def count_seat(table: Interpreter, seat: i64, here: i64) -> None:
    """Count what a seat has of each of its leader's factions."""
    m = table.m
    leader = table.leader(seat)
    if leader < 0:
        return
    bytes_of = FACTION_BYTES
    heroes: i64 = 0
    at = AT[Zone.OPEN + seat]
    for i in range(at, at + m[LENGTH + Zone.OPEN + seat]):
        heroes += bytes_of[m[i]]
    hidden: i64 = 0
    at = AT[Zone.HIDDEN + seat]
    for i in range(at, at + m[LENGTH + Zone.HIDDEN + seat]):
        hidden += bytes_of[m[i]]
    heroes += hidden
    supported = SUPPORTS[leader]
    for k in range(i64(KINDS)):
        if not supported & (1 << k):
            continue
        nearest = STEPS[k * 256 + here]
        held: i64 = 0
        at = AT[Zone.HAND + seat]
        for i in range(at, at + m[LENGTH + Zone.HAND + seat]):
            held += (bytes_of[m[i]] >> (8 * k)) & 1
            after = (steps_after(table, m[i], here) >> (8 * k)) & 255
            nearest = min(nearest, after)
        at = seat * KINDS + k
        _HEROES[at] = (heroes >> (8 * k)) & 255
        _HIDDEN[at] = (hidden >> (8 * k)) & 255
        _HELD[at] = held
        _GAIN[at] = STEPS[k * 256 + here] - nearest
        _WHO[k * 6 + _COUNT[k]] = seat
        _COUNT[k] += 1


def place(table: Interpreter, seat: i64) -> i64:
    """In turn order: 0 has the turn, 1 the next, 3 the last one, 2 is between."""
    turn = seat - table.player
    if turn < 0:
        turn += table.players
    if turn < 2:
        return turn
    return 3 if turn == table.players - 1 else 2


def fill_seat(table: Interpreter, seat: i64, out: vec[i64], stage: i64, one_short: i64) -> None:
    m = table.m
    at = TABLE_SLOTS + seat * SEAT_SLOTS
    order = place(table, seat)
    kind = table.players - 2
    own = table.threshold - m[LENGTH + Zone.OPEN + seat]
    near: i64 = 1 if own <= 1 else 0
    out[at] = OWN_SHORT + most(max(i64(0), own), 7) * 4 + order
    out[at + 1] = ORDER + (kind * 4 + order) * 6 + stage
    leader = table.leader(seat)
    if leader >= 0:
        out[at + 2] = LEADER + kind * 6 + leader
    else:
        out[at + 2] = NO_PATTERN
    out[at + 3] = (
        SIZES + most(m[LENGTH + Zone.HIDDEN + seat], 4) * 5 + most(m[LENGTH + Zone.HAND + seat], 4)
    )
    out[at + 4] = NEAR_END + (most(one_short - near, 2) * 2 + near) * 4 + order
    first = TABLE_SLOTS + table.players * SEAT_SLOTS + seat * (CLAIMS * CLAIM_SLOTS)
    out[first] = NO_PATTERN
    out[first + CLAIM_SLOTS] = NO_PATTERN


def fill_claim(
    table: Interpreter, k: i64, seat: i64, out: vec[i64], stage: i64, can_end: bool
) -> None:
    """The claim of a seat to a win of the faction k."""
    at = TABLE_SLOTS + table.players * SEAT_SLOTS + seat * (CLAIMS * CLAIM_SLOTS)
    twin = other_claim(table.leader(seat), k)
    if twin < k:
        at += CLAIM_SLOTS
    compare_rivals(table, k, seat)
    fill_race(table, k, twin, out, at, stage)
    fill_party(table, k, seat, twin, out, at, stage, can_end)
    fill_hand(table, k, seat, out, at)


def other_claim(leader: i64, k: i64) -> i64:
    """The leader's other faction."""
    for other in range(i64(KINDS)):
        if other != k and SUPPORTS[leader] & (1 << other):
            return other
    return k


def compare_rivals(table: Interpreter, k: i64, seat: i64) -> None:
    """Fill `_RIVALS`: what the other supporters of the faction have at best."""
    m = table.m
    heroes_of = _HEROES
    leader = table.leader(seat)
    mine = heroes_of[seat * KINDS + k]
    heroes = m[LENGTH + Zone.OPEN + seat] + m[LENGTH + Zone.HIDDEN + seat]
    best: i64 = -1
    most_held: i64 = 0
    most_gain: i64 = 0
    pull: i64 = 0
    ahead: i64 = 1
    for n in range(_COUNT[k]):
        other = _WHO[k * 6 + n]
        j = other * KINDS + k
        gain = _GAIN[j]
        pull += gain
        if other == seat:
            continue
        theirs = heroes_of[j]
        best = max(best, theirs)
        most_held = max(most_held, _HELD[j])
        most_gain = max(most_gain, gain)
        if theirs > mine:
            ahead = 0
        elif theirs == mine:
            size = m[LENGTH + Zone.OPEN + other] + m[LENGTH + Zone.HIDDEN + other]
            if size < heroes or (size == heroes and table.leader(other) > leader):
                ahead = 0
    found = _RIVALS
    found[BEST] = best
    found[MOST_HELD] = most_held
    found[MOST_GAIN] = most_gain
    found[ALL_GAIN] = pull
    found[IS_AHEAD] = ahead


def fill_race(table: Interpreter, k: i64, twin: i64, out: vec[i64], at: i64, stage: i64) -> None:
    """How far the markers are from a win of the faction."""
    here = table.red * 16 + table.green
    steps_to = STEPS
    steps = steps_to[k * 256 + here]
    nearest: i64 = 100
    for other in range(i64(KINDS)):
        if other != k:
            nearest = min(nearest, steps_to[other * 256 + here])
    # What Tribes are with one marker, the Empire is with the other; Undead and Water do not care
    # which is which.
    kind = most(k, EMPIRE_KIND)
    swap = table.red < table.green if k < EMPIRE_KIND else k > EMPIRE_KIND
    own = (table.green if swap else table.red) - 1
    rest = (table.red if swap else table.green) - 1
    third = stage >> 1
    few = most(steps, 5)
    out[at] = CLAIM_MARKERS + (kind * 12 + own) * 12 + rest
    out[at + 1] = CLAIM_STEPS + (kind * 12 + most(steps, 11)) * 6 + stage
    out[at + 9] = BOTH_STEPS + most(steps, 7) * 8 + most(steps_to[twin * 256 + here], 7)
    out[at + 10] = ALL_REACH + ((_COUNT[k] - 1) * 7 + most(_RIVALS[ALL_GAIN], 6)) * 3 + third
    out[at + 13] = THREAT + (most(nearest, 7) * 6 + few) * 3 + third


def fill_party(
    table: Interpreter,
    k: i64,
    seat: i64,
    twin: i64,
    out: vec[i64],
    at: i64,
    stage: i64,
    can_end: bool,
) -> None:
    """Whether the seat would win with the faction."""
    i = seat * KINDS + k
    mine = _HEROES[i]
    hidden = _HIDDEN[i]
    rivals = _COUNT[k] - 1
    best = _RIVALS[BEST]
    ahead = _RIVALS[IS_AHEAD]
    steps = STEPS[k * 256 + table.red * 16 + table.green]
    lead: i64 = 0
    if rivals > 0:
        lead = mine - best
        tied = lead == 0 and ahead > 0
        lead = i64(10) if tied else max(i64(-4), min(i64(4), lead)) + 5
    wins: i64 = 2 if steps == 0 and ahead > 0 else 0
    if can_end and ends_with(table, k, seat, steps, mine, best):
        wins += 1
    opened = most(mine - hidden, 5)
    other = _HEROES[seat * KINDS + twin]
    out[at + 2] = LEADS_BY + stage * 12 + lead
    out[at + 3] = STRENGTH + most(mine, 7) * 6 + stage
    out[at + 7] = PLAYERS_CLAIM + players_claim(table, k, seat, steps, can_end)
    out[at + 8] = WINS_NOW + ((table.players - 2) * 4 + wins) * 6 + stage
    out[at + 11] = HIDDEN_HEROES + (most(hidden, 3) * 6 + opened) * 2 + (1 if rivals > 0 else 0)
    out[at + 12] = BOTH_STRENGTHS + most(mine, 6) * 7 + most(other, 6)


def fill_hand(table: Interpreter, k: i64, seat: i64, out: vec[i64], at: i64) -> None:
    """What hands and the tavern can do for the claim."""
    m = table.m
    i = seat * KINDS + k
    in_tavern: i64 = 0
    for slot in range(i64(TAVERN_AT), i64(TAVERN_AT + Limit.TAVERN)):
        if m[slot] != EMPTY:
            in_tavern += (FACTION_BYTES[m[slot]] >> (8 * k)) & 1
    few = most(STEPS[k * 256 + table.red * 16 + table.green], 5)
    order = place(table, seat)
    held = most(_RIVALS[MOST_HELD], 3)
    out[at + 4] = REACH + (most(_GAIN[i], 3) * 6 + few) * 4 + order
    out[at + 5] = HELD + (most(_HELD[i], 4) * 4 + in_tavern) * 4 + order
    out[at + 6] = RIVALS + ((_COUNT[k] - 1) * 4 + held) * 4 + most(_RIVALS[MOST_GAIN], 3)
    first = AT[Zone.HAND + seat]
    size = m[LENGTH + Zone.HAND + seat]
    for n in range(i64(HAND_SLOTS)):
        if n < size:
            out[at + FIRST_CARD + n] = HAND_CARD + k * CARDS + m[first + n]
        else:
            out[at + FIRST_CARD + n] = NO_PATTERN


def players_claim(table: Interpreter, k: i64, seat: i64, steps: i64, can_end: bool) -> i64:
    """What this player and the next have to do with the claim, in one number."""
    mover = table.player
    after = mover + 1
    if after == table.players:
        after = 0
    number = relation(table, k, seat, mover) * 3 + relation(table, k, seat, after)
    reached: i64 = 0
    if SUPPORTS[table.leader(mover)] & (1 << k) and _GAIN[mover * KINDS + k] >= steps:
        reached += 1
    if SUPPORTS[table.leader(after)] & (1 << k) and _GAIN[after * KINDS + k] >= steps:
        reached += 2
    ends: i64 = 1 if can_end else 0
    if table.m[LENGTH + Zone.OPEN + after] >= table.threshold - 1:
        ends += 2
    return (number * 4 + reached) * 4 + ends


def relation(table: Interpreter, k: i64, seat: i64, other: i64) -> i64:
    """0: the other seat does not support the faction; 1: it is the seat itself; 2: a rival."""
    if other == seat:
        return 1
    return 2 if SUPPORTS[table.leader(other)] & (1 << k) else 0


def ends_with(table: Interpreter, k: i64, seat: i64, steps: i64, mine: i64, best: i64) -> bool:
    """Whether the player can win the game at once with this claim, as its own."""
    mover = table.player
    j = mover * KINDS + k
    if not SUPPORTS[table.leader(mover)] & (1 << k) or _GAIN[j] < steps:
        return False
    return _HEROES[j] + 1 > best and (mover == seat or _HEROES[j] >= mine)
