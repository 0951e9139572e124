"""Puzzles: positions with a question and the claimed answer, in files that can be proven.

    title = "Four legs good"
    story = "One hero more and the game is over. Which one?"
    position = "threshold 3; red 6; green 4; A leader Enned hand PiPi open KeKo ApWa; B leader Cyra"
    answer = ["play Pigmented War Pig"]    # all best first moves
    value = "1"                            # what they are worth
    difficulty = 1                         # from 1 to 5
    theme = "markers"

`goal`, `horizon`, `others` and `sight` are as `Asked` has them, with the same defaults; `source`
says where a puzzle comes from, `game` of which game it is, if not Hidden Leaders. `ask = "sure"`
judges moves by the worst world instead of by all.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from games.bundled import bundled
from games.errors import GameError, WrongGame, did_you_mean
from games.questions import PosedPosition
from games.registry import DEFAULT_GAME, Game, game, read_position
from solver.answer import Answer, MoveValue
from solver.ask import Asked, Hire, Solved, solve
from solver.certificates.format import FRACTION
from solver.core.budget import NodeBudget

FOLDER: Final = bundled("puzzles")
"""The puzzles that come along; they are found by their bare names."""

THEMES: Final = (
    # Hidden Leaders
    "copy chain",
    "denying",
    "emperor",
    "forced burial",
    "forced choice",
    "hidden cards",
    "markers",
    "strength",
    "tie-break",
    # Secrets
    "bullet",
    "hidden tokens",
    "hippie",
    "level teams",
    "offer",
    "pairs",
    "refusal",
    "swap",
    "UN token",
)
_NEEDED: Final = ("title", "story", "position", "answer", "value", "difficulty", "theme")
_KEYS: Final = (*_NEEDED, "goal", "horizon", "others", "sight", "ask", "source", "game")
_LISTS: Final = ("answer",)
_NUMBERS: Final = ("difficulty",)
_ASKS: Final = ("likely", "sure")
HARDEST: Final = 5


class BadPuzzle(GameError):
    """A puzzle that makes no sense or claims what is not so; the message names file and line."""


class Undecided(BadPuzzle):
    """A puzzle whose claim was too much to look at: it may well be so."""


@dataclass(frozen=True)
class Puzzle:
    """What a file says."""

    name: str
    path: Path
    title: str
    story: str
    asked: Asked
    ask: str
    answer: tuple[str, ...]
    value: Fraction
    difficulty: int
    theme: str
    source: str

    @property
    def rank(self) -> tuple[int, str]:
        """From easy to hard."""
        return self.difficulty, self.name

    def best(self, answer: Answer) -> list[MoveValue]:
        """The best first moves, by what the puzzle judges moves by."""
        return answer.surest if self.ask == "sure" else answer.best


def puzzle_files() -> list[Path]:
    """The files of the puzzles that come along, by name."""
    return sorted(FOLDER.glob("*.toml"))


def find_puzzle(name: str) -> Path:
    """The file of that name, or of the puzzle of that name that comes along."""
    for path in (Path(name), FOLDER / f"{name}.toml"):
        if path.is_file():
            return path
    if Path(name).is_dir():
        raise BadPuzzle(f"'{name}' is a folder: name the files in it, as in {Path(name)}/*.toml")
    known = [path.stem for path in puzzle_files()]
    raise BadPuzzle(
        f"there is no puzzle '{name}'{did_you_mean(name, known)} "
        f"(`arena puzzles` lists all {len(known)})"
    )


# ---- reading ----------------------------------------------------------------------------------


def load_puzzle(path: Path) -> Puzzle:
    """The puzzle of the file; BadPuzzle names the line that is wrong."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        found: dict[str, object] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also of numbers that are too long
        raise BadPuzzle(f"{path}: {error}") from None
    for key, value in found.items():
        if key not in _KEYS:
            raise wrong(path, text, key, f"is no key of a puzzle{did_you_mean(key, _KEYS)}")
        _check_kind(path, text, key, value)
    missing = [key for key in _NEEDED if key not in found]
    if missing:
        raise BadPuzzle(f"{path}: {' and '.join(missing)} must be said")
    return _made(path, text, found)


