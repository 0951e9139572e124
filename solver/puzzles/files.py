"""Puzzle files: a position, a question and a claimed answer that the solver can prove.

    title = "Four legs good"
    story = "One more hero and the game is over. Which one?"
    position = "threshold 3; red 6; green 4; A leader Enned hand PiPi open KeKo ApWa; B leader Cyra"
    answer = ["play Pigmented War Pig"]    # all best first moves
    value = "1"                            # what they are worth
    difficulty = 1                         # the level, from 1 to 5
    rating = 1150                          # on the scale of people's ratings
    theme = "markers"

`goal`, `horizon`, `others` and `sight` are those of `Query`, with the same defaults. `source` says
where the puzzle comes from, and `game` names its game if that is not Hidden Leaders. `ask = "sure"`
compares moves by the worst world instead of over all worlds. Without `rating` a puzzle has the
middle rating of its level.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Final

from games.bundled import bundled
from games.errors import GameError, WrongGame, did_you_mean
from games.questions import PosedPosition
from games.registry import DEFAULT_GAME, Game, game, read_position
from games.wording import listed
from solver.answer import Answer, MoveValue
from solver.ask import PolicyLoader, Query, Solution, solve_query
from solver.certificates.format import FRACTION
from solver.core.budget import NodeBudget
from solver.puzzles.progress import HIGHEST_RATING, LOWEST_RATING
from solver.puzzles.themes import all_themes

PUZZLE_FOLDER: Final = bundled("puzzles")
"""The bundled puzzles, which are found by name."""

_NEEDED: Final = ("title", "story", "position", "answer", "value", "difficulty", "theme")
_KEYS: Final = (*_NEEDED, "rating", "goal", "horizon", "others", "sight", "ask", "source", "game")
ASKS: Final = ("likely", "sure")
HARDEST: Final = 5
_LEVEL_WIDTH: Final = 200
_EASIEST_END: Final = 1200
"""Puzzles rated below this are of level 1; every level above takes 200 points more."""


def level_of(rating: int) -> int:
    """The level of a puzzle with that rating, from 1 to 5."""
    return min(max((rating - _EASIEST_END) // _LEVEL_WIDTH + 2, 1), HARDEST)


def middle_rating(level: int) -> int:
    """The rating of a puzzle of which only the level is known."""
    return _EASIEST_END + _LEVEL_WIDTH * (level - 2) + _LEVEL_WIDTH // 2


class BadPuzzle(GameError):
    """A puzzle that is malformed or claims something false; the message names file and line."""


class Undecided(BadPuzzle):
    """A puzzle that the node budget was too small to prove; it may still be right."""


@dataclass(frozen=True)
class Puzzle:
    """The contents of a puzzle file."""

    name: str
    path: Path
    title: str
    story: str
    query: Query
    ask: str
    answer: tuple[str, ...]
    value: Fraction
    difficulty: int
    theme: str
    source: str
    rating: int
    """How hard it is, on the scale of people's ratings."""

    @property
    def rank(self) -> tuple[int, str]:
        """Sorts puzzles from easy to hard."""
        return self.rating, self.name

    def best(self, answer: Answer) -> list[MoveValue]:
        """The best first moves, by the measure that the puzzle asks for."""
        return answer.surest if self.ask == "sure" else answer.best


def puzzle_files() -> list[Path]:
    """The files of the bundled puzzles, sorted by name."""
    return sorted(PUZZLE_FOLDER.glob("*.toml"))


@cache
def bundled_puzzles() -> tuple[Puzzle, ...]:
    """The bundled puzzles, sorted by name; read once."""
    return tuple(load_puzzle(path) for path in puzzle_files())


def find_puzzle(name: str) -> Path:
    """The file of that name, or the bundled puzzle of that name or title."""
    for path in (Path(name), PUZZLE_FOLDER / f"{name}.toml"):
        if path.is_file():
            return path
    if name and Path(name).is_dir():
        raise BadPuzzle(f"'{name}' is a folder: name the files in it, as in {Path(name)}/*.toml")
    titled = {puzzle.title.casefold(): puzzle.path for puzzle in bundled_puzzles()}
    if name.casefold() in titled:
        return titled[name.casefold()]
    known = [path.stem for path in puzzle_files()]
    raise BadPuzzle(
        f"there is no puzzle '{name}'{did_you_mean(name, known)} "
        f"(`arena puzzles` lists all {len(known)})"
    )


# ---- reading ----------------------------------------------------------------------------------


