"""The cards' lines flattened into rows of integers, which is what the engine runs."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.hidden_leaders.rules.card_language import ME, Cards, Shift, Step
from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import Zone

ROW: Final = 8
"""Integers per step."""


class Op:
    """What a row does. Those up to LAST_OF_TURN belong to setup and turn, the others to cards."""

    LEADERS: Final = 0
    REFILL: Final = 1
    FIRST: Final = 2
    DEAL: Final = 3
    HIDE: Final = 4
    ACTION: Final = 5
    MORE: Final = 6
    DRAW: Final = 7
    TRIM: Final = 8
    TURN_END: Final = 9
    LAST_OF_TURN: Final = 9
    END: Final = 10
    MARK: Final = 11
    """first shift, number of shifts, times, cap, by, condition, faction"""
    CHOOSE: Final = 12
    """where, of, want, ban, verb, flags, by"""
    PLAYER: Final = 13
    """where they must have a card or -1, of"""
    FACTION: Final = 14
    """where, of: what must exist for the question to be asked"""
    SWEEP: Final = 15
    """-, -, want (0: the faction named)"""
    RANDOM: Final = 16
    """where, -, -, -, verb"""
    DRAW_HARBOR: Final = 17
    """how many"""
    LIFT: Final = 18
    """pile, how many"""
    REST: Final = 19
    """zone the rest of the drawn cards goes to"""
    RESTOCK: Final = 20
    SHOW: Final = 21
    PERFORM_TOP: Final = 22
    PERFORM_PICKED: Final = 23
    CLOSE: Final = 24
    """zone the set-aside card goes to"""
    EACH: Final = 25
    PILE: Final = 26
    """how many"""
    MANNER: Final = 27
    """where, of"""
    RECEIVER: Final = 28
    HAND_OVER: Final = 29


class Act:
    """What is done with a chosen card."""

    BURY: Final = 0
    TURN: Final = 1
    LOOK: Final = 2
    TAKE: Final = 3
    HIDE: Final = 4
    OPEN: Final = 5
    DISCARD: Final = 6
    ASIDE: Final = 7
    PERFORM: Final = 8
    PICK: Final = 9
    SWAP: Final = 10
    SWAP_TOP: Final = 11
    PLAY: Final = 12
    EXPOSE: Final = 13
    MANNER: Final = 14


class Flag:
    """Flags of Op.CHOOSE."""

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
    "bury": Act.BURY,
    "turn over": Act.TURN,
    "look": Act.LOOK,
    "take": Act.TAKE,
    "place hidden": Act.HIDE,
    "place open": Act.OPEN,
    "discard": Act.DISCARD,
    "play another": Act.PLAY,
    "perform": Act.PERFORM,
    "expose": Act.EXPOSE,
    "exchange graveyard top": Act.SWAP_TOP,
}
_PLACES: Final = {
    "harbor": Zone.HARBOR,
    "wilderness": Zone.WILDERNESS,
    "graveyard": Zone.GRAVEYARD,
    "hand": Zone.HAND,
    "hidden": Zone.HIDDEN,
}


def _choose(cards: Cards | None, verb: int, flags: int = 0, by: int = ME) -> list[int]:
    assert cards is not None
    return [Op.CHOOSE, cards.where, cards.of, cards.faction, cards.but_not, verb, flags, by]


def _rows(step: Step, shifts: list[Shift]) -> list[list[int]]:
    """The rows of one step; shifts used by marker phrases are appended to `shifts`."""
    verb, cards, may = step.verb, step.cards, Flag.MAY if step.optional else 0
    if verb == "markers":
        first = len(shifts)
        shifts.extend(step.shifts)
        many = len(step.shifts)
        return [
            [Op.MARK, first, many, step.times, step.count, step.by, step.condition, step.faction]
        ]
    if verb == "exchange":
        return [_choose(cards, Act.PICK, may | Flag.NEEDS_NEXT), _choose(step.second, Act.SWAP)]
    if verb == "look":
        again = [_choose(cards, Act.LOOK, may | Flag.ANOTHER)] * (step.count - 1)
        return [_choose(cards, Act.LOOK, may), *again]
    if verb == "play another":
        return [_choose(cards, Act.PLAY, may | Flag.ASK_ANYWAY)]
    if verb == "perform":
        return [_choose(cards, Act.PERFORM, Flag.NEW_IN_CHAIN)]
    if verb == "perform aside":
        closing = [Op.CLOSE, _PLACES[step.place]]
        return [_choose(cards, Act.ASIDE), [Op.PERFORM_PICKED], closing]
    if verb == "turn up and perform":
        return [_choose(cards, Act.TURN), [Op.PERFORM_PICKED]]
    if verb == "turn up or look":
        assert cards is not None
        return [[Op.MANNER, cards.where, cards.of], _choose(cards, Act.MANNER)]
    if verb == "move elsewhere":
        return [_choose(cards, Act.PICK, may | Flag.MOVABLE), [Op.RECEIVER]]
    if verb == "pick player":
        return [[Op.PLAYER, -1 if cards is None else cards.where, step.by]]
    if verb == "name faction":
        assert cards is not None
        return [[Op.FACTION, cards.where, cards.of]]
    if verb == "discard all":
        assert cards is not None
        return [[Op.SWEEP, 0, 0, cards.faction]]
    if verb.startswith("random "):
        assert cards is not None
        return [[Op.RANDOM, cards.where, 0, 0, 0, _VERBS[verb.removeprefix("random ")]]]
    if verb == "draw":
        if step.place == "harbor":
            return [[Op.DRAW_HARBOR, step.count]]
        return [[Op.LIFT, _PLACES[step.place], step.count]]
    plain = {
        "rest": [Op.REST, _PLACES.get(step.place, 0)],
        "draw from either pile": [Op.PILE, step.count],
        "restock": [Op.RESTOCK],
        "show wilderness top": [Op.SHOW],
        "perform graveyard top": [Op.PERFORM_TOP],
        "everybody else: discard": [Op.EACH],
        "hand over": [Op.HAND_OVER],
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
    setup = [Op.LEADERS, Op.REFILL, Op.FIRST, Op.DEAL, Op.HIDE]
    turn = [Op.ACTION, Op.MORE, Op.DRAW, Op.TRIM, Op.REFILL, Op.TURN_END]
    rows = [[op] for op in setup + turn]
    starts: list[int] = []
    shifts: list[Shift] = []
    for hero in HEROES:
        starts.append(len(rows) * ROW)
        for step in hero.steps:
            rows.extend(_rows(step, shifts))
        rows.append([Op.END])
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
