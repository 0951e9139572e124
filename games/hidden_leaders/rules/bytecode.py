"""The heroes' lines compiled into rows of integers, which the interpreter runs."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.hidden_leaders.rules.card_language import Shift
from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import (
    ALL_FACTIONS,
    EMPIRE,
    TRIBES,
    UNDEAD,
    WATER,
    Move,
)
from games.hidden_leaders.rules.opcodes import MarkRow, Op, Row
from games.hidden_leaders.rules.verbs import verb_of


def ints(values: list[int]) -> vec[i64]:
    packed = vec[i64]()
    for value in values:
        packed = append(packed, value)
    return packed


# Imagined tables have stand-ins for cards that a seat does not see. They are numbered like heroes.
_STAND_IN_COUNT: Final = Move.DISCARD - len(HEROES)

BLANK: Final = len(HEROES)
"""A card without faction and ability: stands for any unknown one."""
NUMBERED: Final = BLANK + 1
NUMBERED_CARDS: Final = 24
"""NUMBERED + k: like BLANK, but told apart."""
REVEALED: Final = NUMBERED + NUMBERED_CARDS
REVEALED_PER_KIND: Final = 4
"""REVEALED + REVEALED_PER_KIND * k + i: a card of which only the factions are known, the k-th of
REVEALED_FACTIONS."""
REVEALED_FACTIONS: Final = (0, UNDEAD, WATER, EMPIRE, TRIBES, ALL_FACTIONS)


def _factions() -> list[int]:
    """By card number."""
    factions = [hero.faction for hero in HEROES] + [0] * (1 + NUMBERED_CARDS)
    for kind in REVEALED_FACTIONS:
        factions += [kind] * REVEALED_PER_KIND
    return factions + [0] * (Move.DISCARD - len(factions))


def _compile() -> tuple[list[list[int]], list[int], list[Shift]]:
    """All rows, where in the program each hero starts, and the shifts of the marker phrases."""
    setup = [Op.LEADERS, Op.REFILL, Op.FIRST, Op.DEAL, Op.HIDE]
    turn = [Op.ACTION, Op.MORE, Op.DRAW, Op.TRIM, Op.REFILL, Op.TURN_END]
    rows = [[op] for op in setup + turn]
    starts: list[int] = []
    shifts: list[Shift] = []
    for hero in HEROES:
        starts.append(len(rows) * Row.SIZE)
        for step in hero.steps:
            for row in verb_of(step).rows(step):
                if row[Row.OP] == Op.MARK:
                    row[MarkRow.FIRST] = len(shifts)
                    shifts.extend(step.shifts)
                rows.append(row)
        rows.append([Op.END])
    starts += [(len(rows) - 1) * Row.SIZE] * _STAND_IN_COUNT
    return rows, starts, shifts


_ROWS, _STARTS, _SHIFTS = _compile()
PROGRAM: Final[vec[i64]] = ints(
    [number for row in _ROWS for number in row + [0] * (Row.SIZE - len(row))]
)
"""Row after row; see Row and MarkRow for the columns."""
START: Final[vec[i64]] = ints(_STARTS)
"""Where in PROGRAM each hero's rows begin, and those of stand-ins, which do nothing."""
SHIFTS: Final[vec[i64]] = ints(
    [
        number
        for shift in _SHIFTS
        for number in (shift.red, shift.green, shift.leading, shift.trailing, shift.condition)
    ]
)
"""The alternatives of all marker phrases; see ShiftRow for the columns."""

SETUP_START: Final = 0
TURN_START: Final = 40  # five rows of Row.SIZE: setup

FACTION_OF: Final[vec[i64]] = ints(_factions())
SUPPORTS: Final[vec[i64]] = ints([leader.factions for leader in LEADERS])
