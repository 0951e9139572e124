"""Which faction has won, and which of its supporters (chapter "winner" of the rules)."""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import FACTION_OF, SUPPORTS
from games.hidden_leaders.rules.constants import (
    EMPIRE,
    LEADER_COUNT,
    TRIBES,
    UNDEAD,
    WAR_ZONE,
    WATER,
    Zone,
)
from games.hidden_leaders.rules.table import AT, LENGTH, Table
from games.state import NOBODY

FAR: Final = 6
"""Open heroes short of the end, from which on a table is judged like one still further off."""

PULL: Final = vec[float]([1.4, 0.75, 0.35, 0.2, 0.15, 0.1, 0.08])
"""How much each marker step to go speaks against a faction, by open heroes short of the end."""

LEAD: Final = vec[float]([4.0, 2.1, 1.55, 1.15, 1.0, 0.85, 0.8])
"""How much each hero more of the faction speaks for one of its supporters, likewise.

Both are rounded from a maximum likelihood fit to games between eager players, in which the Undead
win twice as often as the steps alone would say; `benchmarks/prospects.py` shows how well they do.
"""

UNDEAD_PULL: Final = 2.0


def winning_faction(red: i64, green: i64) -> i64:
    """First match counts: both in the war zone, close together, red ahead, green ahead (R83)."""
    if red >= WAR_ZONE and green >= WAR_ZONE:
        return UNDEAD
    if -1 <= red - green <= 1:
        return WATER
    return EMPIRE if red > green else TRIBES


def steps_to(faction: i64, red: i64, green: i64) -> i64:
    """How many single marker steps at least until the faction would win; 0 if it does."""
    if faction == UNDEAD:
        return max_of(0, WAR_ZONE - red) + max_of(0, WAR_ZONE - green)
    lower = red if red < green else green
    out_of_war = max_of(0, lower - WAR_ZONE + 1)
    ahead = red - green
    if faction == WATER:
        apart = ahead if ahead > 0 else -ahead
        return max_of(0, apart - 1) + out_of_war
    if faction == TRIBES:
        ahead = -ahead
    return max_of(max_of(0, 2 - ahead), out_of_war)


def nearest_by_leader() -> list[int]:
    """Marker steps until one of a leader's factions would win, by leader and both markers."""
    found: list[int] = []
    for leader in range(LEADER_COUNT):
        for red in range(16):
            for green in range(16):
                nearest: i64 = 1000
                for k in range(4):
                    if SUPPORTS[leader] & (i64(1) << k):
                        nearest = min(nearest, steps_to(i64(1) << k, red, green))
                found.append(nearest)
    return found


def max_of(a: i64, b: i64) -> i64:
    return a if a > b else b


def heuristic(table: Table, seat: i64, threshold: i64) -> float:
    """How well the seat stands: near a win of its factions, strong in them, the end in sight."""
    m = table.m
    supported = SUPPORTS[table.leader(seat)]
    longest: i64 = 0
    for other in range(table.players):
        longest = max_of(longest, table.size(Zone.OPEN + other))
    urgency = float(longest) / float(threshold)
    best = -1000.0
    for k in range(4):
        faction = i64(1) << k
        if not supported & faction:
            continue
        rivals: i64 = 0
        for other in range(table.players):
            if other != seat:
                rivals = max_of(rivals, table.count_open(other, faction))
        mine = party_strength(table, seat, faction)
        steps = steps_to(faction, table.red, table.green)
        ahead = float(mine) - 0.5 * float(rivals)
        value = 0.4 * ahead - float(steps) * (1.0 + 2.0 * urgency)
        if steps == 0 and mine > rivals:
            value += 3.0 * urgency
        best = max(best, value)
    at = AT[Zone.HAND + seat]
    promise: i64 = 0
    for i in range(at, at + m[LENGTH + Zone.HAND + seat]):
        if FACTION_OF[m[i]] & supported:
            promise += 1
    if longest >= threshold:  # the game ends with this turn: now only who wins matters (R81)
        best += 20.0 if winning_faction(table.red, table.green) & supported else -20.0
    return best + 0.1 * float(promise)


def win_estimates(table: Table, threshold: i64) -> vec[float]:
    """Every seat's chance to win, estimated with all cards and leaders known.

    First which faction: the fewer marker steps to go, the likelier. Then who of its supporters: the
    more heroes of the faction, the likelier. The nearer the end, the more both count.
    """
    players = table.players
    longest: i64 = 0
    for seat in range(players):
        longest = max_of(longest, table.size(Zone.OPEN + seat))
    left = threshold - longest
    left = 0 if left < 0 else FAR if left > FAR else left
    chances = vec[float]([0.0] * players)
    strength = vec[i64]([0] * players)
    total = 0.0
    for k in range(4):
        faction = i64(1) << k
        likely = exp(-PULL[left] * float(steps_to(faction, table.red, table.green)))
        if faction == UNDEAD:
            likely *= UNDEAD_PULL
        total += likely
        best: i64 = -1
        for seat in range(players):
            if SUPPORTS[table.leader(seat)] & faction:
                strength[seat] = party_strength(table, seat, faction)
                best = max_of(best, strength[seat])
        if best < 0:
            continue  # nobody would win
        rivals = 0.0
        for seat in range(players):
            if SUPPORTS[table.leader(seat)] & faction:
                rivals += exp(LEAD[left] * float(strength[seat] - best))
        for seat in range(players):
            if SUPPORTS[table.leader(seat)] & faction:
                mine = exp(LEAD[left] * float(strength[seat] - best))
                chances[seat] += likely * mine / rivals
    for seat in range(players):
        chances[seat] /= total
    return chances


def party_strength(table: Table, seat: i64, faction: i64) -> i64:
    """Heroes of the faction in the whole party, open and hidden, the Emperor counting one (R87)."""
    m = table.m
    found = table.count_open(seat, faction)
    at = AT[Zone.HIDDEN + seat]
    for i in range(at, at + m[LENGTH + Zone.HIDDEN + seat]):
        if FACTION_OF[m[i]] & faction:
            found += 1
    return found


def winner(table: Table, faction: i64) -> i64:
    """The winning seat, or NOBODY if no leader in play supports the faction (R85 to R90).

    Among supporters: most heroes of the faction, then fewest heroes at all, then the highest
    leader number. The three fit into one number, compared once.
    """
    best: i64 = -1
    seat_of_best: i64 = NOBODY
    for seat in range(table.players):
        leader = table.leader(seat)
        if leader < 0 or not SUPPORTS[leader] & faction:
            continue  # a leader may be unknown on an imagined table
        heroes = table.size(Zone.OPEN + seat) + table.size(Zone.HIDDEN + seat)
        rank = (party_strength(table, seat, faction) * 128 + 127 - heroes) * 8 + leader
        if rank > best:
            best = rank
            seat_of_best = seat
    return seat_of_best


NEAREST: Final = vec[i64](nearest_by_leader())
"""What `nearest_by_leader` found: leader * 256 + red * 16 + green."""
