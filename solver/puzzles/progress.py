"""A person's progress through the puzzles: a file of attempts, and the rating they add up to.

The file has one JSON object per line: first the format, then one attempt each. Attempts are only
ever appended, under a lock, so that a command and a server may share the file. If a write was cut
short, the half line at the end is dropped; other lines that are damaged stay, and do not count.
Rating, streak and marks follow from the attempts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from time import time
from typing import BinaryIO, Final

from games.errors import GameError
from solver.puzzles.glicko2 import Glicko

try:
    import fcntl
except ImportError:  # Windows: two programs that write at the same moment are not kept apart
    fcntl = None  # type: ignore[assignment]

_FORMAT: Final = "arena-puzzle-progress"
_VERSION: Final = 1
PUZZLE_DEVIATION: Final = 80.0
"""How uncertain a puzzle's rating is; it was measured with programs, not with people."""
_DAY: Final = 86_400
_MOST_LINES: Final = 5  # that a message lists
LOWEST_RATING: Final = 0
HIGHEST_RATING: Final = 4000


class BadProgress(GameError):
    """A progress file that cannot be read or written."""


@dataclass(frozen=True)
class Attempt:
    """One attempt at a puzzle."""

    puzzle: str
    solved: bool
    """Whether every choice was best."""
    rating: int
    """The puzzle's rating."""
    helped: bool = False
    """Whether there was a hint, an undo or the answer; then it does not count as solved."""
    time: int = field(default_factory=lambda: int(time()))
    """Seconds since 1970."""

    @property
    def clean(self) -> bool:
        return self.solved and not self.helped


@dataclass(frozen=True)
class Progress:
    """All attempts so far, oldest first, and what follows from them."""

    attempts: tuple[Attempt, ...] = ()
    rating: Glicko = field(default_factory=Glicko)
    """Only the first attempt at a puzzle counts."""
    streak: int = 0
    """Puzzles in a row that were solved at the first attempt, up to the last one."""
    best_streak: int = 0
    marks: dict[str, str] = field(default_factory=dict)
    """Puzzle -> "solved" (at the first attempt), "later" (solved at another one) or "missed"."""
    damage: str = ""
    """One sentence about the lines of the file that do not count; empty if all do."""

    def after(self, attempt: Attempt) -> Progress:
        """The progress with one more attempt."""
        attempts = (*self.attempts, attempt)
        mark = self.marks.get(attempt.puzzle)
        if mark is not None:
            later = {"missed": "later"} if attempt.clean else {}
            marks = {**self.marks, attempt.puzzle: later.get(mark, mark)}
            return replace(self, attempts=attempts, marks=marks)
        streak = self.streak + 1 if attempt.clean else 0
        marks = {**self.marks, attempt.puzzle: "solved" if attempt.clean else "missed"}
        rating, best = self._rated(attempt), max(streak, self.best_streak)
        return Progress(attempts, rating, streak, best, marks, self.damage)

    def _rated(self, attempt: Attempt) -> Glicko:
        """The rating after the attempt; every whole day before it was a period without games."""
        before = self.attempts[-1].time if self.attempts else attempt.time
        idle = max(0, attempt.time - before) // _DAY
        puzzle = Glicko(attempt.rating, PUZZLE_DEVIATION)
        return self.rating.idle(idle).after([(puzzle, float(attempt.clean))])


def progress_file() -> Path:
    """Where progress is kept by default; BadProgress if nobody knows the user's data folder."""
    try:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError:  # a container's user often has no name and no HOME
        raise BadProgress(
            "progress in puzzles is kept in your home folder, which is unknown; set HOME or "
            "XDG_DATA_HOME"
        ) from None
    return Path(base, "hidden-leaders-arena", "puzzle-progress.jsonl")


def load_progress(file: Path | None = None) -> Progress:
    """The progress kept in the file; none if there is no such file."""
    file = file or progress_file()
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return Progress()
    except OSError as error:
        raise BadProgress(f"{file} cannot be read: {error.strerror}") from None
    return _folded(file, data)


def record_attempt(attempt: Attempt, file: Path | None = None) -> Progress:
    """Append the attempt and return the progress; BadProgress if the file cannot be used."""
    file = file or progress_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a+b") as stream, _locked(stream):
            stream.seek(0)
            data = stream.read()
            progress = _folded(file, data).after(attempt)
            stream.truncate(data.rfind(b"\n") + 1)
            lines = [] if b"\n" in data else [{"format": _FORMAT, "version": _VERSION}]
            lines.append(asdict(attempt))
            stream.write("".join(f"{json.dumps(line)}\n" for line in lines).encode())
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise BadProgress(f"{file} cannot be written: {error.strerror}") from None
    return progress


def reset_progress(file: Path | None = None) -> Path | None:
    """Start anew; the old file is kept beside it, and its path returned, if there was one."""
    file = file or progress_file()
    old = file.with_suffix(".old.jsonl")
    try:
        file.replace(old)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadProgress(f"{file} cannot be replaced: {error.strerror}") from None
    return old


@contextmanager
def _locked(stream: BinaryIO) -> Iterator[None]:
    """Alone with the file; closing it ends that."""
    if fcntl is not None:
        fcntl.flock(stream, fcntl.LOCK_EX)
    yield


def _folded(file: Path, data: bytes) -> Progress:
    """The progress that these lines make; BadProgress if the first one is of another format."""
    progress = Progress()
    damaged: list[int] = []
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), 1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if number == 1:
            _check_header(file, entry)
            continue
        attempt = _attempt(entry)
        if attempt is None:
            damaged.append(number)
        else:
            progress = progress.after(attempt)
    return replace(progress, damage=_damage(file, damaged)) if damaged else progress


def _damage(file: Path, lines: list[int]) -> str:
    numbers = ", ".join(map(str, lines[:_MOST_LINES]))
    if len(lines) > _MOST_LINES:
        numbers += ", ..."
    if len(lines) == 1:
        return f"{file}, line {numbers}, is not an attempt at a puzzle; it does not count"
    return f"{file}, lines {numbers}, are not attempts at puzzles; they do not count"


def _check_header(file: Path, entry: object) -> None:
    if not isinstance(entry, dict) or entry.get("format") != _FORMAT:
        raise BadProgress(
            f"{file} is no progress file; start anew with `arena puzzles progress --reset`"
        )
    if entry.get("version") != _VERSION:
        raise BadProgress(
            f"{file} has version {entry.get('version')!r}, but this arena reads version "
            f"{_VERSION}; use a newer arena, or start anew with `arena puzzles progress --reset`"
        )


_TYPES: Final[dict[str, type]] = {
    "puzzle": str,
    "solved": bool,
    "rating": int,
    "helped": bool,
    "time": int,
}


def _attempt(entry: object) -> Attempt | None:
    """The attempt that the line describes, or None."""
    if not isinstance(entry, dict) or entry.keys() != {each.name for each in fields(Attempt)}:
        return None
    if any(type(entry[key]) is not kind for key, kind in _TYPES.items()):
        return None
    if not LOWEST_RATING <= entry["rating"] <= HIGHEST_RATING or abs(entry["time"]) > 1 << 40:
        return None
    return Attempt(**entry)
