"""A puzzle as one line of text, to share. It has the question and no answer: solvers find that.

    puzzle 1 | hidden-leaders win turn coalition auto likely | No doubt | players 3; red 7; ...

After the version come game, goal, horizon, others, sight and ask, then title and position.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Final

from games.errors import GameError
from games.registry import game, read_position
from solver.ask import Query
from solver.puzzles.files import ASKS, BadPuzzle, Puzzle, bundled_puzzles, can_be_printed

_START: Final = "puzzle"
_VERSION: Final = "1"
_GAP: Final = " | "
_AUTO: Final = "auto"
"""The default sight."""
_MOST_TITLE: Final = 100


def puzzle_line(puzzle: Puzzle) -> str:
    """The puzzle as one line."""
    query = puzzle.query
    question = (query.game.name, query.goal, query.horizon, query.others)
    words = " ".join((*question, query.sight or _AUTO, puzzle.ask))
    title = " ".join(puzzle.title.replace("|", "/").split())[:_MOST_TITLE]
    return _GAP.join((f"{_START} {_VERSION}", words, title, str(query.position)))


def is_puzzle_line(text: str) -> bool:
    """Whether the text is meant as such a line."""
    return text.partition("|")[0].split()[:1] == [_START] and "|" in text


def puzzle_of_line(text: str) -> Puzzle:
    """The puzzle on the line: the bundled one that asks the same, or one without an answer."""
    parts = [part.strip() for part in " ".join(text.split()).split("|", 3)]
    words = parts[1].split() if len(parts) == 4 else []
    if len(words) != 6:
        raise BadPuzzle(
            "the line of a puzzle is 'puzzle 1 | GAME GOAL HORIZON OTHERS SIGHT ASK | TITLE | "
            "POSITION', as `arena puzzles share` prints it"
        )
    if parts[0] != f"{_START} {_VERSION}":
        raise BadPuzzle(f"'{parts[0]}' is not '{_START} {_VERSION}'; use a newer arena")
    if not can_be_printed(text):
        raise BadPuzzle(f"the line of a puzzle has characters that cannot be printed: {text!r}")
    name, goal, horizon, others, sight, ask = words
    if ask not in ASKS:
        raise BadPuzzle(f"ask '{ask}': choose one of {', '.join(ASKS)}")
    rules = game(name)
    try:
        position = read_position(rules, parts[3])
    except GameError as error:
        raise BadPuzzle(f"the position is wrong: {error}") from None
    query = Query(rules, position, goal, horizon, others, "" if sight == _AUTO else sight)
    return _bundled(query, ask) or Puzzle(
        "", Path(), parts[2], "", query, ask, (), Fraction(0), 0, "", "shared", 0
    )


def _bundled(query: Query, ask: str) -> Puzzle | None:
    asked = _asked(query, ask)
    same = (each for each in bundled_puzzles() if _asked(each.query, each.ask) == asked)
    return next(same, None)


def _asked(query: Query, ask: str) -> tuple[str, ...]:
    question = (query.game.name, query.goal, query.horizon, query.others, query.sight)
    return (*question, ask, str(query.position))
