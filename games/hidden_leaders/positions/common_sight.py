"""What worlds that a seat cannot tell apart have in common: a table to draw, doubts in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT
from games.hidden_leaders.text.board import card_name, leader_name
from games.seats import seat_name
from games.state import UNSEEN, State

_MOST_NAMED: Final = 12
"""Cards that a sentence lists, at most."""
_PARTS: Final = (
    (Zone.HAND, "hand", "card", "cards"),
    (Zone.OPEN, "open", "open hero", "open heroes"),
    (Zone.HIDDEN, "hidden", "hidden hero", "hidden heroes"),
)


def agreed_table(states: Sequence[State], idle: frozenset[int]) -> HiddenLeaders:
    """The table with everything unseen that differs between the states, and these cards."""
    tables = _tables(states)
    first = tables[0]
    table = first.copy()
    for seat in range(first.players):
        if len({each.leader(seat) for each in tables}) > 1:
            table.assume_role(seat, UNSEEN)
    for zone in range(Zone.COUNT):
        for i, card in enumerate(_agreed(tables, zone)):
            table.m[AT[zone] + i] = UNSEEN if card in idle else card
    return table


def _agreed(tables: Sequence[HiddenLeaders], zone: int) -> list[int]:
    """The cards of a zone; UNSEEN where the tables differ."""
    rows = [table.cards(zone) for table in tables]
    if Zone.HAND <= zone < Zone.HIDDEN:  # hands and open heroes have no order
        common = sorted(set(rows[0]).intersection(*rows[1:]))
        return common + [UNSEEN] * (len(rows[0]) - len(common))
    return [
        card if all(i < len(row) and row[i] == card for row in rows) else UNSEEN
        for i, card in enumerate(rows[0])
    ]


def doubts(states: Sequence[State], idle: frozenset[int]) -> list[str]:
    """What the seat does not know, one sentence for each place, with what it may be."""
    tables = _tables(states)
    sentences: list[str] = []
    for seat in range(tables[0].players):
        leaders = sorted({int(table.leader(seat)) for table in tables})
        if len(leaders) > 1:
            names = _listed(map(leader_name, leaders), "or")
            sentences.append(f"{seat_name(seat)}'s leader is {names}.")
        for zone, part, one, many in _PARTS:
            words = _part_doubts(tables, zone + seat, idle, part, one, many)
            sentences += [f"{seat_name(seat)}'s {words}" for words in words]
    return sentences


def _part_doubts(
    tables: Sequence[HiddenLeaders], zone: int, idle: frozenset[int], part: str, one: str, many: str
) -> Iterator[str]:
    """The end of a sentence about unknown cards of a zone; nothing if all are known."""
    if idle & set(tables[0].cards(zone)):
        yield f"{part} is unknown, and does not matter."
        return
    unknown = _agreed(tables, zone).count(UNSEEN) if zone else 0
    if not unknown:
        return
    rows = [set(table.cards(zone)) for table in tables]
    possible = sorted(set().union(*rows) - rows[0].intersection(*rows[1:]))
    if len(possible) > _MOST_NAMED:
        yield f"{_counted(unknown, one, many)} could be any of {len(possible)} cards."
    elif unknown == 1:
        yield f"unknown {one} is {_listed(map(card_name, possible), 'or')}."
    else:
        names = _listed(map(card_name, possible), "and")
        yield f"{_counted(unknown, one, many)} are among {names}."


def _counted(count: int, one: str, many: str) -> str:
    return f"unknown {one}" if count == 1 else f"{count} unknown {many}"


def _listed(words: Iterable[str], join: str) -> str:
    *most, last = words
    return f"{', '.join(most)} {join} {last}" if most else last


def _tables(states: Sequence[State]) -> list[HiddenLeaders]:
    tables = []
    for state in states:
        assert isinstance(state, HiddenLeaders)
        tables.append(state)
    return tables
