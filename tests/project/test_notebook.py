"""The notebook runs from top to bottom, and what it trains has learned something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.interpreter import run_python
from tests.support.paths import ROOT

NOTEBOOK = ROOT / "examples" / "league_to_model.ipynb"


def cells() -> list[str]:
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


def test_it_is_stored_without_outputs() -> None:
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")


@pytest.mark.compiled
@pytest.mark.slow
def test_it_runs_and_its_model_has_learned(tmp_path: Path) -> None:
    code = "\n".join(cells())
    code += """
import json
print()
print(json.dumps([accuracy(weights, test), chance, share, shares["greedy, first to move"]]))
assert Bars(shares)._repr_svg_().count("<rect") == 4
"""
    done = run_python("-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    accuracy, chance, share, greedy = json.loads(done.stdout.splitlines()[-1])
    assert accuracy > chance + 0.1
    assert share > 0.55
    assert greedy > 0.6
