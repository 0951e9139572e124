"""The folder of a training: it belongs to one config, and to one running training at a time."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from arena.files import write_errors
from games.errors import GameError

PLAN: Final = "plan.json"


@contextmanager
def claimed(folder: Path, plan: dict[str, Any]) -> Iterator[None]:
    """Keep the folder for the training of this plan; GameError if it belongs to another."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / PLAN).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise GameError(
                f"{folder} is in use by another training; wait, or name another folder with --out"
            ) from None
        file.seek(0)
        _check(folder, file.read(), plan)
        if file.tell() == 0:
            with write_errors(folder / PLAN):
                file.write(json.dumps(plan, indent=1) + "\n")
                file.flush()
        yield


def _check(folder: Path, text: str, plan: dict[str, Any]) -> None:
    """Raise GameError unless the plan found there is this one: else games would be mixed."""
    if not text:
        for kind in ("games-*.jsonl", "model-*.json"):
            for found in sorted(folder.glob(kind)):
                raise GameError(
                    f"{folder} has {found.name} but no config in {PLAN}; name another folder "
                    "with --out"
                )
        return
    try:
        before = json.loads(text)
    except ValueError:
        before = None
    if not isinstance(before, dict):
        raise GameError(f"{folder / PLAN} is damaged; name another folder with --out")
    for key, wanted in plan.items():
        if before.get(key) != wanted:
            raise GameError(
                f"{folder} holds a training with another config: {key} was "
                f"{json.dumps(before.get(key))} and is {json.dumps(wanted)}; name another folder "
                "with --out"
            )
