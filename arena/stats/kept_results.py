"""Keeps what took seconds to compute in the user's cache folder, until its input changes.

Only for results that can be computed again at any time: a missing, damaged or unwritable folder
costs time and nothing else.
"""

import os
import pickle
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar, cast

_Result = TypeVar("_Result")
MOST_KEPT: Final = 50


def kept(content: Iterable[object], compute: Callable[[], _Result]) -> _Result:
    """What `compute` returned for the same content before, else what it returns now."""
    summary = sha256(_code().encode())
    for part in content:
        summary.update(repr(part).encode("utf-8", "surrogatepass"))
    try:
        file = _folder() / f"{summary.hexdigest()}.pickle"
    except RuntimeError:  # nobody knows the user's home
        return compute()
    # Any error: what an older Python wrote, or half a file, can fail in many ways.
    with suppress(Exception):
        # Nobody else writes into this folder, and what strangers send is never read from it.
        return cast("_Result", pickle.loads(file.read_bytes()))  # noqa: S301
    result = compute()
    with suppress(OSError):
        _write(file, pickle.dumps(result))
    return result


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base, "hidden-leaders-arena")


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = file.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(data)
    unfinished.replace(file)
    files = sorted(file.parent.iterdir(), key=lambda each: each.stat().st_mtime)
    for old in files[:-MOST_KEPT]:
        old.unlink(missing_ok=True)


@cache
def _code() -> str:
    """A digest of the modules that compute statistics: other code may give other results."""
    modules = sorted(Path(__file__).parent.glob("*.py"))
    return sha256(b"".join(module.read_bytes() for module in modules)).hexdigest()
