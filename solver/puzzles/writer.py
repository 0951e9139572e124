"""Writes puzzle files, each only after it has been proven from its own text."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from games.errors import GameError
from games.questions import PosedPosition
from solver.ask import Solution
from solver.core.budget import NodeBudget
from solver.puzzles.files import load_puzzle, prove
from solver.puzzles.quality import Candidate

_DEFAULTS: Final = {"goal": "win", "horizon": "turn", "others": "coalition"}
_UNRATED: Final = 1

DifficultyRater = Callable[[Solution, int], int]
"""How difficult it is to find this answer."""


class BadFolder(GameError):
    """A folder that puzzles cannot be written to."""


def prepare_folder(folder: Path) -> None:
    """Create the folder if needed; BadFolder if it cannot be written to."""
    probe = folder / ".new-puzzle"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BadFolder(f"cannot write puzzles to '{folder}': {error.strerror}") from None


def write_puzzle(
    path: Path, candidate: Candidate, title: str, story: str, theme: str, rate: DifficultyRater
) -> int:
    """Write the puzzle and return its difficulty; BadPuzzle if its file proves something else.

    Everything is done in a temporary file, which gets the final name only when it is proven.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(_text(candidate, title, story, theme, _UNRATED), encoding="utf-8")
        solution = prove(load_puzzle(new), NodeBudget())
        difficulty = rate(solution, candidate.move)
        new.write_text(_text(candidate, title, story, theme, difficulty), encoding="utf-8")
        os.replace(new, path)
    except OSError as error:
        raise BadFolder(f"cannot write '{path}': {error.strerror}") from None
    finally:
        new.unlink(missing_ok=True)
    return difficulty


def _text(candidate: Candidate, title: str, story: str, theme: str, difficulty: int) -> str:
    query = candidate.solution.query
    options = {"goal": query.goal, "horizon": query.horizon, "others": query.others}
    entries: dict[str, object] = {
        key: words for key, words in options.items() if words != _DEFAULTS[key]
    }
    facts = {"answer": [candidate.answer], "value": str(candidate.value), "difficulty": difficulty}
    entries |= facts | {"theme": theme, "source": candidate.ending.source}
    lines = [
        f"title = {json.dumps(title)}",
        f"story = {json.dumps(story)}",
        'position = """',
        *_position_lines(candidate.position),
        '"""',
        *(f"{key} = {json.dumps(value)}" for key, value in entries.items()),
    ]
    return "".join(f"{line}\n" for line in lines)


def _position_lines(position: PosedPosition) -> Iterator[str]:
    """One line for the table, one for a deck of its own, and one for each seat."""
    fields = [field for field in str(position).split("; ") if field != "turn A"]
    seats = fields[-position.players :]
    table = fields[: -position.players]
    yield "; ".join(field for field in table if not field.startswith("deck "))
    yield from (field for field in table if field.startswith("deck "))
    yield from seats
