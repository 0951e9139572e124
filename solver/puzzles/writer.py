"""Puzzles as files: written only when they are proven from what the file will say."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from games.errors import GameError
from games.hidden_leaders.positions.notation import Position, write
from solver.ask import Solved
from solver.core.budget import NodeBudget
from solver.puzzles.files import load_puzzle, prove
from solver.puzzles.quality import Find

_USUAL: Final = {"goal": "win", "horizon": "turn", "others": "coalition"}
_UNRATED: Final = 1

Rate = Callable[[Solved, int], int]
"""How difficult it is to find this answer."""


class BadFolder(GameError):
    """A folder that no puzzle can be written to."""


def prepare(folder: Path) -> None:
    """See to it that the folder is there; BadFolder if nothing can be written to it."""
    probe = folder / ".new-puzzle"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BadFolder(f"no puzzle can be written to '{folder}': {error.strerror}") from None


def write_puzzle(path: Path, found: Find, title: str, story: str, theme: str, rate: Rate) -> int:
    """Write the puzzle and say how difficult it is; BadPuzzle if its file proves otherwise.

    Everything happens in a file beside it, which takes the name only when all of it is true.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(_text(found, title, story, theme, _UNRATED), encoding="utf-8")
        solved = prove(load_puzzle(new), NodeBudget())
        difficulty = rate(solved, found.move)
        new.write_text(_text(found, title, story, theme, difficulty), encoding="utf-8")
        os.replace(new, path)
    except OSError as error:
        raise BadFolder(f"'{path}' cannot be written: {error.strerror}") from None
    finally:
        new.unlink(missing_ok=True)
    return difficulty


def _text(found: Find, title: str, story: str, theme: str, difficulty: int) -> str:
    asked = found.solved.asked
    said = {"goal": asked.goal, "horizon": asked.horizon, "others": asked.others}
    lines = [
        f"title = {json.dumps(title)}",
        f"story = {json.dumps(story)}",
        'position = """',
        *_position_lines(found.position),
        '"""',
        *(f"{key} = {json.dumps(words)}" for key, words in said.items() if words != _USUAL[key]),
        f"answer = [{json.dumps(found.answer)}]",
        f'value = "{found.value}"',
        f"difficulty = {difficulty}",
        f"theme = {json.dumps(theme)}",
        f"source = {json.dumps(found.ending.source)}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _position_lines(position: Position) -> Iterator[str]:
    """The table in one line, a deck of its own in another, and a line for each seat."""
    fields = [field for field in write(position).split("; ") if field != "turn A"]
    seats = fields[-position.players :]
    table = fields[: -position.players]
    yield "; ".join(field for field in table if not field.startswith("deck "))
    yield from (field for field in table if field.startswith("deck "))
    yield from seats
