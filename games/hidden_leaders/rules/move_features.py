"""A move of Hidden Leaders as features: which card, for which leader, and what it does.

Every feature is a number below `MOVE_FEATURES`, and a move has a few of them; a model has one
weight for each. They use what the deciding seat sees, and a leader that is assumed for it.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import FACTION_OF, PROGRAM, SUPPORTS
from games.hidden_leaders.rules.constants import Move, Zone
from games.hidden_leaders.rules.features import KINDS, STEPS, marker_card
from games.hidden_leaders.rules.interpreter import Frame, Interpreter
from games.hidden_leaders.rules.opcodes import MarkRow, Op, Row
from games.hidden_leaders.rules.scoring import NEAREST, party_strength
from games.hidden_leaders.rules.table import AT, LENGTH

CARDS: Final = 78
"""Heroes, and the blank that stands for an unknown one."""
BY_LEADER: Final = 468  # CARDS * 6
STAGES: Final = 4
CHANGES: Final = 9

PLAYS: Final = 0
SHEDS: Final = BY_LEADER
DRAWS_CARD: Final = 2 * BY_LEADER
HIDES: Final = 3 * BY_LEADER
DRAWS_UNSEEN: Final = 4 * BY_LEADER
PLAY_GAINS: Final = DRAWS_UNSEEN + 6
PLAY_SUITS: Final = PLAY_GAINS + STAGES * CHANGES
PLAY_ENDS: Final = PLAY_SUITS + STAGES * 3
SHIFT_NEAREST: Final = PLAY_ENDS + 4
SHIFT_STRONG: Final = SHIFT_NEAREST + STAGES * CHANGES
CHOOSES: Final = SHIFT_STRONG + STAGES * CHANGES
CHOSEN_CARD: Final = CHOOSES + 16 * 12
DECLINES: Final = CHOSEN_CARD + 2 * CARDS
PICKS: Final = DECLINES + 32
NAMES: Final = PICKS + 2
ACTIONS_SHED: Final = NAMES + 2
MOVE_FEATURES: Final = ACTIONS_SHED + STAGES * 3


def stage(table: Interpreter) -> i64:
    """How near the end is, from 0 for the last open hero to 3."""
    longest: i64 = 0
    for seat in range(table.players):
        longest = max(longest, table.m[LENGTH + Zone.OPEN + seat])
    short = table.threshold - longest
    return 0 if short <= 1 else 1 if short == 2 else 2 if short <= 4 else 3


def strong_faction(table: Interpreter, seat: i64, supported: i64) -> i64:
    """The number of the faction in which the party is stronger; near markers decide ties."""
    best: i64 = -1000
    strongest: i64 = 0
    for k in range(i64(KINDS)):
        if supported & (1 << k):
            value = 2 * party_strength(table, seat, 1 << k)
            value -= STEPS[k * 256 + table.red * 16 + table.green]
            if value > best:
                best = value
                strongest = k
    return strongest


def suits(card: i64, supported: i64, strong: i64) -> i64:
    """0: a card of neither faction; 1: of the weaker; 2: of the stronger."""
    if not FACTION_OF[card] & supported:
        return 0
    return 2 if FACTION_OF[card] & (1 << strong) else 1


def change(before: i64, after: i64) -> i64:
    """Steps gained, from 0 (four or more lost) to 8 (four or more gained)."""
    gained = before - after
    return max(i64(-4), min(i64(4), gained)) + 4


def move_features(table: Interpreter, move: i64, role: i64, out: vec[i64]) -> i64:
    """See `State.move_features`."""
    row = table.m[table.frame + Frame.ROW]
    op = PROGRAM[row]
    return features_of(table, row, op, move, role, situation_of(table, op, role), out)


def score_moves(
    table: Interpreter, role: i64, weights: vec[float], scratch: vec[i64], out: vec[float]
) -> None:
    """See `State.score_moves`: what all moves of a decision have in common is found once."""
    row = table.m[table.frame + Frame.ROW]
    op = PROGRAM[row]
    situation = situation_of(table, op, role)
    legal = table.legal
    for i in range(table.count):
        score = 0.0
        for j in range(features_of(table, row, op, legal[i], role, situation, scratch)):
            score += weights[scratch[j]]
        out[i] = score


def situation_of(table: Interpreter, op: i64, role: i64) -> i64:
    """The actor's `strong_faction` and 8 times the `stage`, if features of the row need them."""
    if op == Op.ACTION or op == Op.MARK or op == Op.CHOOSE:
        return strong_faction(table, table.actor, SUPPORTS[role]) + 8 * stage(table)
    return 0


