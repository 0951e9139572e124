"""A move of Secrets as features: which card, to whom, and what that does for the actor's side.

Every feature is a number below `MOVE_FEATURES`, and a move has a few of them; a model has one
weight for each. They use the tokens of a complete table. The actor may not know them all, so the
weights say how its moves depend on tokens that it knows now and then; the right neighbour, whose
token it has seen at the start, is told apart. Compiled.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import CENTRE, KINDS, Character, Move, Phase, Token
from games.secrets.scoring import score
from games.secrets.table import SIZE, TOKENS, UP, Table

# How a seat stands to the actor.
_MATE: Final = 0
_ENEMY: Final = 1
_HIPPIE: Final = 2
_OTHER: Final = 3
"""A seat of a team, to a Hippie."""
_RIVAL: Final = 4
"""A Hippie, to a Hippie."""
_SELF: Final = 5
_KIN: Final = 6

_NEAR: Final = 2  # another seat, or the right neighbour
_CARDS: Final = 8
_PAIRS: Final = 64
_STAND: Final = 3  # the actor's side is behind, level, ahead
_RANK: Final = 3  # the seat is alone lowest, one of the lowest, neither
_GAIN: Final = 5
_WANTS: Final = 2  # of a team, a Hippie

OFFERS_CARD: Final = 0
OFFERS_TO: Final = OFFERS_CARD + _WANTS * _PAIRS
OFFER_ENDS: Final = OFFERS_TO + _KIN * _NEAR * _CARDS
OFFER_RANK: Final = OFFER_ENDS + _KIN * _STAND
OFFER_PAIRS: Final = OFFER_RANK + _KIN * _RANK * _NEAR
OFFER_TO_UN: Final = OFFER_PAIRS + _KIN * _CARDS
TAKES: Final = OFFER_TO_UN + _KIN
TAKES_FROM: Final = TAKES + 2 * _WANTS * _PAIRS
TAKE_ENDS: Final = TAKES_FROM + 2 * _KIN * _NEAR
TAKE_SIZE: Final = TAKE_ENDS + 2 * _WANTS * _STAND
TAKE_PAIRS: Final = TAKE_SIZE + 2 * _WANTS * 8
TAKE_RANK: Final = TAKE_PAIRS + _WANTS * _CARDS * 2
TAKE_STAND: Final = TAKE_RANK + _WANTS * _RANK * _STAND
SWAP_GAINS: Final = TAKE_STAND + 2 * _WANTS * _STAND
SWAP_OWN: Final = SWAP_GAINS + _WANTS * _GAIN
SWAP_KIN: Final = SWAP_OWN + _KIN * _GAIN
PASS_TO: Final = SWAP_KIN + _KIN * _KIN
PASS_ENDS: Final = PASS_TO + _KIN * _NEAR
PASS_PAIRS: Final = PASS_ENDS + _KIN * _STAND
PASS_RANK: Final = PASS_PAIRS + _KIN
GIVE_TO: Final = PASS_RANK + _KIN * _RANK
GIVE_ENDS: Final = GIVE_TO + _KIN * _NEAR
GIVE_RANK: Final = GIVE_ENDS + _KIN * _STAND
TURNS_TO: Final = GIVE_RANK + _KIN * _RANK
TURN_GAINS: Final = TURNS_TO + _KIN * _NEAR
LOOKS_AT: Final = TURN_GAINS + _WANTS * _GAIN
MOVE_FEATURES: Final = LOOKS_AT + _WANTS * 4


def move_features(table: Table, move: i64, role: i64, out: vec[i64]) -> i64:
    """See `State.move_features`."""
    if role < 0:
        return 0
    phase = table.phase
    if phase == Phase.TARGET:
        return offer_features(table, move - Move.PLACE, role, out)
    if phase == Phase.ANSWER or phase == Phase.UN:
        if move == Move.REFUSE or move == Move.STAY_OUT:
            return 0
        return take_features(table, role, out)
    hippie: i64 = 1 if role == Token.HIPPIE else 0
    if phase == Phase.CHOOSE:
        card = move - Move.CARD
        other = table.two if card == table.one else table.one
        out[0] = OFFERS_CARD + hippie * _PAIRS + card * _CARDS + other
        return 1
    if phase == Phase.PASS_ON:
        return pass_features(table, move - Move.PLACE, role, out)
    if phase == Phase.GIVE:
        return give_features(table, move - Move.PLACE, role, out)
    if phase == Phase.SWAP:
        pair = move - Move.SWAP
        return swap_features(table, pair >> 3, pair & 7, role, out)
    if phase == Phase.NEIGHBOUR:
        left = move == Move.LEFT
        seat = table.left(table.actor) if left else table.right(table.actor)
        out[0] = TURNS_TO + near_kin(table, seat, role)
        out[1] = TURN_GAINS + hippie * _GAIN + swap_gain(table, seat, CENTRE, role)
        return 2
    if phase == Phase.LOOK:
        place = move - Move.PLACE
        which: i64 = 3 if place == CENTRE else 2 if place == table.actor else 0
        if which == 0 and place == table.right(table.actor):
            which = 1
        out[0] = LOOKS_AT + hippie * 4 + which
        return 1
    return 0


def kin(table: Table, seat: i64, role: i64) -> i64:
    """How the seat stands to the actor, who has that role."""
    if seat == table.actor:
        return _SELF
    token = table.m[TOKENS + seat]
    if role == Token.HIPPIE:
        return _RIVAL if token == Token.HIPPIE else _OTHER
    if token == Token.HIPPIE:
        return _HIPPIE
    return _MATE if token == role else _ENEMY


def near_kin(table: Table, seat: i64, role: i64) -> i64:
    """The same, with the right neighbour told apart."""
    found = kin(table, seat, role) * _NEAR
    return found + 1 if seat == table.right(table.actor) else found


def lead(table: Table, role: i64) -> i64:
    """Points by which that team is ahead of the other."""
    ahead: i64 = 0
    for seat in range(table.players):
        token = table.m[TOKENS + seat]
        if token == role:
            ahead += score(table, seat)
        elif token != Token.HIPPIE:
            ahead -= score(table, seat)
    return ahead


def stand(table: Table, role: i64) -> i64:
    """Whether the actor's side is behind (0), level (1) or ahead (2); a Hippie: lowest or not."""
    if role == Token.HIPPIE:
        return 2 - rank(table, table.actor)
    ahead = lead(table, role)
    return 2 if ahead > 0 else 1 if ahead == 0 else 0


