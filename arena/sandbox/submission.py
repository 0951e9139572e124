"""What belongs to a bot: the folder of its file, copied to where only that bot can read it.

Nothing in a submission may lead out of it. Links are resolved and compared, never followed.
"""

from __future__ import annotations

import os
import shutil
import stat
import weakref
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from arena.sandbox.scratch import new_scratch, remove_scratch
from bots.runtime.loading import BadBot

MOST_FILES: Final = 2000
MOST_COPIED: Final = 256 << 20
MOST_NESTED: Final = 32


class Part(NamedTuple):
    """One file, folder or link of a submission."""

    name: str
    """Its path relative to the folder of the submission."""
    kind: int
    """Its type, as in the mode of a file."""
    bytes: int
    changed: int
    """When, in nanoseconds."""


@dataclass(frozen=True)
class Submission:
    """The files of one bot."""

    folder: Path
    only: tuple[str, ...] = ()
    """The names in the folder that belong to the bot; all, if empty."""

    def parts(self, hidden: Sequence[Path] = ()) -> list[Part]:
        """All that belongs to it, folders first; BadBot if something must not be there.

        Left out are names that begin with a dot, virtual environments and hidden paths.
        """
        try:
            return self._parts({str(path) for path in hidden})
        except OSError as error:
            raise BadBot(
                f"{error.filename} cannot be read: {error.strerror}; every file in a bot's folder "
                "must be readable"
            ) from None

    def _parts(self, hidden: set[str]) -> list[Part]:
        parts: list[Part] = []
        files, sizes, total = Counter[str](), Counter[str](), 0
        for part in self._walk("", hidden):
            parts.append(part)
            top = part.name.partition(os.sep)[0]
            files[top] += 1
            sizes[top] += part.bytes
            total += part.bytes
            if len(parts) > MOST_FILES:
                raise self._too_much(f"{MOST_FILES} files", files)
            if total > MOST_COPIED:
                raise self._too_much(f"{MOST_COPIED >> 20} MB", sizes)
        return parts

    def _too_much(self, what: str, found: Counter[str]) -> BadBot:
        """`found`: how much of it there is by the names in the folder."""
        largest, _ = found.most_common(1)[0]
        return BadBot(
            f"{self.folder} has more than {what}, most of them in {largest!r}; put the bot into a "
            "folder of its own"
        )

    def _walk(self, inner: str, hidden: set[str]) -> Iterator[Part]:
        if inner.count(os.sep) >= MOST_NESTED:
            raise BadBot(
                f"{self.folder} has folders nested more than {MOST_NESTED} deep; remove them"
            )
        with os.scandir(self.folder / inner) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
        if any(entry.name == "pyvenv.cfg" for entry in listed) and inner:
            return
        for entry in listed:
            name = os.path.join(inner, entry.name)
            if entry.name.startswith(".") or str(self.folder / name) in hidden:
                continue
            if self.only and not inner and entry.name not in self.only:
                continue
            status = entry.stat(follow_symlinks=False)
            kind = stat.S_IFMT(status.st_mode)
            if kind == stat.S_IFLNK:
                self._check_link(name)
            elif kind not in {stat.S_IFREG, stat.S_IFDIR}:
                raise BadBot(f"{self.folder / name} is neither a file nor a folder; remove it")
            size = status.st_size if kind == stat.S_IFREG else 0
            yield Part(name, kind, size, status.st_mtime_ns)
            if kind == stat.S_IFDIR:
                yield from self._walk(name, hidden)

    def _check_link(self, name: str) -> None:
        path = self.folder / name
        target, inside = os.path.realpath(path), os.path.realpath(self.folder)
        if os.path.commonpath([target, inside]) != inside:
            raise BadBot(
                f"{path} is a link that leads out of the bot's folder; replace it by a copy"
            )


class Copy:
    """A copy of a submission, made when it is first needed and removed with this object."""

    def __init__(self, submission: Submission, parts: Sequence[Part], gaps: Sequence[Path]) -> None:
        """`gaps`: paths that are left empty, because something else will be mounted there."""
        self.submission = submission
        self.parts = parts
        self.gaps = gaps
        self._owner = 0
        """The process that made it; one that was forked later makes its own."""
        self._place = ""

    @property
    def place(self) -> str:
        """The folder of the copy."""
        if self._owner != os.getpid() or not os.path.isdir(self._place):
            self._owner, self._place = os.getpid(), self._make()
            weakref.finalize(self, _remove_own, self._owner, self._place)
        return self._place

    def _make(self) -> str:
        place = new_scratch("arena_copy")
        try:
            self._fill(place)
        except BaseException:
            remove_scratch(place)
            raise
        return place

    def _fill(self, place: str) -> None:
        folder = self.submission.folder
        os.chmod(place, 0o755)  # noqa: S103  (bots may have a user of their own)
        for part in self.parts:
            source, target = folder / part.name, Path(place, part.name)
            if part.kind == stat.S_IFDIR:
                target.mkdir(mode=0o755, exist_ok=True)
            elif part.kind == stat.S_IFLNK:
                inside = os.path.relpath(os.path.realpath(source), os.path.realpath(source.parent))
                target.symlink_to(inside)
            else:
                _copy_file(source, target)
        for path in self.gaps:
            gap = Path(place, path.relative_to(folder))
            gap.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                gap.mkdir(exist_ok=True)
            else:
                gap.touch()


_recent: Final[OrderedDict[object, Copy]] = OrderedDict()
_MOST_RECENT: Final = 16


def copy_of(submission: Submission, hidden: Sequence[Path], mounted: Sequence[Path]) -> Copy:
    """The copy of a submission; the same one as long as its files do not change.

    Left out are hidden paths and those where something else will be mounted. BadBot if something
    in it must not be there.
    """
    gaps = tuple(path for path in mounted if submission.folder in path.parents)
    parts = submission.parts((*hidden, *gaps))
    key = (submission, gaps, tuple(parts))
    copy = _recent.pop(key, None) or Copy(submission, parts, gaps)
    _recent[key] = copy
    while len(_recent) > _MOST_RECENT:
        _recent.popitem(last=False)
    return copy


def _copy_file(source: Path, target: Path) -> None:
    """Copy a plain file that every user may read, with its time: compiled Python needs it."""
    descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(descriptor, "rb") as reading, open(target, "wb") as writing:
        status = os.fstat(descriptor)
        shutil.copyfileobj(reading, writing)
    target.chmod(0o755 if status.st_mode & stat.S_IXUSR else 0o644)
    os.utime(target, ns=(status.st_mtime_ns, status.st_mtime_ns))


def _remove_own(owner: int, place: str) -> None:
    if owner == os.getpid():
        remove_scratch(place)


def submission_of(file: Path) -> Submission:
    """The submission of a bot that is in that file, or that runs it: the folder it is in."""
    folder = file.absolute().parent
    inside = os.path.realpath(folder)
    if os.path.commonpath([os.path.realpath(file), inside]) != inside:
        raise BadBot(f"{file} is a link that leads out of its folder; replace it by a copy")
    return Submission(folder)
