"""Who has won a game of Secrets, and estimates before the end (chapter "scoring")."""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import BULLETS, KINDS, VALUES, Character, Phase, Token
from games.secrets.table import FACELESS, SHOT, SIZE, TOKENS, UP, Table
from games.state import NOBODY, UNSEEN

WORTH: Final = vec[i64](list(VALUES))

FAR: Final = 5
"""From this many cards short of the end on, all tables are judged alike."""

TEAM_PULL: Final = vec[float]([0.27, 0.17, 0.11, 0.06, 0.05, 0.03])
"""Logit per point a team is ahead, by cards short of the end."""

HIPPIE_PULL: Final = vec[float]([0.58, 0.39, 0.22, 0.15, 0.1, 0.1])
"""Logit per point a Hippie is below the lowest other score, likewise."""

HIPPIE_DOUBT: Final = vec[float]([1.4, 2.0, 3.7, 5.6, 8.0, 8.0])
"""Points below the lowest other score that give a Hippie an even chance, likewise.

All three are rounded from a maximum likelihood fit to games played by `rollout_move`: tokens move
so often that points say little before the last turns.
"""


def score(table: Table, seat: i64) -> i64:
    """Face-up characters and Bullets; cards face down count nothing (S32)."""
    m = table.m
    at = UP + seat * KINDS
    total: i64 = 0
    for c in range(i64(Character.COUNT)):
        total += m[at + c] * WORTH[c]
    return total - shot(m[SHOT + seat])


def shot(mask: i64) -> i64:
    """Points that a set of Bullets costs."""
    total: i64 = 0
    for k in range(i64(BULLETS)):
        if mask & (1 << k):
            total += k
    return total


def winning_side(table: Table) -> i64:
    """The side that wins the finished game; -1 if everybody loses (S34 to S36)."""
    if lone_hippie(table) != NOBODY:
        return Token.HIPPIE
    cia = team_total(table, Token.CIA)
    kgb = team_total(table, Token.KGB)
    if cia == kgb:
        return -1
    return Token.CIA if cia > kgb else Token.KGB


def lone_hippie(table: Table) -> i64:
    """The Hippie who alone has the lowest score, or NOBODY (S34)."""
    lowest: i64 = 1000
    last: i64 = NOBODY
    for seat in range(table.players):
        points = score(table, seat)
        if points < lowest:
            lowest = points
            last = seat
        elif points == lowest:
            last = NOBODY
    if last != NOBODY and table.m[TOKENS + last] == Token.HIPPIE:
        return last
    return NOBODY


def team_total(table: Table, side: i64) -> i64:
    total: i64 = 0
    for seat in range(table.players):
        if table.m[TOKENS + seat] == side:
            total += score(table, seat)
    return total


def winners(table: Table, side: i64) -> i64:
    """A bit for every winning seat."""
    if side == Token.HIPPIE:
        return 1 << lone_hippie(table)
    mask: i64 = 0
    for seat in range(table.players):
        if side >= 0 and table.m[TOKENS + seat] == side:
            mask |= 1 << seat
    return mask


# ---- before the end -----------------------------------------------------------------------------


def cards_to_go(table: Table, threshold: i64) -> i64:
    """How many cards the largest display is short of the end."""
    longest: i64 = 0
    for seat in range(table.players):
        longest = max(longest, table.m[SIZE + seat])
    left = threshold - longest
    return max(i64(0), min(i64(FAR), left))


def estimated_score(table: Table, seat: i64) -> float:
    """The known part of the score, plus half of a card on offer for both who may get it."""
    m = table.m
    points = float(score(table, seat)) - 1.5 * float(m[FACELESS + seat])
    points += 0.5 * float(m[UP + seat * KINDS + Character.BLANK] * table.blank_worth)
    if table.phase >= Phase.TARGET and table.phase <= Phase.ANSWER and table.offered != UNSEEN:
        if seat == table.target or (seat == table.player and table.target != NOBODY):
            points += 0.25 * float(twice_worth(table, table.offered))
    return points


def twice_worth(table: Table, card: i64) -> i64:
    return table.blank_worth if card == Character.BLANK else 2 * WORTH[card]


def heuristic(table: Table, seat: i64) -> float:
    """How well the seat stands by the known tokens: its team's lead, or its distance to the lowest.

    A seat that does not know its own token gets 0 (S40).
    """
    side = table.m[TOKENS + seat]
    if side < 0:
        return 0.0
    mine = estimated_score(table, seat)
    if side == Token.HIPPIE:
        lowest = 1000.0
        for other in range(table.players):
            if other != seat:
                lowest = min(lowest, estimated_score(table, other))
        return lowest - mine
    ahead = mine
    for other in range(table.players):
        token = table.m[TOKENS + other]
        if other != seat and token >= 0 and token != Token.HIPPIE:
            points = estimated_score(table, other)
            ahead += points if token == side else -points
    return ahead


def win_estimates(table: Table, threshold: i64) -> vec[float]:
    """Every seat's estimated chance to win, with all tokens known.

    First whether a Hippie ends with the lowest score, then which team has more points. The closer
    the end, the more points count.
    """
    players = table.players
    left = cards_to_go(table, threshold)
    chances = vec[float]([0.0] * players)
    points = vec[float]([0.0] * players)
    ahead = 0.0
    for seat in range(players):
        points[seat] = estimated_score(table, seat)
        side = table.m[TOKENS + seat]
        if side == Token.CIA:
            ahead += points[seat]
        elif side == Token.KGB:
            ahead -= points[seat]
    teams = 1.0
    for seat in range(players):
        if table.m[TOKENS + seat] == Token.HIPPIE:
            lowest = 1000.0
            for other in range(players):
                if other != seat:
                    lowest = min(lowest, points[other])
            below = lowest - points[seat] - HIPPIE_DOUBT[left]
            chances[seat] = teams * logistic(HIPPIE_PULL[left] * below)
            teams -= chances[seat]
    cia = teams * logistic(TEAM_PULL[left] * ahead)
    for seat in range(players):
        side = table.m[TOKENS + seat]
        if side == Token.CIA:
            chances[seat] = cia
        elif side == Token.KGB:
            chances[seat] = teams - cia
    return chances


def logistic(pull: float) -> float:
    """The logistic function: 1/2 at 0."""
    return 1.0 / (1.0 + exp(-pull))
