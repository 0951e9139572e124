"""Walks through a saved game in the terminal with the arrow keys."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

from arena.match.game_view import GameView
from games.errors import GameError

try:
    import termios
    import tty
except ImportError:  # not on Windows
    termios = None  # type: ignore[assignment]

_KEYS: Final = {
    b"\x1b[D": "back", b"\x1bOD": "back", b"h": "back",
    b"\x1b[C": "next", b"\x1bOC": "next", b"l": "next", b" ": "next", b"\r": "next", b"\n": "next",
    b"\x1b[A": "up", b"\x1bOA": "up", b"k": "up",
    b"\x1b[B": "down", b"\x1bOB": "down", b"j": "down",
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
_FOOT: Final = "left/right: one move   page up/down: ten   home/end   up/down: scroll   q: quit"
_REST_OF_KEY: Final = 0.05
"""Seconds within which a terminal sends the rest of a key that begins with Escape."""
_LOOK_UP: Final = 0.5
"""Seconds after which waiting for a key starts anew. A signal that comes just before waiting begins
does not interrupt it, so its handler would run only after the next key."""


def step_through(shown: GameView, header: Sequence[str], at: int) -> None:
    """Show the table after `at` moves and go where the keys lead, until the reader quits."""
    if termios is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise GameError("--step needs a terminal; use --at N to see one table")
    top = 0
    with _whole_screen():
        while True:
            top = _draw(screen(shown, header, at), top)
            key = _KEYS.get(_read_key(), "")
            if key == "quit":
                return
            if key in ("up", "down"):
                top += 1 if key == "down" else -1
            elif key:
                at, top = _moved(key, at, shown.length), 0


def screen(shown: GameView, header: Sequence[str], at: int) -> list[str]:
    """The lines of one moment: when it is, the last move, the table, and the game's header."""
    lines = [shown.moment(at)]
    if at:
        lines.append(f"Move {at}: {shown.moves[at - 1].line}")
    lines += ["", *shown.table(at).splitlines(), ""]
    return [*lines, *header]


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
    ending = (signal.SIGTERM, signal.SIGHUP)
    handlers = {number: signal.signal(number, _leave) for number in ending}
    try:
        tty.setraw(keyboard, termios.TCSADRAIN)
        sys.stdout.write(_ENTER_SCREEN)
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
        sys.stdout.write(_LEAVE_SCREEN)
        sys.stdout.flush()
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    """A signal that ends the process must not leave the terminal unusable."""
    raise SystemExit(128 + number)


def _draw(lines: Sequence[str], top: int) -> int:
    """Draw what fits from line `top` on, and the keys; returns `top`, moved to where lines are."""
    columns, rows = shutil.get_terminal_size()
    fitted = [part for line in lines for part in textwrap.wrap(line, columns) or [""]]
    room = max(rows - 1, 1)
    top = max(min(top, len(fitted) - room), 0)
    shown = fitted[top : top + room]
    shown += [""] * (room - len(shown))
    sys.stdout.write(_CLEAR + "\r\n".join([*shown, _FOOT[:columns]]))
    sys.stdout.flush()
    return top


def _read_key() -> bytes:
    """The next key as the terminal sends it; nothing if the terminal is gone."""
    keyboard = sys.stdin.fileno()
    while not select.select([keyboard], [], [], _LOOK_UP)[0]:
        pass
    key = os.read(keyboard, 1)
    while key.startswith(b"\x1b") and key not in _KEYS and len(key) < 8:
        if not select.select([keyboard], [], [], _REST_OF_KEY)[0]:
            break
        key += os.read(keyboard, 1)
    return key