def features_of(
    table: Interpreter, row: i64, op: i64, move: i64, role: i64, situation: i64, out: vec[i64]
) -> i64:
    """The features of one move; `situation` is the result of `situation_of`."""
    if move == Move.PASS:
        out[0] = DECLINES + op
        return 1
    supported = SUPPORTS[role]
    strong = situation & 7
    left = situation >> 3
    if op == Op.ACTION and move < Move.DISCARD:
        return play_features(table, move, role, strong, left, out)
    if op == Op.MARK:
        return shift_features(table, row, move, role, strong, left, out)
    if op == Op.DRAW:
        out[0] = DRAWS_UNSEEN + role if move == Move.TOP else DRAWS_CARD + move * 6 + role
        return 1
    if op <= Op.LAST_OF_TURN or op == Op.EACH or op == Op.HAND_OVER:
        if move >= 2 * Move.DISCARD:
            return 0
        card = move - Move.DISCARD if move >= Move.DISCARD else move
        out[0] = (HIDES if op == Op.HIDE and move < Move.DISCARD else SHEDS) + card * 6 + role
        if op == Op.ACTION:
            out[1] = ACTIONS_SHED + left * 3 + suits(card, supported, strong)
            return 2
        return 1
    if op == Op.PLAYER and move >= Move.PLAYER and move < Move.FACTION:
        out[0] = PICKS + (1 if move - Move.PLAYER == table.actor else 0)
        return 1
    if op == Op.FACTION and move >= Move.FACTION and move < Move.MARKER:
        out[0] = NAMES + (1 if supported & (1 << (move - Move.FACTION)) else 0)
        return 1
    if op == Op.CHOOSE:
        return choice_features(table, row, move, supported, strong, out)
    return 0


def play_features(
    table: Interpreter, card: i64, role: i64, strong: i64, left: i64, out: vec[i64]
) -> i64:
    """Of playing a card from the hand."""
    seat = table.actor
    nearest = NEAREST
    before = nearest[role * 256 + table.red * 16 + table.green]
    after = before
    row = marker_card(card)
    if row >= 0:
        after = 100
        for k in range(PROGRAM[row + MarkRow.ALTERNATIVES]):
            outcome = table.shifted(PROGRAM[row + MarkRow.FIRST] + k, 1)
            if outcome >= 0:
                steps = nearest[role * 256 + outcome]
                after = min(after, steps)
        if after == 100:
            after = before
    out[0] = PLAYS + card * 6 + role
    out[1] = PLAY_GAINS + left * CHANGES + change(before, after)
    out[2] = PLAY_SUITS + left * 3 + suits(card, SUPPORTS[role], strong)
    if table.m[LENGTH + Zone.OPEN + seat] + 1 < table.threshold:
        return 3
    behind: i64 = 0
    mine = party_strength(table, seat, 1 << strong)
    for other in range(table.players):
        if other != seat and table.count_open(other, 1 << strong) >= mine:
            behind = 1
    out[3] = PLAY_ENDS + (2 if after == 0 else 0) + behind
    return 4


def shift_features(
    table: Interpreter, row: i64, move: i64, role: i64, strong: i64, left: i64, out: vec[i64]
) -> i64:
    """Of one alternative of a marker phrase."""
    here = table.red * 16 + table.green
    times = table.times(row, table.frame)
    outcome = table.shifted(PROGRAM[row + MarkRow.FIRST] + move - Move.MARKER, times)
    if outcome < 0:
        return 0
    before = STEPS[strong * 256 + here]
    nearest = change(NEAREST[role * 256 + here], NEAREST[role * 256 + outcome])
    out[0] = SHIFT_NEAREST + left * CHANGES + nearest
    out[1] = SHIFT_STRONG + left * CHANGES + change(before, STEPS[strong * 256 + outcome])
    return 2


def choice_features(
    table: Interpreter, row: i64, move: i64, supported: i64, strong: i64, out: vec[i64]
) -> i64:
    """Of choosing a card for what the row does with it."""
    m = table.m
    seat = table.actor
    owner: i64 = 3
    known = True
    card = move
    if move >= Move.STACK and move < Move.PLAYER:
        holder = (move - Move.STACK) // Move.STACK_ROOM
        card = m[AT[Zone.HIDDEN + holder] + (move - Move.STACK) % Move.STACK_ROOM]
        known = holder == seat
        owner = 0 if known else 1
    elif move < CARDS:
        holder = table.owner_of_open(move)
        if holder >= 0:
            owner = 0 if holder == seat else 1
        elif table.find(Zone.TAVERN, move) >= 0:
            owner = 2
    else:
        return 0
    kind = suits(card, supported, strong) if known else 0
    out[0] = CHOOSES + (PROGRAM[row + Row.ACT] * 4 + owner) * 3 + kind
    if not known:
        return 1
    out[1] = CHOSEN_CARD + card * 2 + (1 if owner == 0 else 0)
    return 2
