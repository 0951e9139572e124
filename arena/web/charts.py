"""Small charts as SVG, drawn without a script: dots with whiskers, and lines.

Every chart is drawn beside a table with the same numbers; its label says what it shows.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import Final

from arena.stats.text_table import short_name

_WIDTH: Final = 480
_WIDE: Final = (_WIDTH, 156, 20)
"""Of a chart: its width, the room for names, and the most characters of a name."""
_NARROW: Final = (400, 132, 16)
_FEW_MARKS: Final = 5
"""More than so many would touch each other on a narrow axis."""
_ROW: Final = 26
_TOP: Final = 26
_LINE_HEIGHT: Final = 224
_FLAT: Final = 1e-6
"""Values that differ by less are equal but for rounding."""
_LINES: Final = 8
"""Lines that styles tell apart."""
_LEAST: Final = 1e-6
"""The left end of an axis with powers of ten."""


@dataclass(frozen=True)
class Whisker:
    """A value with its interval, whose ends may be infinite."""

    name: str
    value: float
    low: float
    high: float


def whisker_chart(
    label: str,
    rows: Sequence[Whisker],
    reference: float | None,
    unit: str = "",
    log: bool = False,
    narrow: bool = False,
) -> str:
    """A dot with its interval for each row on one axis, and a line at the reference.

    With `log`, values are positive and the axis shows powers of ten. `narrow` is for charts that
    stand beside each other.
    """
    width, names, most = _NARROW if narrow else _WIDE
    values = [value for row in rows for value in (row.value, row.low, row.high)]
    ends = [value for value in (*values, reference) if value is not None and isfinite(value)]
    marks = log_axis(min(ends), max(ends)) if log else axis(min(ends), max(ends))
    first, last = _place(marks[0], log), _place(marks[-1], log)

    def x(value: float) -> float:
        inside = min(max(_place(value, log), first), last)
        return round(names + (width - names - 18) * (inside - first) / (last - first), 1)

    height = _TOP + _ROW * len(rows) + 22
    parts = [_open(label, height, width)]
    for mark in marks[:: 2 if narrow and len(marks) > _FEW_MARKS else 1]:
        parts.append(
            f'<line class="grid" x1="{x(mark)}" x2="{x(mark)}" y1="18" y2="{height - 20}"/>'
        )
        parts.append(_text(x(mark), height - 5, f"{mark:g}{unit}", "mark"))
    if reference is not None:
        middle = x(reference)
        parts.append(
            f'<line class="reference" x1="{middle}" x2="{middle}" y1="14" y2="{height - 20}"/>'
        )
    for place, row in enumerate(rows):
        y = _TOP + _ROW * place + 10
        parts.append(_text(names - 10, y + 5, short_name(row.name, most), "name"))
        parts.append(
            f'<line class="whisker" x1="{x(row.low)}" x2="{x(row.high)}" y1="{y}" y2="{y}"/>'
        )
        parts.append(_dot(row, x(row.value), y, unit))
    return "".join([*parts, "</svg>"])


def _place(value: float, log: bool) -> float:
    """Where a value is on the axis, before it is fitted to the width."""
    if not log or not isfinite(value):
        return value
    return log10(max(value, _LEAST))


def _dot(row: Whisker, x: float, y: float, unit: str) -> str:
    """The dot, with its numbers for the pointer and for programs."""
    low, high = (_rounded(end) if isfinite(end) else "?" for end in (row.low, row.high))
    words = html.escape(f"{row.name}: {_rounded(row.value)}{unit} ({low} to {high})")
    ends = {"value": row.value, "low": row.low, "high": row.high}
    data = " ".join(f'data-{name}="{end}"' for name, end in ends.items() if isfinite(end))
    return (
        f'<circle class="dot" cx="{x}" cy="{y}" r="5" data-name="{html.escape(row.name)}" {data}>'
        f"<title>{words}</title></circle>"
    )


def _rounded(value: float) -> str:
    """Three digits, but never less than the whole number."""
    return f"{value:.0f}" if abs(value) >= 99.95 else f"{value:.3g}"


def line_chart(
    label: str, lines: Sequence[tuple[str, Sequence[tuple[float, float]]]], horizontal: str
) -> str:
    """Lines over a common axis; `lines`: name and points of each."""
    points = [point for _, line in lines for point in line]
    marks = axis(min(y for _, y in points), max(y for _, y in points))
    right = max(x for x, _ in points)
    low, high = marks[0], marks[-1]
    bottom = _LINE_HEIGHT - 48

    def place(x: float, y: float) -> str:
        across = 44 + (_WIDTH - 60) * x / right
        return f"{across:.1f},{10 + (bottom - 10) * (high - y) / (high - low):.1f}"

    parts = [_open(label, _LINE_HEIGHT)]
    for mark in marks:
        y = place(0, mark).partition(",")[2]
        parts.append(f'<line class="grid" x1="44" x2="{_WIDTH - 16}" y1="{y}" y2="{y}"/>')
        parts.append(_text(38, float(y) + 5, f"{mark:g}", "name"))
    for mark in axis(0, right):
        if 0 < mark <= right:
            x = float(place(mark, low).partition(",")[0])
            parts.append(_text(x, bottom + 18, f"{mark:,.10g}", "mark"))
    for number, (_, line) in enumerate(lines):
        joined = " ".join(place(x, y) for x, y in line)
        parts.append(f'<polyline class="line line{number % _LINES}" points="{joined}"/>')
    parts.append(_text((_WIDTH + 28) / 2, _LINE_HEIGHT - 8, horizontal, "mark"))
    legend = "".join(
        f'<span class="key line{number % _LINES}">{html.escape(name)}</span>'
        for number, (name, _) in enumerate(lines)
    )
    return "".join([*parts, "</svg>", f'<p class="legend">{legend}</p>'])


def axis(low: float, high: float) -> list[float]:
    """About five round numbers that include both ends."""
    if high - low < _FLAT:
        low, high = low - 1, high + 1
    rough = (high - low) / 4
    power = 10 ** floor(log10(rough))
    step = power * min((1, 2, 5, 10), key=lambda factor: abs(factor * power - rough))
    first, last = floor(low / step), ceil(high / step)
    return [round(step * number, 10) for number in range(first, last + 1)]


def log_axis(low: float, high: float) -> list[float]:
    """Powers of ten around both ends, which are positive."""
    first = floor(log10(max(low, _LEAST)))
    last = max(first + 1, ceil(log10(max(high, _LEAST))))
    return [float(f"1e{power}") for power in range(first, last + 1)]


def _open(label: str, height: int, width: int = _WIDTH) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{html.escape(label)}">'
    )


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{html.escape(words)}</text>'
