"""Which faction has won, and which of its supporters (chapter "winner" of the rules)."""

from __future__ import annotations

from mypy_extensions import i64

from games.hidden_leaders.program import FACTION_OF, SUPPORTS
from games.hidden_leaders.table import AT, LENGTH, Table
from games.hidden_leaders.words import EMPIRE, HIDDEN, OPEN, TRIBES, UNDEAD, WAR_ZONE, WATER
from games.state import NOBODY


def winning_faction(red: i64, green: i64) -> i64:
    """First match counts: both in the war zone, close together, red ahead, green ahead (R83)."""
    if red >= WAR_ZONE and green >= WAR_ZONE:
        return UNDEAD
    if -1 <= red - green <= 1:
        return WATER
    return EMPIRE if red > green else TRIBES


def party_strength(table: Table, seat: i64, faction: i64) -> i64:
    """Heroes of the faction in the whole party, open and hidden, the Emperor counting one (R87)."""
    m = table.m
    found = table.count_open(seat, faction)
    at = AT[HIDDEN + seat]
    for i in range(at, at + m[LENGTH + HIDDEN + seat]):
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
        if not SUPPORTS[leader] & faction:
            continue
        heroes = table.size(OPEN + seat) + table.size(HIDDEN + seat)
        rank = (party_strength(table, seat, faction) * 128 + 127 - heroes) * 8 + leader
        if rank > best:
            best = rank
            seat_of_best = seat
    return seat_of_best
