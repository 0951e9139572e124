"""What several tables have in common: the table as somebody sees it who cannot tell them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from games.picture import BACK, TablePicture

UNSURE = "?"
"""Stands for words that differ."""


def common_table(tables: Sequence[TablePicture]) -> TablePicture:
    """The table with cards face down, and words left out, where these tables differ."""
    common: TablePicture = _common(list(tables))
    return common


def _common(values: list[Any]) -> Any:
    """The same for any part of the tables; all have the same structure."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if isinstance(first, dict):
        merged = {key: _common([value[key] for value in values]) for key in first}
        if "role" in first and merged["role"] == UNSURE:
            merged["role"] = ""
        return merged
    if isinstance(first, list | tuple):
        shortest = min(map(len, values))
        return [_common([value[i] for value in values]) for i in range(shortest)]
    return _common_words(values) if isinstance(first, str) else BACK


def _common_words(texts: list[str]) -> str:
    """What all begin with and what all end with, and a question mark between the two."""
    split = [re.split(r"(\W+)", text) for text in texts]
    start = _shared(split)
    rest = [words[len(start) :][::-1] for words in split]
    end = _shared(rest)[::-1]
    return "".join([*start, UNSURE, *end])


def _shared(lists: list[list[str]]) -> list[str]:
    """The words with which all lists begin."""
    shared = []
    for words in zip(*lists, strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return shared


def with_backs(table: TablePicture, cards: frozenset[int]) -> TablePicture:
    """The table with these cards of seats face down."""
    if not cards:
        return table
    hidden: TablePicture = {
        **table,
        "seats": [
            {
                **seat,
                "rows": [
                    {**row, "cards": [BACK if card in cards else card for card in row["cards"]]}
                    for row in seat["rows"]
                ],
            }
            for seat in table["seats"]
        ],
    }
    return hidden
