"""Walks through a saved game in the terminal with the arrow keys."""

from __future__ import annotations

import os
import select
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from arena.match.game_view import GameView
from games.errors import GameError

try:
    import termios
    import tty
except ImportError:  # not on Windows
    termios = None  # type: ignore[assignment]

_KEYS: Final = {
    b"\x1b[D": "back", b"\x1bOD": "back", b"h": "back", b"\x1b[A": "back", b"\x1bOA": "back",
    b"\x1b[C": "next", b"\x1bOC": "next", b"l": "next", b" ": "next", b"\r": "next", b"\n": "next",
    b"\x1b[B": "next", b"\x1bOB": "next",
    b"\x1b[H": "first", b"\x1bOH": "first", b"\x1b[1~": "first", b"g": "first",
    b"\x1b[F": "last", b"\x1bOF": "last", b"\x1b[4~": "last", b"G": "last",
    b"\x1b[5~": "page back", b"\x1b[6~": "page next",
    b"q": "quit", b"Q": "quit", b"\x03": "quit", b"\x04": "quit", b"": "quit",
}  # fmt: skip
"""What a terminal sends for a key; nothing if it is closed."""
_PAGE: Final = 10
_ENTER_SCREEN: Final = "\x1b[?1049h\x1b[?25l"
_LEAVE_SCREEN: Final = "\x1b[?25h\x1b[?1049l"
_CLEAR: Final = "\x1b[H\x1b[2J"
_FOOT: Final = "left/right: one move   page up/down: ten   home/end   q: quit"
_REST_OF_KEY: Final = 0.05
"""Seconds within which a terminal sends the rest of a key that begins with Escape."""


def step_through(shown: GameView, header: Sequence[str], at: int) -> None:
    """Show the table after `at` moves and go where the keys lead, until the reader quits."""
    if termios is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise GameError("--step needs a terminal; use --at N to see one table")
    with _whole_screen():
        while True:
            _draw(screen(shown, header, at))
            key = _KEYS.get(_read_key(), "")
            if key == "quit":
                return
            at = _moved(key, at, shown.length)


def screen(shown: GameView, header: Sequence[str], at: int) -> list[str]:
    """The lines of one moment: what game it is, the last moves, the table, the keys."""
    lines = [header[0], shown.moment(at), ""]
    for move in shown.moves[max(0, at - 3) : at]:
        lines.append(f"{move.number:5}  {move.line}")
    if at == shown.length:
        lines += ["", *shown.result()]
    return [*lines, "", *shown.table(at).splitlines(), "", _FOOT]


def _moved(key: str, at: int, end: int) -> int:
    steps = {"back": -1, "next": 1, "page back": -_PAGE, "page next": _PAGE}
    if key in ("first", "last"):
        return 0 if key == "first" else end
    return min(max(at + steps.get(key, 0), 0), end)


@contextmanager
def _whole_screen() -> Iterator[None]:
    """Keys arrive one by one and nothing scrolls; restored whatever happens."""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setraw(keyboard, termios.TCSADRAIN)
        sys.stdout.write(_ENTER_SCREEN)
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
        sys.stdout.write(_LEAVE_SCREEN)
        sys.stdout.flush()


def _draw(lines: Sequence[str]) -> None:
    """As much as fits the terminal, with long lines wrapped; the last line is always shown."""
    columns, rows = shutil.get_terminal_size()
    *text, foot = lines
    fitted = [part for line in text for part in textwrap.wrap(line, columns) or [""]]
    del fitted[max(rows - 1, 0) :]
    shown = "\r\n".join([*fitted, foot[:columns]])
    sys.stdout.write(_CLEAR + shown)
    sys.stdout.flush()


def _read_key() -> bytes:
    """The next key as the terminal sends it; nothing if the terminal is gone."""
    keyboard = sys.stdin.fileno()
    key = os.read(keyboard, 1)
    while key.startswith(b"\x1b") and key not in _KEYS and len(key) < 8:
        if not select.select([keyboard], [], [], _REST_OF_KEY)[0]:
            break
        key += os.read(keyboard, 1)
    return key
