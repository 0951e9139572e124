"""Writes puzzle files, each only after it has been proven from its own text."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

from games.errors import GameError
from games.questions import PosedPosition
from games.registry import DEFAULT_GAME
from solver.ask import Solution
from solver.core.budget import NodeBudget
from solver.puzzles.files import level_of, load_puzzle, prove
from solver.puzzles.quality import Candidate

_DEFAULTS: Final = {"goal": "win", "horizon": "turn", "others": "coalition"}
_SEAT: Final = re.compile("[A-Z] ")
"""How the field of a seat begins."""
_UNRATED: Final = 1500

PuzzleRater = Callable[[Solution, Collection[int]], int]
"""The rating of a puzzle with these best first moves."""


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
    path: Path, candidate: Candidate, title: str, story: str, theme: str, rate: PuzzleRater
) -> int:
    """Write the puzzle and return its level; BadPuzzle if its file proves something else.

    Everything is done in a temporary file, which gets the final name only when it is proven.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(_text(candidate, title, story, theme, _UNRATED), encoding="utf-8")
        solution = prove(load_puzzle(new), NodeBudget())
        rating = rate(solution, candidate.moves)
        new.write_text(_text(candidate, title, story, theme, rating), encoding="utf-8")
        os.replace(new, path)
    except OSError as error:
        raise BadFolder(f"cannot write '{path}': {error.strerror}") from None
    finally:
        new.unlink(missing_ok=True)
    return level_of(rating)


def _text(candidate: Candidate, title: str, story: str, theme: str, rating: int) -> str:
    query = candidate.solution.query
    options = {"goal": query.goal, "horizon": query.horizon, "others": query.others}
    entries: dict[str, object] = {
        key: words for key, words in options.items() if words != _DEFAULTS[key]
    }
    entries |= {
        "answer": candidate.answers,
        "value": str(candidate.value),
        "difficulty": level_of(rating),
        "rating": rating,
        "theme": theme,
        "source": candidate.ending.source,
    }
    lines = [
        *([f"game = {json.dumps(query.game.name)}"] if query.game.name != DEFAULT_GAME else []),
        f"title = {json.dumps(title)}",
        f"story = {json.dumps(story)}",
        'position = """',
        *_position_lines(candidate.position),
        '"""',
        *(f"{key} = {json.dumps(value)}" for key, value in entries.items()),
    ]
    return "".join(f"{line}\n" for line in lines)


def _position_lines(position: PosedPosition) -> Iterator[str]:
    """One line for the table, one for a deck of its own, one for each seat, one for the turn."""
    fields = [field for field in str(position).split("; ") if field != "turn A"]
    seats = [field for field in fields if _SEAT.match(field)]
    first = fields.index(seats[0])
    table, turn = fields[:first], fields[first + len(seats) :]
    yield "; ".join(field for field in table if not field.startswith("deck "))
    yield from (field for field in table if field.startswith("deck "))
    yield from seats
    yield from ["; ".join(turn)] if turn else []
