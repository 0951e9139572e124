"""Every hero, every ruling and every movement of a card is named by a test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.text.rulings import RULINGS
from tests.support.paths import ROOT

TESTS = ROOT / "tests"
MOVEMENTS = range(1, 42)
"""The rows of the table of who learns which card: P1 to P41."""


def sources(folder: Path) -> Iterator[str]:
    """The text of every test file in the folder; golden files and this one do not count."""
    for path in sorted(folder.rglob("*.py")):
        if path != Path(__file__):
            yield path.read_text(encoding="utf-8")


def cited(letter: str) -> set[int]:
    """Numbers named on their own; the ends of a range such as R1-R9 are not."""
    found: set[int] = set()
    for text in sources(TESTS):
        alone = re.sub(rf"\b{letter}\d+\s*(?:-|to|\u2013)\s*{letter}?\d+\b", "", text)
        found.update(int(number) for number in re.findall(rf"\b{letter}(\d+)\b", alone))
    return found


def test_every_hero_is_named_in_a_card_test() -> None:
    text = "\n".join(sources(Path(__file__).parent / "cards"))
    missing = [hero.name for hero in HEROES if hero.name not in text]
    assert not missing, (
        f"no test under tests/games/hidden_leaders/cards names: {', '.join(missing)}"
    )


def test_every_ruling_is_cited() -> None:
    missing = [f"R{number}" for number in sorted(set(RULINGS) - cited("R"))]
    assert not missing, f"no test cites: {', '.join(missing)}"


def test_every_movement_is_cited() -> None:
    missing = [f"P{number}" for number in MOVEMENTS if number not in cited("P")]
    assert not missing, f"no test cites: {', '.join(missing)}"
