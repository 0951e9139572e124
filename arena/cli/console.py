"""How commands print: wrapped text, tables, numbered choices, reports, JSON, progress."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from time import monotonic
from typing import IO, TYPE_CHECKING, Final, TextIO

import click
from tabulate import tabulate

from arena.cli import colour
from arena.cli.streams import write_or_drop
from arena.cli.verbosity import log_note, note, verbosity
from games.text_width import cells, cut

if TYPE_CHECKING:
    from arena.league.runner import LeagueProgress

JSON_VERSION: Final = 1
"""Of every JSON report: see docs/json.md."""
_ERASE: Final = "\r\x1b[K"
_BAR_NOTES: Final = 24
"""Columns around a progress bar, for its frame, percentage and time."""
_LEAST_BAR: Final = 8
_NARROW: Final = 8
"""No column of a table is made narrower than this."""


def line_width() -> int:
    """80 columns, or as many as a wider terminal has, but at most 100: longer lines read badly."""
    if sys.stdout is None or not sys.stdout.isatty():  # None: it is closed
        return 80
    return min(max(shutil.get_terminal_size().columns, 80), 100)


def wrap(text: str, indent: int = 0) -> str:
    """Each line of the text wrapped to the line width, its continuation lines indented."""
    return "\n".join(
        textwrap.fill(
            line,
            line_width(),
            subsequent_indent=" " * indent,
            break_on_hyphens=False,
            break_long_words=False,  # a path can still be copied
        )
        for line in text.splitlines()
    )


def wrap_prose(report: str, indent: int = 4) -> str:
    """A report wrapped, except what is there to be copied: code and commands."""
    return "\n".join(
        line if line.startswith((" " * 4, "next: arena")) or not line else wrap(line, indent)
        for line in report.splitlines()
    )


def numbered(texts: Sequence[str], hints: Sequence[str] = ()) -> str:
    """Choices with numbers: each with its hint below it, or more than eight in two columns."""
    lines = [f"{number:3}  {text}" for number, text in enumerate(texts, 1)]
    if any(hints):
        margin = " " * 7
        indented = textwrap.TextWrapper(line_width(), margin, margin)
        pairs = zip(lines, map(indented.wrap, hints), strict=True)
        return "\n".join("\n".join([line, *hint]) for line, hint in pairs)
    half = (len(lines) + 1) // 2
    width = max(map(len, lines)) + 2
    if len(lines) <= 8 or 2 * width > line_width():
        return "\n".join(lines)
    columns = zip_longest(lines[:half], lines[half:], fillvalue="")
    return "\n".join(f"{left:{width}}{right}".rstrip() for left, right in columns)


def format_table(
    rows: Sequence[Sequence[object]],
    headers: Sequence[str],
    *,
    numbers: bool = False,
    align: Sequence[str] | None = None,
) -> str:
    """A table that fits the line: where it is too wide, cells of its widest columns are wrapped.

    With `numbers`, cells that read as numbers are aligned as numbers.
    """
    return tabulate(
        rows,
        headers=headers,
        disable_numparse=not numbers,
        maxcolwidths=_column_widths(rows, headers) if rows else None,
        colalign=align,
    )


def _column_widths(rows: Sequence[Sequence[object]], headers: Sequence[str]) -> list[int | None]:
    """How wide cells may be, None for any width: the last column is wrapped first.

    Words are broken only where whole ones do not fit.
    """
    # tabulate makes a column two wider than its header, and puts two blanks between columns.
    least = [_width([header]) + 2 for header in headers]
    widths = [
        max(_width(column), low) for column, low in zip(zip(*rows, strict=True), least, strict=True)
    ]
    excess = sum(widths) + 2 * (len(widths) - 1) - line_width()
    limits: list[int | None] = [None] * len(widths)
    last = len(widths) - 1
    narrow = [max(low, _NARROW) for low in least]
    columns = zip(*rows, strict=True)
    whole = [max(low, _longest_word(column)) for low, column in zip(narrow, columns, strict=True)]
    for floors in (whole, narrow):
        while excess > 0:
            spare = [width - floor for width, floor in zip(widths, floors, strict=True)]
            column = last
            if widths[last] <= line_width() // 4 or spare[last] <= 0:
                column = max(range(len(widths)), key=lambda each: spare[each])
            if spare[column] <= 0:
                break
            widths[column] -= 1
            limits[column] = widths[column]
            excess -= 1
    return limits


def _longest_word(column: Sequence[object]) -> int:
    """The widest word of its cells; names of bots can be longer than any word, and are broken."""
    words = (word for cell in column for word in re.split(r"\s|(?<=-)", str(cell)))
    return max((len(word) for word in words if len(word) <= line_width() // 4), default=0)


def _width(column: Sequence[object]) -> int:
    return max(len(line) for cell in column for line in str(cell).split("\n"))


def show_report(report: str, file: IO[str] | None = None) -> None:
    """Print what a command has found, in colour on a terminal."""
    colour.echo(colour.paint(report), file=file)


def show_json(command: str, fields: Mapping[str, object], file: IO[str] | None = None) -> None:
    """Print the report of a command as JSON, with the name and version of its format."""
    report = {"format": f"arena-{command}", "version": JSON_VERSION, **fields}
    click.echo(json_text(report), file=file)


def json_text(value: object) -> str:
    return json.dumps(value, indent=2)


class StatusLine:
    """A line that is rewritten in place on a terminal; not shown elsewhere, nor with -q."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.live = stream.isatty() and not verbosity().quiet
        self.drawn = ""
        self._drawn_at = 0.0

    @property
    def due(self) -> bool:
        """Whether it is time to redraw: five times a second is enough."""
        return self.live and monotonic() - self._drawn_at >= 0.2

    def draw(self, text: str) -> None:
        if self.live:
            self._drawn_at = monotonic()
            self.drawn = cut(text, shutil.get_terminal_size().columns - 1)
            self.write(_ERASE + self.drawn)

    def clear(self) -> None:
        if self.drawn:
            self.drawn = ""
            self.write(_ERASE)

    def write(self, text: str) -> None:
        write_or_drop(self.stream, text)


