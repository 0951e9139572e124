"""Handing over to a function that finishes the game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from arena.match.referee import play_game
from bots.options import BadOption
from bots.runtime.loading import load
from games.registry import game
from games.view import View

RULES = game("hidden-leaders")


class Finishing(ModuleType):
    """A module whose function takes over at the twentieth decision and plays the last move."""

    asked = 0
    text = "no function"

    def finish(self, view: View) -> int | None:
        self.asked += 1
        return view.moves[-1] if view.decisions > 20 else None


@pytest.fixture
def finishing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Finishing]:
    module = Finishing("finishing")
    monkeypatch.setitem(sys.modules, "finishing", module)
    return module


def test_the_function_is_asked_first_and_may_decline(finishing: Finishing) -> None:
    factories = [load("ismcts:iterations=16,endgame=finishing.finish"), load("random")]
    reasons = play_game(RULES, factories, 3).reasons.values()
    assert finishing.asked > 2
    assert any(reason == "finishing.finish says so" for reason in reasons)
    assert any("worlds of" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("finish", "is neither solver nor a dotted path"),
        ("nowhere.finish", "No module named 'nowhere'"),
        ("finishing.begin", "has no function 'begin'"),
        ("finishing.text", "has no function 'text'"),
    ],
)
def test_what_is_not_there_is_said_when_the_bot_is_named(
    finishing: Finishing, path: str, problem: str
) -> None:
    with pytest.raises(BadOption, match=problem):
        load(f"ismcts:endgame={path}")