def load_puzzle(path: Path) -> Puzzle:
    """Read a puzzle file; BadPuzzle names the line that is wrong."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        entries: dict[str, object] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers may be too long, lists too deep
        raise BadPuzzle(f"{path}: {error}") from None
    for key, value in entries.items():
        if key not in _KEYS:
            raise _wrong(path, text, key, f"is not a key of a puzzle{did_you_mean(key, _KEYS)}")
        _check_type(path, text, key, value)
    missing = [key for key in _NEEDED if key not in entries]
    if missing:
        raise BadPuzzle(f"{path}: {listed(missing)} must be given")
    return _puzzle(path, text, entries)


def _check_type(path: Path, text: str, key: str, value: object) -> None:
    if key == "answer":
        if not isinstance(value, list) or not value or not all(type(move) is str for move in value):
            raise _wrong(path, text, key, "must be a list of moves in words")
    elif key == "difficulty":
        if type(value) is not int or not 1 <= value <= HARDEST:
            raise _wrong(path, text, key, f"must be a number from 1 to {HARDEST}, not {value!r}")
    elif key == "rating":
        if type(value) is not int or not LOWEST_RATING <= value <= HIGHEST_RATING:
            limits = f"from {LOWEST_RATING} to {HIGHEST_RATING}"
            raise _wrong(path, text, key, f"must be a number {limits}, not {value!r}")
    elif not isinstance(value, str):
        raise _wrong(path, text, key, f"must be text in quotes, not {value!r}")
    elif not can_be_printed(value):
        raise _wrong(path, text, key, f"has characters that cannot be printed: {value!r}")


def can_be_printed(text: str) -> bool:
    """Whether it has no control characters but line ends and tabs: a terminal would obey them."""
    return all(letter.isprintable() or letter in "\n\t" for letter in text)


def _puzzle(path: Path, text: str, entries: dict[str, object]) -> Puzzle:
    words = {key: str(value) for key, value in entries.items()}
    themes = all_themes()
    if words["theme"] not in themes:
        hint = did_you_mean(words["theme"], themes)
        raise _wrong(path, text, "theme", f"must be one of {', '.join(themes)}{hint}")
    ask = words.get("ask", ASKS[0])
    if ask not in ASKS:
        raise _wrong(path, text, "ask", f"must be one of {', '.join(ASKS)}, not '{ask}'")
    if not FRACTION.fullmatch(words["value"]):
        raise _wrong(path, text, "value", "must be a fraction such as 1 or 2/3")
    rules, position = _posed(path, text, words)
    options = {key: words[key] for key in ("goal", "horizon", "others", "sight") if key in words}
    answer = entries["answer"]
    assert isinstance(answer, list)
    return Puzzle(
        path.stem,
        path,
        words["title"],
        words["story"],
        Query(rules, position, **options),  # type: ignore[arg-type]  # all of these are words
        ask,
        tuple(answer),
        Fraction(words["value"]),
        int(words["difficulty"]),
        words["theme"],
        words.get("source", ""),
        _rating(path, text, entries),
    )


def _rating(path: Path, text: str, entries: dict[str, object]) -> int:
    level, rating = entries["difficulty"], entries.get("rating")
    assert isinstance(level, int)
    if not isinstance(rating, int):
        return middle_rating(level)
    if level_of(rating) != level:
        raise _wrong(path, text, "rating", f"{rating} is of level {level_of(rating)}, not {level}")
    return rating


def _posed(path: Path, text: str, words: dict[str, str]) -> tuple[Game, PosedPosition]:
    key = "game"
    try:
        rules = game(words.get(key, DEFAULT_GAME))
        key = "position"
        return rules, read_position(rules, words[key])
    except GameError as error:
        hint = f': try game = "{error.other}"' if isinstance(error, WrongGame) else ""
        raise _wrong(path, text, key, f"is wrong: {error}{hint}") from None


def _wrong(path: Path, text: str, key: str, problem: str) -> BadPuzzle:
    """The error about a key, with the line that it is on."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return BadPuzzle(f"{path}, line {number}: {key} {problem}")
    return BadPuzzle(f"{path}: {key} {problem}")


# ---- proving ----------------------------------------------------------------------------------


def prove(puzzle: Puzzle, budget: NodeBudget, policies: PolicyLoader | None = None) -> Solution:
    """The solution, if it is what the puzzle claims; otherwise BadPuzzle says what is not."""
    text = puzzle.path.read_text(encoding="utf-8")
    try:
        solution = solve_query(puzzle.query, budget, policies, every_world=True)
    except GameError as error:
        raise BadPuzzle(f"{puzzle.path}: {error}") from None
    answer, state, rules = solution.answer, solution.worlds[0], puzzle.query.game
    if not answer.exact:
        raise Undecided(f"{puzzle.path}: no exact answer, because {answer.why}")
    claimed: set[int] = set()
    for words in puzzle.answer:
        try:
            claimed.add(rules.text.parse(state, words))
        except GameError as error:
            raise _wrong(puzzle.path, text, "answer", f"is not possible: {error}") from None
    best = puzzle.best(answer)
    value = best[0].sure[0] if puzzle.ask == "sure" else best[0].likely[0]
    if {value.move for value in best} != claimed:
        moves = ", ".join(f"'{move}'" for move in map(solution.text, best))
        raise _wrong(puzzle.path, text, "answer", f"is not best; the best is {moves}")
    if len(best) == len(answer.values):
        raise _wrong(puzzle.path, text, "answer", "is every legal move; all are worth the same")
    if value != puzzle.value:
        raise _wrong(puzzle.path, text, "value", f"is {puzzle.value}, but the answer is {value}")
    return solution


def solution_of(
    puzzle: Puzzle, budget: NodeBudget, policies: PolicyLoader | None = None
) -> Solution:
    """The proven solution; a puzzle without a claim, which came as a line, is only solved."""
    if puzzle.answer:
        return prove(puzzle, budget, policies)
    solution = solve_query(puzzle.query, budget, policies, every_world=True)
    if not solution.exact:
        raise Undecided(f"the puzzle has no exact answer, because {solution.answer.why}")
    return solution
