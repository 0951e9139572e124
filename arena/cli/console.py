"""Shows how a league is getting on: a line that renews itself, or a line now and then."""

from __future__ import annotations

import logging
import shutil
import threading
from time import monotonic
from typing import Final, TextIO

from arena.league.runner import LeagueProgress

REDRAW: Final = 0.2
"""Seconds between two looks of a terminal."""

PLAIN: Final = 10.0
"""Seconds between two lines where nothing can be redrawn."""

WIDTH: Final = 20
ERASE: Final = "\r\x1b[K"


class Display:
    """Progress and log lines on one stream, without getting into each other's way."""

    def __init__(self, derive_seed: TextIO) -> None:
        self.derive_seed = derive_seed
        self.live = derive_seed.isatty()
        self._began = monotonic()
        self._shown = self._began - (PLAIN if self.live else 0.0)
        self._first: int | None = None
        self._drawn = ""
        self._lock = threading.Lock()

    def show(self, progress: LeagueProgress) -> None:
        """Draw again, if it is time to."""
        if self._first is None:
            self._first = progress.done
        now = monotonic()
        due = now - self._shown >= (REDRAW if self.live else PLAIN)
        if not due and progress.done < progress.total:
            return
        self._shown = now
        words = describe(progress, progress.done - self._first, now - self._began)
        with self._lock:
            if self.live:
                columns = shutil.get_terminal_size().columns
                self._drawn = f"{bar(progress)} {words}"[: columns - 1]
                self._write(ERASE + self._drawn)
            elif words != self._drawn:
                self._drawn = words
                self._write(words + "\n")

    def say(self, words: str) -> None:
        """A line of its own, above the bar."""
        with self._lock:
            self._write(f"{ERASE}{words}\n{self._drawn}" if self.live else f"{words}\n")

    def close(self) -> None:
        """Leave the cursor at the beginning of a line."""
        with self._lock:
            if self.live and self._drawn:
                self._write("\n")
                self._drawn = ""

    def _write(self, text: str) -> None:
        self.derive_seed.write(text)
        self.derive_seed.flush()


class LogLines(logging.Handler):
    """Log records, the workers' too, as lines of a display."""

    def __init__(self, display: Display) -> None:
        super().__init__(logging.INFO)
        self.display = display

    def emit(self, record: logging.LogRecord) -> None:
        self.display.say(f"{record.levelname.lower()}: {record.getMessage()}")


def bar(progress: LeagueProgress) -> str:
    full = WIDTH * progress.done // max(1, progress.total)
    return f"[{'#' * full}{'-' * (WIDTH - full)}]"


def describe(progress: LeagueProgress, fresh: int, seconds: float) -> str:
    """Games done, how fast, how long it will take, and who leads."""
    words = [f"{progress.done}/{progress.total} games"]
    if fresh:
        rate = fresh / max(seconds, 1e-6)
        words.append(f"{rate:.0f}/s" if rate >= 10 else f"{rate:.1f}/s")
        left = round((progress.total - progress.done) / rate)
        words.append(f"{left // 60}:{left % 60:02d} left")
    leaders = [f"{name} {share:.0%}" for name, share in progress.leaders()[:3]]
    return ", ".join(words) + ("; wins: " + ", ".join(leaders) if progress.seats else "")
