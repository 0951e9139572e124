"""Who wins, and estimates of who will (chapter "winner" of the rules)."""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import FACTION_OF, SUPPORTS
from games.hidden_leaders.rules.constants import EMPIRE, TRIBES, UNDEAD, WATER, Limit, Track, Zone
from games.hidden_leaders.rules.table import AT, LENGTH, Table
from games.state import NOBODY

FAR: Final = 6
"""Open heroes missing to the end, from which on more of them make no difference."""

PULL: Final = vec[float]([1.4, 0.75, 0.35, 0.2, 0.15, 0.1, 0.08])
"""Log odds that each missing marker step costs a faction, by open heroes missing to the end."""

LEAD: Final = vec[float]([4.0, 2.1, 1.55, 1.15, 1.0, 0.85, 0.8])
"""Log odds that each extra hero of the faction gives a supporter, by the same number.

Both are rounded from a maximum likelihood fit to games played with `rollout_move`, in which the
Undead win twice as often as the steps alone predict; `benchmarks/prospects.py` measures the fit.
"""

UNDEAD_PULL: Final = 2.0


def winning_faction(red: i64, green: i64) -> i64:
    """The first that holds: both in the war zone, close together, red ahead, green ahead (R83)."""
    if red >= Track.WAR_ZONE and green >= Track.WAR_ZONE:
        return UNDEAD
    if -1 <= red - green <= 1:
        return WATER
    return EMPIRE if red > green else TRIBES


def steps_to(faction: i64, red: i64, green: i64) -> i64:
    """Fewest marker steps until the faction would win; 0 if it would now."""
    if faction == UNDEAD:
        return _max(0, Track.WAR_ZONE - red) + _max(0, Track.WAR_ZONE - green)
    lower = red if red < green else green
    out_of_war = _max(0, lower - Track.WAR_ZONE + 1)
    ahead = red - green
    if faction == WATER:
        apart = ahead if ahead > 0 else -ahead
        return _max(0, apart - 1) + out_of_war
    if faction == TRIBES:
        ahead = -ahead
    return _max(_max(0, 2 - ahead), out_of_war)


def _nearest_by_leader() -> list[int]:
    """Fewest marker steps until one of a leader's factions would win, by leader and markers."""
    table: list[int] = []
    for leader in range(Limit.LEADERS):
        for red in range(16):
            for green in range(16):
                nearest: i64 = 1000
                for k in range(4):
                    if SUPPORTS[leader] & (i64(1) << k):
                        nearest = min(nearest, steps_to(i64(1) << k, red, green))
                table.append(nearest)
    return table


def _max(a: i64, b: i64) -> i64:
    return a if a > b else b


def heuristic(table: Table, seat: i64, threshold: i64) -> float:
    """How good the position is for the seat: marker steps, party strength, how near the end is."""
    m = table.m
    supported = SUPPORTS[table.leader(seat)]
    longest: i64 = 0
    for other in range(table.players):
        longest = _max(longest, table.size(Zone.OPEN + other))
    urgency = float(longest) / float(threshold)
    best = -1000.0
    factions: i64 = 4
    for k in range(factions):
        faction = 1 << k
        if not supported & faction:
            continue
        rivals: i64 = 0
        for other in range(table.players):
            if other != seat:
                rivals = _max(rivals, table.count_open(other, faction))
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
    if longest >= threshold:  # the game ends with this turn (R81)
        best += 20.0 if winning_faction(table.red, table.green) & supported else -20.0
    return best + 0.1 * float(promise)


def win_estimates(table: Table, threshold: i64) -> vec[float]:
    """Every seat's estimated chance to win, given all cards and leaders.

    A softmax over factions by missing marker steps, then one over each faction's supporters by
    their heroes of it. Both get steeper towards the end.
    """
    players = table.players
    longest: i64 = 0
    for seat in range(players):
        longest = _max(longest, table.size(Zone.OPEN + seat))
    left = threshold - longest
    left = max(i64(0), min(i64(FAR), left))
    chances = vec[float]([0.0] * players)
    strength = vec[i64]([0] * players)
    supported = vec[i64]([0] * players)
    for seat in range(players):
        supported[seat] = SUPPORTS[table.leader(seat)]
    total = 0.0
    factions: i64 = 4
    for k in range(factions):
        faction = 1 << k
        likely = exp(-PULL[left] * float(steps_to(faction, table.red, table.green)))
        if faction == UNDEAD:
            likely *= UNDEAD_PULL
        total += likely
        best: i64 = -1
        for seat in range(players):
            if supported[seat] & faction:
                strength[seat] = party_strength(table, seat, faction)
                best = _max(best, strength[seat])
        if best < 0:
            continue  # no seat would win
        rivals = 0.0
        for seat in range(players):
            if supported[seat] & faction:
                rivals += exp(LEAD[left] * float(strength[seat] - best))
        for seat in range(players):
            if supported[seat] & faction:
                mine = exp(LEAD[left] * float(strength[seat] - best))
                chances[seat] += likely * mine / rivals
    for seat in range(players):
        chances[seat] /= total
    return chances


def party_strength(table: Table, seat: i64, faction: i64) -> i64:
    """Heroes of the faction in the party, open and hidden; the Emperor counts as one (R87)."""
    m = table.m
    count = table.count_open(seat, faction)
    at = AT[Zone.HIDDEN + seat]
    for i in range(at, at + m[LENGTH + Zone.HIDDEN + seat]):
        if FACTION_OF[m[i]] & faction:
            count += 1
    return count


def winner(table: Table, faction: i64) -> i64:
    """The winning seat, or NOBODY if no leader in play supports the faction (R85 to R90).

    Among supporters: most heroes of the faction, then fewest heroes in all, then the highest
    leader number. All three are packed into one number.
    """
    best: i64 = -1
    seat_of_best: i64 = NOBODY
    for seat in range(table.players):
        leader = table.leader(seat)
        if leader < 0 or not SUPPORTS[leader] & faction:
            continue  # on an imagined table a leader may be unknown
        heroes = table.size(Zone.OPEN + seat) + table.size(Zone.HIDDEN + seat)
        rank = (party_strength(table, seat, faction) * 128 + 127 - heroes) * 8 + leader
        if rank > best:
            best = rank
            seat_of_best = seat
    return seat_of_best


NEAREST: Final = vec[i64](_nearest_by_leader())
"""The result of `_nearest_by_leader`, at leader * 256 + red * 16 + green."""
