"""What a puzzle asks for, and hints: sentences for the person who solves it."""

from __future__ import annotations

import re
from typing import Final

from solver.ask import Query, read_horizon
from solver.core.question import Others
from solver.puzzles.files import Puzzle
from solver.puzzles.trial import Trial

HINT_COUNT: Final = 3
"""Hints about a choice: each says more than the one before."""

_NAMES_NOTHING: Final = re.compile("^(nothing|out|to |.*, with )")
"""What follows the verb of a choice and is no card, player or place."""

_OTHERS: Final = {
    Others.COALITION.value: "whatever the others do",
    Others.RANDOM.value: "if the others choose at random",
    Others.SELFISH.value: "if everybody plays to win",
}


def task(puzzle: Puzzle) -> str:
    """The question in one sentence; it tells nothing about the answer."""
    query = puzzle.query
    others = _OTHERS.get(query.others, f"if the others play like {query.others.partition(':')[2]}")
    worst = ", and whatever the unknown cards are" if puzzle.ask == "sure" else ""
    return f"{_goal(query)} {_horizon(query)}, {others}{worst}."


def measure_words(puzzle: Puzzle) -> str:
    """What the numbers of the puzzle are; "" for chances, which the solver's words explain."""
    if puzzle.ask != "sure":
        return ""
    return (
        "What counts is what a move guarantees: its chance in the worst of all worlds, whatever "
        "the unknown cards are."
    )


def chance_name(puzzle: Puzzle) -> str:
    """What the number is called that a move keeps or loses."""
    return "guaranteed chance" if puzzle.ask == "sure" else "chance"


def _goal(query: Query) -> str:
    kind, _, seat = query.goal.partition(":")
    if kind == "win":
        return "Win"
    return f"Keep {seat.upper()} from winning" if kind == "deny" else f"Let {query.goal} win"


def _horizon(query: Query) -> str:
    turns = read_horizon(query.horizon)
    if turns == 0:
        return "by the end of the game"
    return "this turn" if turns == 1 else f"within {turns} turns, this one included"


def puzzle_hint(puzzle: Puzzle, trial: Trial, number: int) -> str:
    """The first, second or third hint about the present choice."""
    options = trial.options()
    most = max(options.values())
    best = [move for move, value in options.items() if value == most]
    texts = [puzzle.query.game.text.move(trial.alike()[0], move) for move in best]
    if number <= 1:
        are = "is" if len(best) == 1 else "are"
        theme = f" Theme: {puzzle.theme}." if puzzle.theme else ""
        return f"{len(best)} of {len(options)} choices {are} best.{theme}"
    if number < HINT_COUNT:
        return _second_hint(texts)
    return f"A best choice is: {texts[0]}."


def _second_hint(best: list[str]) -> str:
    """What the best choices are about: what one of them names, unless they differ in kind."""
    kinds = list(dict.fromkeys(text.partition(" ")[0] for text in best))
    if len(kinds) > 1:
        listed = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        return f"Look at the choices that begin with {listed}."
    named = _NAMES_NOTHING.sub("", best[0].partition(" ")[2])
    return f"Look at {named}." if named else f"What happens if you {best[0]}?"