@contextmanager
def progress_bar(steps: int, label: str) -> Iterator[Callable[[int], object]]:
    """A bar on stderr that fits the terminal, not with -q; call it with the steps done."""
    columns = shutil.get_terminal_size().columns
    label = cut(label, columns - _BAR_NOTES - _LEAST_BAR)
    width = min(36, columns - _BAR_NOTES - cells(label))
    hidden = verbosity().quiet
    with click.progressbar(
        length=steps, label=label, width=width, file=sys.stderr, hidden=hidden
    ) as bar:
        yield bar.update


class SearchProgress:
    """How far a solver has come, on stderr: rewritten in place, or a line every two seconds."""

    def __init__(self, on_interrupt: str) -> None:
        self.on_interrupt = on_interrupt
        self.found: Callable[[], str] = str
        """What is known so far, in words."""
        self.line = StatusLine(sys.stderr)
        self.began = self.shown = monotonic()

    def show(self, nodes: int) -> None:
        now = monotonic()
        if now - self.shown < 2 and not (self.line.drawn and self.line.due):
            return
        self.shown = now
        text = f"{nodes} positions, {now - self.began:.0f} s; Ctrl-C {self.on_interrupt}"
        if found := self.found():
            text = f"{found}; {text}"
        if self.line.live:
            self.line.draw(text)
        else:
            note(text)


class LeagueDisplay:
    """Progress of a league and log lines on one stream, without overwriting each other."""

    def __init__(self, stream: TextIO) -> None:
        self._line = StatusLine(stream)
        self._quiet = verbosity().quiet
        self._began = self._shown = monotonic()
        self._first: int | None = None
        self._last = ""
        self._lock = threading.Lock()  # log lines come from another thread

    def show(self, progress: LeagueProgress) -> None:
        """Redraw if it is time to; where nothing can be redrawn, a line every ten seconds."""
        if self._first is None:
            self._first = progress.done
        now = monotonic()
        due = self._line.due if self._line.live else now - self._shown >= 10
        if not due and (progress.open_ended or progress.done < progress.total):
            return
        self._shown = now
        text = progress_line(progress, progress.done - self._first, now - self._began)
        with self._lock:
            if self._line.live:
                full = 20 * progress.done // max(1, progress.total)
                self._line.draw(f"[{'#' * full}{'-' * (20 - full)}] {text}")
            elif text != self._last and not self._quiet:
                self._last = text
                self._line.write(text + "\n")

    def note(self, text: str) -> None:
        """Tell something besides the result, above the progress bar; not with -q."""
        log_note(text)
        if not self._quiet:
            self.say(text)

    def say(self, text: str) -> None:
        """Print a line above the progress bar."""
        with self._lock:
            erase = _ERASE if self._line.live else ""
            self._line.write(f"{erase}{text}\n{self._line.drawn}")

    def close(self) -> None:
        """Leave the bar where it is and the cursor below it."""
        with self._lock:
            if self._line.drawn:
                self._line.drawn = ""
                self._line.write("\n")


def progress_line(progress: LeagueProgress, played: int, seconds: float) -> str:
    """Games done, games per second, time left, and the leading bots.

    `played` games were played in these seconds; a resumed league had others done before.
    """
    parts = [f"{progress.done}/{progress.total} games"]
    parts += [progress.status] if progress.status else []
    if played:
        rate = played / max(seconds, 1e-6)
        parts.append(_rate_text(rate))
        remaining = (progress.total - progress.done) / rate
        left = round(remaining if progress.seconds_left is None else progress.seconds_left())
        if progress.seconds_left or not progress.status:  # else nobody knows
            parts.append(f"{left // 60}:{left % 60:02d} left")
    leaders = [f"{name} {share:.0%}" for name, share in progress.leaders()[:3]]
    return ", ".join(parts) + ("; wins: " + ", ".join(leaders) if progress.seats else "")


def _rate_text(rate: float) -> str:
    """Games per second, or per minute where those would be 0.0."""
    if rate < 0.1:
        return f"{60 * rate:.1f}/min"
    return f"{rate:.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