def rank(table: Table, seat: i64) -> i64:
    """0: the seat alone has the lowest score; 1: others have it as well; 2: it is not lowest."""
    own = score(table, seat)
    found: i64 = 0
    for other in range(table.players):
        if other != seat:
            points = score(table, other)
            if points < own:
                return 2
            if points == own:
                found = 1
    return found


def one_short(table: Table, seat: i64) -> bool:
    """Whether one more card for the seat ends the game."""
    return table.m[SIZE + seat] + 1 >= table.threshold


def offer_features(table: Table, seat: i64, role: i64, out: vec[i64]) -> i64:
    """Of offering the card to a seat."""
    card = table.offered
    how = kin(table, seat, role)
    near = near_kin(table, seat, role)
    out[0] = OFFER_RANK + near * _RANK + rank(table, seat)
    count: i64 = 1
    if card >= 0 and card < _CARDS:
        out[count] = OFFERS_TO + near * _CARDS + card
        count += 1
        if table.m[UP + seat * KINDS + card] > 0:
            out[count] = OFFER_PAIRS + how * _CARDS + card
            count += 1
    if one_short(table, seat):
        out[count] = OFFER_ENDS + how * _STAND + stand(table, role)
        count += 1
    if table.un == seat:
        out[count] = OFFER_TO_UN + how
        count += 1
    return count


