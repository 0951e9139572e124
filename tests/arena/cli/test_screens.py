"""screens/: what every command prints in terminals of two sizes; every line fits."""

import re
import shutil
from pathlib import Path

import pytest

from tests.support.screens import SCREENS, SIZES, render

COPIED = ("arena: ", "To resume after a stop: ", "    to reproduce it: ", "next: ", "$ arena ")
"""Lines that are there to be copied, or that are one line in scripts: the terminal wraps them."""

STATISTICS = "$ arena standings"
"""Its cross tables have a column for each bot; the first table and those of leagues fit."""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_commands_print_what_is_in_the_file(size: tuple[int, int], tmp_path: Path) -> None:
    columns, rows = size
    expected = (SCREENS / f"{columns}x{rows}.txt").read_text(encoding="utf-8")
    assert render(tmp_path, columns, rows).splitlines() == expected.splitlines()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_line_fits_the_terminal(size: tuple[int, int]) -> None:
    columns, rows = size
    screens = (SCREENS / f"{columns}x{rows}.txt").read_text(encoding="utf-8")
    for screen in re.split(r"\n(?=\$ arena )", screens):
        if screen.startswith(STATISTICS):
            continue
        lines = [line for line in screen.splitlines() if not line.startswith(COPIED)]
        assert [line for line in lines if len(line) > columns] == []
