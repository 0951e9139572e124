"""A bot that searches everything a Python program can reach for secrets, and reports its finds.

It searches for a State that knows another seat's leader (the one in its View does not), and for a
treasure: a word that the arena has in its memory, its environment, an open file and files nearby.
"""

import copy
import gc
import io
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bots import Bot
from games.hidden_leaders.rules.state import HiddenLeaders
from games.view import View

TREASURE = b"TREASURE" + b"-7361"  # in two parts, so that this file does not match
CHUNK = 1 << 20


class Spy(Bot):
    """Plays the first move, and explains it by its finds."""

    report = ""

    def choose(self, view: View) -> int:
        if not self.report:
            self.report = " ".join(sorted(set(finds(self, view)))) or "nothing"
        return view.moves[0]

    def explain(self) -> str:
        return self.report


def finds(bot: Bot, view: View) -> Iterator[str]:
    """Every find, with its place."""
    for place, things in {
        "attributes": attributes(bot, view),
        "gc": iter(gc.get_objects()),
        "referrers": referrers(view),
        "frames": frames(),
        "pickle": pickles(view),
    }.items():
        for thing in things:
            if isinstance(thing, HiddenLeaders):
                leaders = [int(thing.leader(seat)) for seat in range(thing.players)]
                if any(leader >= 0 for seat, leader in enumerate(leaders) if seat != bot.seat):
                    yield f"{place}:state:{','.join(map(str, leaders))}"
    for place, texts in {
        "environment": [repr(dict(os.environ)).encode(), *read("/proc", "*/environ")],
        "descriptors": descriptors(),
        "arguments": [repr((sys.argv, sys.orig_argv)).encode()],
        "files": files(),
        "proc": proc(),
        "memory": memory(os.getppid()),
    }.items():
        if any(TREASURE in text for text in texts):
            yield f"{place}:treasure"


def attributes(bot: Bot, view: View) -> Iterator[object]:
    """All that is reachable from its arguments, private names included, five steps deep."""
    seen: dict[int, object] = {}
    now: list[object] = [bot, view, type(bot), type(view)]
    for _ in range(5):
        after: list[object] = []
        for thing in now:
            for name in dir(thing):
                value = None
                with suppress(Exception):  # any property may raise anything
                    value = getattr(thing, name)
                if id(value) not in seen and len(seen) < 20_000:
                    seen[id(value)] = value
                    after.append(value)
            if isinstance(thing, list | tuple | dict):
                after += thing.values() if isinstance(thing, dict) else thing
        now = after
    yield from seen.values()


def referrers(view: View) -> Iterator[object]:
    """All that the holders of the view hold, and the holders of those."""
    for holder in gc.get_referrers(view):
        yield from gc.get_referents(holder)
        for further in gc.get_referrers(holder)[:200]:
            yield from gc.get_referents(further)


def frames() -> Iterator[object]:
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            yield value
            yield from vars(value).values() if hasattr(value, "__dict__") else ()
        frame = frame.f_back  # type: ignore[assignment]


def pickles(view: View) -> Iterator[object]:
    """The view's parts, as pickle and deepcopy reach them."""

    class Parts(pickle.Pickler):
        def persistent_id(self, thing: object) -> None:
            parts.append(thing)

    parts: list[object] = []
    for attempt in (lambda: Parts(io.BytesIO()).dump(view), lambda: copy.deepcopy(view)):
        with suppress(Exception):  # views may refuse
            parts.append(attempt())
    yield from parts


def descriptors() -> Iterator[bytes]:
    for number in range(3, 64):
        with suppress(OSError):
            yield os.pread(number, CHUNK, 0)


def files() -> Iterator[bytes]:
    """The current folder and its files, some of whose names can be guessed."""
    for pattern in ("secret.txt", "runs/league.db", "**/*"):
        yield from read(".", pattern)


def proc() -> Iterator[bytes]:
    yield from read("/proc", "*/cmdline")
    for pid in ("self", "1", str(os.getppid())):
        for folder, pattern in {"fd": "*", "cwd": "*", "root/proc": "*/cmdline"}.items():
            yield from read(f"/proc/{pid}/{folder}", pattern)


def read(folder: str, pattern: str) -> Iterator[bytes]:
    """What can be read of the files there; a pattern without * is tried without listing."""
    with suppress(OSError):
        for path in Path(folder).glob(pattern) if "*" in pattern else [Path(folder, pattern)]:
            with suppress(OSError):
                if path.is_file():
                    yield path.read_bytes()[:CHUNK]


def memory(pid: int) -> Iterator[bytes]:
    """The writable memory of another process."""
    with suppress(OSError), Path(f"/proc/{pid}/mem").open("rb", buffering=0) as file:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights, *_ = line.split()
            start, end = (int(part, 16) for part in span.split("-"))
            if rights.startswith("rw"):
                with suppress(OSError, OverflowError, ValueError):
                    file.seek(start)
                    yield file.read(min(end - start, 64 * CHUNK))
