"""Endings of both games solved by hand, in endings.toml with the reasoning; the solver agrees."""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from solver import solve
from solver.puzzles.themes import themes

Words = dict[str, Any]
QUESTION = {"goal", "horizon", "others"}
EXPECTED = {"values", "sure", "worlds", "themes"}
FILE = Path(__file__).with_name("endings.toml")


def cases() -> Iterator[Any]:
    for ending in tomllib.loads(FILE.read_text(encoding="utf-8"))["ending"]:
        for case in ending["cases"]:
            words = [str(case[key]) for key in case if key not in EXPECTED]
            yield pytest.param(ending, case, id=", ".join([ending["name"], *words]))


def check(expected: dict[str, str], actual: dict[str, Fraction]) -> None:
    rest = [expected["*"]] if "*" in expected else []
    assert {*expected} <= {*actual, "*"}
    assert actual == {move: Fraction(expected.get(move, *rest)) for move in actual}


@pytest.mark.parametrize(("ending", "case"), list(cases()))
def test_the_solver_agrees_with_the_reasoning(ending: Words, case: Words) -> None:
    position = ending["position"].strip().format_map(case)
    game = ending.get("game", "hidden-leaders")
    question = {key: case[key] for key in QUESTION & {*case}}
    solution = solve(position, game=game, nodes=50_000, **question)
    assert solution.exact
    if "values" in case:
        check(case["values"], {text: value.likely[0] for text, value in solution.moves.items()})
    if "sure" in case:
        check(case["sure"], {text: value.sure[0] for text, value in solution.moves.items()})
    assert len(solution.worlds) == case.get("worlds", len(solution.worlds))
    assert "themes" not in case or list(themes(solution)) == case["themes"]
