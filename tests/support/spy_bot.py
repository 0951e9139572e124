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
from collections.abc import Iterable, Iterator
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
        "environment": environment(),
        "descriptors": descriptors(),
        "arguments": iter([repr((sys.argv, sys.orig_argv)).encode()]),
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
                try:
                    value = getattr(thing, name)
                except Exception:  # noqa: BLE001, S112  (any property may raise anything)
                    continue
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
        try:
            parts.append(attempt())
        except Exception:  # noqa: BLE001, S112  (views may refuse)
            continue
    yield from parts


def environment() -> Iterator[bytes]:
    yield repr(dict(os.environ)).encode()
    yield from read(Path("/proc").glob("*/environ"))


def descriptors() -> Iterator[bytes]:
    for number in range(3, 64):
        try:
            yield os.pread(number, CHUNK, 0)
        except OSError:
            continue


def files() -> Iterator[bytes]:
    """The current folder and its files, some of whose names can be guessed."""
    yield from read(Path(name) for name in ("secret.txt", "runs/league.db"))
    try:
        yield from read(Path().rglob("*"))
    except OSError:
        return


def proc() -> Iterator[bytes]:
    yield from read(Path("/proc").glob("*/cmdline"))
    for pid in ("self", "1", str(os.getppid())):
        yield from read(Path(f"/proc/{pid}/fd").glob("*"))
        yield from read(Path(f"/proc/{pid}/cwd").glob("*"))
        yield from read(Path(f"/proc/{pid}/root/proc").glob("*/cmdline"))


def read(paths: Iterable[Path]) -> Iterator[bytes]:
    try:
        for path in paths:
            try:
                if path.is_file():
                    yield path.read_bytes()[:CHUNK]
            except OSError:
                continue
    except OSError:
        return


def memory(pid: int) -> Iterator[bytes]:
    """The writable memory of another process."""
    try:
        maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
        with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as file:
            for line in maps:
                span, rights, *_ = line.split()
                if not rights.startswith("rw"):
                    continue
                start, end = (int(part, 16) for part in span.split("-"))
                try:
                    file.seek(start)
                    yield file.read(min(end - start, 64 * CHUNK))
                except (OSError, OverflowError, ValueError):
                    continue
    except OSError:
        return
