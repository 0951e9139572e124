"""Golden files match the code; review the difference when either changes."""

from __future__ import annotations

import pytest

from tests.support.goldens import GOLDENS
from tests.support.paths import ROOT


@pytest.mark.parametrize("name", sorted(GOLDENS))
def test_golden_file_is_up_to_date(name: str) -> None:
    stored = (ROOT / name).read_text(encoding="utf-8")
    assert stored == GOLDENS[name](), f"{name} is stale: run scripts/update-golden, then read it"
