"""Every ruling, every row of who learns what and every character of Secrets has a test."""

from __future__ import annotations

import re
from pathlib import Path

from games.secrets.constants import CHARACTER_NAMES
from games.secrets.rulings import BY_CHARACTER, KNOWING, RULES

TESTS = "\n".join(
    path.read_text(encoding="utf-8")
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    if path != Path(__file__)
)
NAMED = {name.upper() for name in re.findall(r'[_"]([sq]\d+)(?=[_ ])', TESTS, re.IGNORECASE)}
"""Rulings in names of tests and at the start of the ids of their cases."""


def test_every_ruling_is_in_the_name_of_a_test() -> None:
    missing = [f"S{number}" for number in RULES.rulings if f"S{number}" not in NAMED]
    assert not missing, f"no test is named after {', '.join(missing)}"
    assert sorted(RULES.rulings) == list(range(1, 41))


def test_every_row_of_who_learns_what_is_in_the_name_of_a_test() -> None:
    missing = [f"Q{number}" for number in KNOWING.rulings if f"Q{number}" not in NAMED]
    assert not missing, f"no test is named after {', '.join(missing)}"
    assert sorted(KNOWING.rulings) == list(range(1, 17))


def test_every_character_is_offered_in_some_test() -> None:
    for name in CHARACTER_NAMES:
        assert f'offer("{name}"' in TESTS, name
    assert len(BY_CHARACTER) == len(CHARACTER_NAMES)
