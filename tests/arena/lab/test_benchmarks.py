"""The benchmarks run, and the tables in their .md pages have the lines they print."""

import re
import sys

import pytest

from tests.support.leagues import output
from tests.support.paths import ROOT


def lines(text: str) -> list[str]:
    """The first column of the table in a text."""
    below = re.split(r"^-+  .*\n", text, maxsplit=1, flags=re.MULTILINE)[1].partition("\n```")[0]
    return [line.split("  ")[0] for line in below.strip().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "quickly"),
    [
        ("fit", "--leagues 1 --deals 2 3"),
        ("sequential", "--tests 25 --limit 50"),
        ("settled", "--leagues 1 --pairs 1 --limit 64"),
    ],
)
def test_it_runs_and_prints_the_lines_of_its_page(name: str, quickly: str) -> None:
    done = output(sys.executable, f"benchmarks/{name}.py", *quickly.split(), "--workers", "1")
    page = (ROOT / "benchmarks" / f"{name}.md").read_text(encoding="utf-8")
    assert lines(done.stdout) == lines(page)
