"""Every hero has a test of its own, and tests cite every ruling and every movement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.text.rulings import RULINGS
from tests.games.hidden_leaders import cards
from tests.support.paths import ROOT

CARD_TESTS = Path(__file__).parent / "cards"
MOVEMENTS = range(1, 42)
"""The rows of the table of who learns which card: P1 to P41."""


def hero_parameters(test: object) -> Iterator[str]:
    """Every value of the parameter `hero` in the test's parametrize marks."""
    marks: list[pytest.Mark] = getattr(test, "pytestmark", [])
    for mark in marks:
        if mark.name != "parametrize":
            continue
        names, rows = mark.args
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
        if "hero" in names:
            for row in rows:
                yield row[names.index("hero")] if len(names) > 1 else row


def heroes_in_test_ids() -> set[str]:
    """Heroes that a card test has in its name or as its parameter `hero`, and so in its id."""
    heroes: set[str] = set()
    for path in CARD_TESTS.glob("test_*.py"):
        module = import_module(f"{cards.__name__}.{path.stem}")
        tests = {name: test for name, test in vars(module).items() if name.startswith("test_")}
        for name, test in tests.items():
            heroes.update(hero_parameters(test))
            heroes.update(hero.name for hero in HEROES if snake_case(hero.name) in name)
    return heroes


def snake_case(name: str) -> str:
    return name.lower().replace(" ", "_").replace("-", "_")


def cited(letter: str) -> set[int]:
    """Numbers cited by themselves; the ends of a range such as R1-R9 do not count."""
    numbers: set[int] = set()
    for path in (ROOT / "tests").rglob("*.py"):
        if path != Path(__file__):
            text = path.read_text(encoding="utf-8")
            text = re.sub(rf"\b{letter}\d+\s*(?:-|to|\u2013)\s*{letter}?\d+\b", "", text)
            numbers.update(int(number) for number in re.findall(rf"\b{letter}(\d+)\b", text))
    return numbers


def test_every_hero_has_a_test_of_its_own() -> None:
    named = heroes_in_test_ids()
    missing = [hero.name for hero in HEROES if hero.name not in named]
    assert not missing, f"no test in {CARD_TESTS} has in its id: {', '.join(missing)}"


def test_a_hero_that_only_helps_in_a_test_does_not_count() -> None:
    @pytest.mark.parametrize(("hero", "prey"), [("Aimless Eel", "Crow Carrier")])
    @pytest.mark.parametrize("script", [["bury Mummy Mystic"]])
    def test(hero: str, prey: str, script: list[str]) -> None:
        """Uses Keen Koi."""

    assert set(hero_parameters(test)) == {"Aimless Eel"}


def test_every_ruling_is_cited() -> None:
    missing = [f"R{number}" for number in sorted(set(RULINGS) - cited("R"))]
    assert not missing, f"no test cites: {', '.join(missing)}"


def test_every_movement_is_cited() -> None:
    missing = [f"P{number}" for number in sorted(set(MOVEMENTS) - cited("P"))]
    assert not missing, f"no test cites: {', '.join(missing)}"
