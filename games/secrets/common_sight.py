"""What worlds that a seat cannot tell apart have in common: a table to draw, doubts in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import factorial, prod

from games.secrets.constants import BULLETS, CENTRE, SIDE_NAMES
from games.secrets.moves import bullet_text, character_name, place_name
from games.secrets.state import Secrets
from games.secrets.table import BOTTOM, FACELESS, SHOT, TOKENS
from games.state import UNSEEN, State


def agreed_table(states: Sequence[State]) -> Secrets:
    """The table with everything unseen that differs between the states."""
    tables = _tables(states)
    table = tables[0].copy()
    for place in _unsure_places(tables):
        table.m[TOKENS + place] = UNSEEN
    for seat in range(table.players):
        masks = [int(each.m[SHOT + seat]) for each in tables]
        common = masks[0]
        for mask in masks:
            common &= mask
        table.m[SHOT + seat] = common
        table.m[FACELESS + seat] += masks[0].bit_count() - common.bit_count()
    for i in range(table.bottom):
        if len({each.m[BOTTOM + i] for each in tables}) > 1:
            table.m[BOTTOM + i] = UNSEEN
    if len({each.offered for each in tables}) > 1:
        table.offered = UNSEEN
    return table


def doubts(states: Sequence[State]) -> list[str]:
    """What the seat does not know, with what it may be."""
    return [*_token_doubts(tables := _tables(states)), *_card_doubts(tables)]


def _token_doubts(tables: Sequence[Secrets]) -> Iterator[str]:
    unsure = _unsure_places(tables)
    if not unsure:
        return
    deals = {tuple(table.token(place) for place in unsure) for table in tables}
    counts = Counter(next(iter(deals)))
    tokens = _listed([f"{count} {SIDE_NAMES[side]}" for side, count in sorted(counts.items())])
    places = _listed([place_name(place) for place in unsure])
    all_ways = factorial(len(unsure)) // prod(map(factorial, counts.values()))
    if any(Counter(deal) != counts for deal in deals):  # tokens moved unseen
        yield f"The tokens of {places} are unknown; {len(deals)} ways are possible."
    elif len(deals) == all_ways:
        yield f"The tokens of {places} are {tokens}, in any order."
    else:
        yield f"The tokens of {places} are {tokens}; {len(deals)} orders are possible."


def _card_doubts(tables: Sequence[Secrets]) -> Iterator[str]:
    for seat in range(tables[0].players):
        masks = {int(table.m[SHOT + seat]) for table in tables}
        if len(masks) > 1:
            options = sorted({k for mask in masks for k in range(BULLETS) if mask >> k & 1})
            values = _listed([bullet_text(k) for k in options], "or")
            yield f"{place_name(seat)} has Bullets whose values you do not know: {values}."
    offers = sorted({int(table.offered) for table in tables})
    if len(offers) > 1:
        names = _listed([character_name(offer) for offer in offers], "or")
        yield f"The card on offer is one of two: {names}."


def _unsure_places(tables: Sequence[Secrets]) -> list[int]:
    """The seats, and the centre, whose token is not the same in all tables."""
    places = [*range(tables[0].players), CENTRE]
    return [place for place in places if len({table.token(place) for table in tables}) > 1]


def _listed(words: Sequence[str], join: str = "and") -> str:
    *most, last = words
    return f"{', '.join(most)} {join} {last}" if most else last


def _tables(states: Sequence[State]) -> list[Secrets]:
    tables = []
    for state in states:
        assert isinstance(state, Secrets)
        tables.append(state)
    return tables