def _check_kind(path: Path, text: str, key: str, value: object) -> None:
    if key in _LISTS:
        if not isinstance(value, list) or not value or not all(type(one) is str for one in value):
            raise wrong(path, text, key, "must be a list of moves in words")
    elif key in _NUMBERS:
        if type(value) is not int or not 1 <= value <= HARDEST:
            raise wrong(path, text, key, f"must be a number from 1 to {HARDEST}, not {value!r}")
    elif not isinstance(value, str):
        raise wrong(path, text, key, f"must be text in quotes, not {value!r}")


def _made(path: Path, text: str, found: dict[str, object]) -> Puzzle:
    words = {key: str(value) for key, value in found.items()}
    if words["theme"] not in THEMES:
        hint = did_you_mean(words["theme"], THEMES)
        raise wrong(path, text, "theme", f"must be one of {', '.join(THEMES)}{hint}")
    ask = words.get("ask", _ASKS[0])
    if ask not in _ASKS:
        raise wrong(path, text, "ask", f"must be one of {', '.join(_ASKS)}, not '{ask}'")
    if not FRACTION.fullmatch(words["value"]):
        raise wrong(path, text, "value", "must be a fraction such as 1 or 2/3")
    rules, position = _posed(path, text, words)
    options = {key: words[key] for key in ("goal", "horizon", "others", "sight") if key in words}
    answer = found["answer"]
    assert isinstance(answer, list)
    return Puzzle(
        path.stem,
        path,
        words["title"],
        words["story"],
        Asked(rules, position, **options),  # type: ignore[arg-type]  # all of these are words
        ask,
        tuple(answer),
        Fraction(words["value"]),
        int(words["difficulty"]),
        words["theme"],
        words.get("source", ""),
    )


def _posed(path: Path, text: str, words: dict[str, str]) -> tuple[Game, PosedPosition]:
    try:
        rules = game(words.get("game", DEFAULT_GAME))
    except GameError as error:
        raise wrong(path, text, "game", f"is wrong: {error}") from None
    try:
        return rules, read_position(rules, words["position"])
    except WrongGame as error:
        problem = f'is wrong: {error}: try game = "{error.other}"'
        raise wrong(path, text, "position", problem) from None
    except GameError as error:
        raise wrong(path, text, "position", f"is wrong: {error}") from None


def wrong(path: Path, text: str, key: str, problem: str) -> BadPuzzle:
    """The complaint about a key, with the line on which it stands."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return BadPuzzle(f"{path}, line {number}: {key} {problem}")
    return BadPuzzle(f"{path}: {key} {problem}")


# ---- proving ----------------------------------------------------------------------------------


def prove(puzzle: Puzzle, budget: NodeBudget, hire: Hire | None = None) -> Solved:
    """The solver's answer, if it is what the puzzle claims; else BadPuzzle says what is not."""
    text = puzzle.path.read_text(encoding="utf-8")
    try:
        solved = solve(puzzle.asked, budget, hire)
    except GameError as error:
        raise BadPuzzle(f"{puzzle.path}: {error}") from None
    answer, table, rules = solved.answer, solved.worlds[0], puzzle.asked.game
    if not answer.exact:
        raise Undecided(f"{puzzle.path}: there is no exact answer, {answer.why}")
    claimed: set[int] = set()
    for words in puzzle.answer:
        try:
            claimed.add(rules.text.parse(table, words))
        except GameError as error:
            raise wrong(puzzle.path, text, "answer", f"is not possible: {error}") from None
    best = puzzle.best(answer)
    value = best[0].sure[0] if puzzle.ask == "sure" else best[0].likely[0]
    if {one.move for one in best} != claimed:
        told = ", ".join(f"'{rules.text.move(table, one.move)}'" for one in best)
        raise wrong(puzzle.path, text, "answer", f"is not what is best: that is {told}")
    if len(best) == len(answer.values):
        raise wrong(puzzle.path, text, "answer", "is every legal move: all are worth the same")
    if value != puzzle.value:
        raise wrong(puzzle.path, text, "value", f"is {puzzle.value}, but the answer is {value}")
    return solved
