"""Every ruling, every row of who learns what and every character of Secrets has a test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from games.secrets.constants import CHARACTER_NAMES
from games.secrets.rulings import BY_CHARACTER, KNOWING, RULES
from tests.games import secrets

FILES = [
    path for path in sorted(Path(__file__).parent.glob("test_*.py")) if path.stem != "test_coverage"
]


def names_of_tests() -> Iterator[str]:
    """Every test's name, and the ids of its cases."""
    for path in FILES:
        for name, test in vars(import_module(f"{secrets.__name__}.{path.stem}")).items():
            if name.startswith("test_"):
                yield name.replace("_", " ")
                marks: list[pytest.Mark] = getattr(test, "pytestmark", [])
                for mark in marks:
                    yield from map(str, mark.kwargs.get("ids") or ())
                    if mark.name == "parametrize":
                        yield from (str(getattr(case, "id", "")) for case in mark.args[1])


CITED = set(re.findall(r"\b[sq]\d+\b", " ".join(names_of_tests()).lower()))


def test_every_ruling_is_in_the_name_of_a_test() -> None:
    missing = [f"S{number}" for number in RULES.rulings if f"s{number}" not in CITED]
    assert not missing, f"no test is named after {', '.join(missing)}"
    assert sorted(RULES.rulings) == list(range(1, 41))


def test_every_row_of_who_learns_what_is_in_the_name_of_a_test() -> None:
    missing = [f"Q{number}" for number in KNOWING.rulings if f"q{number}" not in CITED]
    assert not missing, f"no test is named after {', '.join(missing)}"
    assert sorted(KNOWING.rulings) == list(range(1, 17))


def test_every_character_is_offered_in_some_test() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
    for name in CHARACTER_NAMES:
        assert f'offer("{name}"' in text, name
    assert len(BY_CHARACTER) == len(CHARACTER_NAMES)
