"""The cards' lines flattened into rows of integers, which is what the engine runs."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.hidden_leaders.rules.card_language import ME, Cards, Shift, Step
from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import GRAVEYARD, HAND, HARBOR, HIDDEN, WILDERNESS

ROW: Final = 8
"""Integers per step."""

# What a row does. Those up to LAST_TURN_OP belong to setup and turn, the others to cards.
OP_LEADERS: Final = 0
OP_REFILL: Final = 1
OP_FIRST: Final = 2
OP_DEAL: Final = 3
OP_HIDE: Final = 4
OP_ACTION: Final = 5
OP_MORE: Final = 6
OP_DRAW: Final = 7
OP_TRIM: Final = 8
OP_TURN_END: Final = 9
LAST_TURN_OP: Final = 9
OP_END: Final = 10
OP_MARK: Final = 11
"""first shift, number of shifts, times, cap, by, condition, faction"""
OP_CHOOSE: Final = 12
"""where, of, want, ban, verb, flags, by"""
OP_PLAYER: Final = 13
"""where they must have a card or -1, of"""
OP_FACTION: Final = 14
"""where, of: what must exist for the question to be asked"""
OP_SWEEP: Final = 15
"""-, -, want (0: the faction named)"""
OP_RANDOM: Final = 16
"""where, -, -, -, verb"""
OP_DRAW_HARBOR: Final = 17
"""how many"""
OP_LIFT: Final = 18
"""pile, how many"""
OP_REST: Final = 19
"""zone the rest of the drawn cards goes to"""
OP_RESTOCK: Final = 20
OP_SHOW: Final = 21
OP_PERFORM_TOP: Final = 22
OP_PERFORM_PICKED: Final = 23
OP_CLOSE: Final = 24
"""zone the set-aside card goes to"""
OP_EACH: Final = 25
OP_PILE: Final = 26
"""how many"""
OP_MANNER: Final = 27
"""where, of"""
OP_RECEIVER: Final = 28
OP_HAND_OVER: Final = 29

# What is done with a chosen card.
V_BURY: Final = 0
V_TURN: Final = 1
V_LOOK: Final = 2
V_TAKE: Final = 3
V_HIDE: Final = 4
V_OPEN: Final = 5
V_DISCARD: Final = 6
V_ASIDE: Final = 7
V_PERFORM: Final = 8
V_PICK: Final = 9
V_SWAP: Final = 10
V_SWAP_TOP: Final = 11
V_PLAY: Final = 12
V_EXPOSE: Final = 13
V_MANNER: Final = 14

# Flags of OP_CHOOSE.
MAY: Final = 1
"""PASS is offered."""
ASK_ANYWAY: Final = 2
"""Offered even without a candidate, so that nothing leaks (R39)."""
NEW_IN_CHAIN: Final = 4
"""Neither the Emperor nor a card of the chain (R58, R62)."""
ANOTHER: Final = 8
"""Only after the step before was used, and not the same card."""
NEEDS_NEXT: Final = 16
"""Only if the following row has a candidate too (both sides of an exchange)."""
MOVABLE: Final = 32
"""Only a hero that a third player could receive (R144)."""

_VERBS: Final = {
    "bury": V_BURY,
    "turn over": V_TURN,
    "look": V_LOOK,
    "take": V_TAKE,
    "place hidden": V_HIDE,
    "place open": V_OPEN,
    "discard": V_DISCARD,
    "play another": V_PLAY,
    "perform": V_PERFORM,
    "expose": V_EXPOSE,
    "exchange graveyard top": V_SWAP_TOP,
}
_PLACES: Final = {
    "harbor": HARBOR,
    "wilderness": WILDERNESS,
    "graveyard": GRAVEYARD,
    "hand": HAND,
    "hidden": HIDDEN,
}


def _choose(cards: Cards | None, verb: int, flags: int = 0, by: int = ME) -> list[int]:
    assert cards is not None
    return [OP_CHOOSE, cards.where, cards.of, cards.faction, cards.but_not, verb, flags, by]


def _rows(step: Step, shifts: list[Shift]) -> list[list[int]]:
    """The rows of one step; shifts used by marker phrases are appended to `shifts`."""
    verb, cards, may = step.verb, step.cards, MAY if step.optional else 0
    if verb == "markers":
        first = len(shifts)
        shifts.extend(step.shifts)
        many = len(step.shifts)
        return [
            [OP_MARK, first, many, step.times, step.count, step.by, step.condition, step.faction]
        ]
    if verb == "exchange":
        return [_choose(cards, V_PICK, may | NEEDS_NEXT), _choose(step.second, V_SWAP)]
    if verb == "look":
        again = [_choose(cards, V_LOOK, may | ANOTHER)] * (step.count - 1)
        return [_choose(cards, V_LOOK, may), *again]
    if verb == "play another":
        return [_choose(cards, V_PLAY, may | ASK_ANYWAY)]
    if verb == "perform":
        return [_choose(cards, V_PERFORM, NEW_IN_CHAIN)]
    if verb == "perform aside":
        closing = [OP_CLOSE, _PLACES[step.place]]
        return [_choose(cards, V_ASIDE), [OP_PERFORM_PICKED], closing]
    if verb == "turn up and perform":
        return [_choose(cards, V_TURN), [OP_PERFORM_PICKED]]
    if verb == "turn up or look":
        assert cards is not None
        return [[OP_MANNER, cards.where, cards.of], _choose(cards, V_MANNER)]
    if verb == "move elsewhere":
        return [_choose(cards, V_PICK, may | MOVABLE), [OP_RECEIVER]]
    if verb == "pick player":
        return [[OP_PLAYER, -1 if cards is None else cards.where, step.by]]
    if verb == "name faction":
        assert cards is not None
        return [[OP_FACTION, cards.where, cards.of]]
    if verb == "discard all":
        assert cards is not None
        return [[OP_SWEEP, 0, 0, cards.faction]]
    if verb.startswith("random "):
        assert cards is not None
        return [[OP_RANDOM, cards.where, 0, 0, 0, _VERBS[verb.removeprefix("random ")]]]
    if verb == "draw":
        if step.place == "harbor":
            return [[OP_DRAW_HARBOR, step.count]]
        return [[OP_LIFT, _PLACES[step.place], step.count]]
    plain = {
        "rest": [OP_REST, _PLACES.get(step.place, 0)],
        "draw from either pile": [OP_PILE, step.count],
        "restock": [OP_RESTOCK],
        "show wilderness top": [OP_SHOW],
        "perform graveyard top": [OP_PERFORM_TOP],
        "everybody else: discard": [OP_EACH],
        "hand over": [OP_HAND_OVER],
    }
    if verb in plain:
        return [plain[verb]]
    return [_choose(cards, _VERBS[verb], may, step.by)]


def ints(values: list[int]) -> vec[i64]:
    packed = vec[i64]()
    for value in values:
        packed = append(packed, value)
    return packed


def _flatten() -> tuple[list[int], list[int], list[int]]:
    """All rows one after another, where each hero starts, and the shifts of marker phrases."""
    setup = [OP_LEADERS, OP_REFILL, OP_FIRST, OP_DEAL, OP_HIDE]
    turn = [OP_ACTION, OP_MORE, OP_DRAW, OP_TRIM, OP_REFILL, OP_TURN_END]
    rows = [[op] for op in setup + turn]
    starts: list[int] = []
    shifts: list[Shift] = []
    for hero in HEROES:
        starts.append(len(rows) * ROW)
        for step in hero.steps:
            rows.extend(_rows(step, shifts))
        rows.append([OP_END])
    starts.append(len(rows) * ROW - ROW)
    flat = [number for row in rows for number in row + [0] * (ROW - len(row))]
    moves = [
        number for s in shifts for number in (s.red, s.green, s.leading, s.trailing, s.condition)
    ]
    return flat, starts, moves


_FLAT = _flatten()
PROGRAM: Final[vec[i64]] = ints(_FLAT[0])
START: Final[vec[i64]] = ints(_FLAT[1])
SHIFTS: Final[vec[i64]] = ints(_FLAT[2])
SHIFT: Final = 5
"""Integers per shift: red, green, leading, trailing, condition."""

SETUP_START: Final = 0
TURN_START: Final = 5 * ROW

BLANK: Final = len(HEROES)
"""A card of no faction and no ability, which stands for an unknown one on an imagined table."""

FACTION_OF: Final[vec[i64]] = ints([hero.faction for hero in HEROES] + [0])
SUPPORTS: Final[vec[i64]] = ints([leader.factions for leader in LEADERS])