def take_features(table: Table, role: i64, out: vec[i64]) -> i64:
    """Of accepting the card, or of taking it with the UN token."""
    seat = table.actor
    hippie: i64 = 1 if role == Token.HIPPIE else 0
    un: i64 = 1 if table.phase == Phase.UN else 0
    kind = un * _WANTS + hippie
    one = table.one
    two = table.two if table.two >= 0 else one
    least = one if one < two else two
    standing = stand(table, role)
    out[0] = TAKES + kind * _PAIRS + least * _CARDS + one + two - least
    out[1] = TAKES_FROM + un * _KIN * _NEAR + near_kin(table, table.player, role)
    size = table.m[SIZE + seat]
    out[2] = TAKE_SIZE + kind * 8 + size
    out[3] = TAKE_RANK + (hippie * _RANK + rank(table, seat)) * _STAND + standing
    out[4] = TAKE_STAND + kind * _STAND + standing
    count: i64 = 5
    if one_short(table, seat):
        out[count] = TAKE_ENDS + kind * _STAND + standing
        count += 1
    if table.m[UP + seat * KINDS + one] > 0:
        out[count] = TAKE_PAIRS + (hippie * _CARDS + one) * 2
        count += 1
    if two != one and table.m[UP + seat * KINDS + two] > 0:
        out[count] = TAKE_PAIRS + (hippie * _CARDS + two) * 2 + 1
        count += 1
    return count


def pass_features(table: Table, seat: i64, role: i64, out: vec[i64]) -> i64:
    """Of passing a Politician on to a seat."""
    how = kin(table, seat, role)
    out[0] = PASS_TO + near_kin(table, seat, role)
    out[1] = PASS_RANK + how * _RANK + rank(table, seat)
    count: i64 = 2
    if one_short(table, seat):
        out[count] = PASS_ENDS + how * _STAND + stand(table, role)
        count += 1
    if table.m[UP + seat * KINDS + Character.POLITICIAN] > 0:
        out[count] = PASS_PAIRS + how
        count += 1
    return count


def give_features(table: Table, seat: i64, role: i64, out: vec[i64]) -> i64:
    """Of giving a Bullet to a seat."""
    how = kin(table, seat, role)
    out[0] = GIVE_TO + near_kin(table, seat, role)
    out[1] = GIVE_RANK + how * _RANK + rank(table, seat)
    if not one_short(table, seat):
        return 2
    out[2] = GIVE_ENDS + how * _STAND + stand(table, role)
    return 3


def swap_gain(table: Table, a: i64, b: i64, role: i64) -> i64:
    """What a swap of tokens does to the lead of the actor's side: 0 (a loss) to 4."""
    m = table.m
    if role == Token.HIPPIE:
        return 2
    gain: i64 = 0
    if a != CENTRE:
        gain += score(table, a) * (side_sign(m[TOKENS + b], role) - side_sign(m[TOKENS + a], role))
    if b != CENTRE:
        gain += score(table, b) * (side_sign(m[TOKENS + a], role) - side_sign(m[TOKENS + b], role))
    if gain == 0:
        return 2
    if gain > 0:
        return 4 if gain > 4 else 3
    return 0 if gain < -4 else 1


def side_sign(token: i64, role: i64) -> i64:
    """How points of a seat with that token count for the team `role`."""
    return 1 if token == role else 0 if token == Token.HIPPIE else -1


def swap_features(table: Table, a: i64, b: i64, role: i64, out: vec[i64]) -> i64:
    """Of swapping the tokens of two seats."""
    hippie: i64 = 1 if role == Token.HIPPIE else 0
    gain = swap_gain(table, a, b, role)
    one = kin(table, a, role)
    two = kin(table, b, role)
    if one > two:
        one, two = two, one
    out[0] = SWAP_GAINS + hippie * _GAIN + gain
    out[1] = SWAP_KIN + one * _KIN + two
    if two != _SELF:
        return 2
    out[2] = SWAP_OWN + one * _GAIN + gain
    return 3
