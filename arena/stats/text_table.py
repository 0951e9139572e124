"""Tables with a title and notes, as text for a terminal or as Markdown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from tabulate import tabulate

from games.text_width import beginning, cells

WIDTH: Final = 80
"""Columns of the narrowest terminal that tables are made for."""
NAME_WIDTH: Final = 20
"""Longer names are cut in tables."""
_LEAST_NAME: Final = 8
_GAP: Final = 2  # columns between columns, where there is room
_NAME: Final = "bot"  # the header of a column of names


def short_name(name: str, most: int = NAME_WIDTH) -> str:
    """The name, cut in the middle if it is long: names often differ at the end."""
    if cells(name) <= most:
        return name
    tail = most // 2
    return f"{beginning(name, most - tail - 1)}…{beginning(name[::-1], tail)[::-1]}"


def _escaped(text: str) -> str:
    """Without tags, links, emphasis and borders of cells; our own notes have code in backticks."""
    return re.sub(r"[\\*\[<|]", r"\\\g<0>", text)


def _wrapped(text: str) -> list[str]:
    """The words of a paragraph in lines that fit; `textwrap` would count wide characters as one."""
    lines: list[str] = []
    for word in text.split():
        rest = word
        if lines and cells(f"{lines[-1]} {word}") <= WIDTH:
            lines[-1] += f" {word}"
            continue
        while rest:
            lines.append(beginning(rest, WIDTH))
            rest = rest[len(lines[-1]) :]
    return lines


@dataclass(frozen=True)
class TextTable:
    """A table with a title and a foot."""

    title: str
    headers: list[str]
    rows: list[list[str]]
    foot: tuple[str, ...] = ()
    """Paragraphs below the table."""

    def text(self) -> str:
        """At most `WIDTH` wide: columns that do not fit follow below, with the names again."""
        title = [self.title] if self.title else []
        foot = (part for line in self.foot for part in _wrapped(line))
        return "\n".join([*title, *self._lines(), *foot])

    def without_foot(self) -> str:
        return replace(self, foot=()).text()

    def fits(self) -> bool:
        """Whether all columns fit next to each other."""
        return self._layout() is not None

    def markdown(self) -> str:
        """Names and what bots said when they failed are shown as they are, not as markup."""
        rows = [[*map(_escaped, row)] for row in self.rows]
        headers = [*map(_escaped, self.headers)]
        body = tabulate(rows, headers, tablefmt="github", disable_numparse=True)
        return "\n\n".join(filter(None, (f"## {self.title}", body, *map(_escaped, self.foot))))

    def _lines(self) -> list[str]:
        """The table as a whole if it fits, otherwise in parts with an empty line between them."""
        if (layout := self._layout()) is not None:
            return self._drawn(*layout, range(len(self.headers)))
        rows = self._short(NAME_WIDTH)
        lines: list[str] = []
        for columns in self._parts(rows):
            own = columns[self._names() :]
            filled = [row for row in rows if any(row[column] for column in own)]
            lines += [*([""] if lines else []), *self._drawn(filled, _GAP, columns)]
        return lines

    def _names(self) -> int:
        """How many columns on the left say what a row is about."""
        return self.headers.index(_NAME) + 1 if _NAME in self.headers else 1

    def _layout(self) -> tuple[list[list[str]], int] | None:
        """Rows and gap of the whole table: wide gaps, or narrow ones and shorter names."""
        lengths = range(NAME_WIDTH, _LEAST_NAME - 1, -1)
        for gap, most in ((_GAP, NAME_WIDTH), *((1, length) for length in lengths)):
            rows = self._short(most)
            if self._width(self._widths(rows), gap) <= WIDTH:
                return rows, gap
        return None

    def _parts(self, rows: Sequence[Sequence[str]]) -> list[list[int]]:
        """Columns that fit next to each other; those that name the rows are in every part."""
        widths, first = self._widths(rows), self._names()
        names, others = [*range(first)], [*range(first, len(widths))]
        for count in range(1, len(others) + 1):
            size = ceil(len(others) / count)
            parts = [names + others[i : i + size] for i in range(0, len(others), size)]
            if all(self._width([widths[i] for i in part], _GAP) <= WIDTH for part in parts):
                return parts
        return [[*names, column] for column in others] or [names]  # one is wider than a line

    def _drawn(self, rows: Sequence[Sequence[str]], gap: int, columns: Sequence[int]) -> list[str]:
        """Headers, a rule and the rows, with these columns."""
        widths = self._widths(rows)
        rule = ["-" * width for width in widths]
        lines = []
        for row in (self.headers, rule, *rows):
            padded = []
            for i in columns:
                pad = " " * (widths[i] - cells(row[i]))
                is_left = not i or self.headers[i] == _NAME
                padded.append(row[i] + pad if is_left else pad + row[i])
            lines.append((" " * gap).join(padded).rstrip())
        return lines

    def _short(self, most: int) -> list[list[str]]:
        """The rows with the names of bots cut to this length."""
        return [
            [
                short_name(cell, most) if header == _NAME else cell
                for header, cell in zip(self.headers, row, strict=True)
            ]
            for row in self.rows
        ]

    def _widths(self, rows: Sequence[Sequence[str]]) -> list[int]:
        columns = zip(self.headers, *rows, strict=True)
        return [max(map(cells, column)) for column in columns]

    @staticmethod
    def _width(widths: Sequence[int], gap: int) -> int:
        return sum(widths) + gap * (len(widths) - 1)
