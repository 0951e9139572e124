"""Tables with a title and notes, as text for a terminal or as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Final

from tabulate import tabulate

WIDTH: Final = 80
"""Columns of the narrowest terminal that tables are made for."""
MOST_NAME: Final = 20
"""Longer names are cut in tables."""
_LEAST_NAME: Final = 8


def short_name(name: str, most: int = MOST_NAME) -> str:
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
        """The table with wide gaps, with narrow gaps, or with shorter names."""
        names = {i for i, header in enumerate(self.headers) if header in ("", "bot")}
        rows = [
            [short_name(cell) if i in names else cell for i, cell in enumerate(row)]
            for row in self.rows
        ]
        gap = 2
        if self._width(rows, gap) > WIDTH:
            gap = 1
        most = MOST_NAME
        while self._width(rows, gap) > WIDTH and names and most > _LEAST_NAME:
            most -= 1
            rows = [
                [short_name(cell, most) if i in names else cell for i, cell in enumerate(row)]
                for row in self.rows
            ]
        widths = self._widths(rows)
        rule = ["-" * width for width in widths]
        return [
            (" " * gap)
            .join(
                cell.ljust(width) if i in names or not i else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            .rstrip()
            for row in (self.headers, rule, *rows)
        ]

    def _widths(self, rows: Sequence[Sequence[str]]) -> list[int]:
        return [max(map(len, column)) for column in zip(self.headers, *rows, strict=True)]

    def _width(self, rows: Sequence[Sequence[str]], gap: int) -> int:
        widths = self._widths(rows)
        return sum(widths) + gap * (len(widths) - 1)
