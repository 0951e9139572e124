"""Tables with a title and notes, as text for a terminal or as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Final

from tabulate import tabulate

WIDTH: Final = 80
"""Columns of the narrowest terminal that tables are made for."""
NAME_WIDTH: Final = 20
"""Longer names are cut in tables."""
_LEAST_NAME: Final = 8
_NAME: Final = "bot"  # the header of a column of names


def short_name(name: str, most: int = NAME_WIDTH) -> str:
    """The name, cut in the middle if it is long: names often differ at the end."""
    if len(name) <= most:
        return name
    tail = most // 2
    return f"{name[: most - tail - 1]}…{name[-tail:]}"


@dataclass(frozen=True)
class TextTable:
    """A table with a title and a foot."""

    title: str
    headers: list[str]
    rows: list[list[str]]
    foot: tuple[str, ...] = ()
    """Paragraphs below the table."""

    def text(self) -> str:
        """At most `WIDTH` wide, if the columns can be made to fit."""
        foot = (fill(line, WIDTH, break_on_hyphens=False) for line in self.foot)
        return "\n".join(filter(None, (self.title, *self._lines(), *foot)))

    def markdown(self) -> str:
        body = tabulate(self.rows, self.headers, tablefmt="github", disable_numparse=True)
        return "\n\n".join(filter(None, (f"## {self.title}", body, *self.foot)))

    def _lines(self) -> list[str]:
        """The table with wide gaps, or if it does not fit with narrow ones and shorter names."""
        rows, gap = self._short(NAME_WIDTH), 2
        if self._width(rows, gap) > WIDTH:
            gap = 1
            lengths = range(NAME_WIDTH, _LEAST_NAME - 1, -1)
            fitting = (r for r in map(self._short, lengths) if self._width(r, gap) <= WIDTH)
            rows = next(fitting, rows)
        widths = self._widths(rows)
        rule = ["-" * width for width in widths]
        left = [not i or header == _NAME for i, header in enumerate(self.headers)]
        lines = []
        for row in (self.headers, rule, *rows):
            cells = [
                cell.ljust(width) if is_left else cell.rjust(width)
                for cell, width, is_left in zip(row, widths, left, strict=True)
            ]
            lines.append((" " * gap).join(cells).rstrip())
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
        return [max(map(len, column)) for column in zip(self.headers, *rows, strict=True)]

    def _width(self, rows: Sequence[Sequence[str]], gap: int) -> int:
        widths = self._widths(rows)
        return sum(widths) + gap * (len(widths) - 1)
