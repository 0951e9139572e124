"""Pages of one file: their policy allows what is in them, and nothing else."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from arena.match.api import play_game
from arena.web.charts import Whisker, axis, line_chart, whisker_chart
from arena.web.page import joined, one_file
from arena.web.view_page import view_page


def test_the_policy_names_the_hashes_of_style_and_script() -> None:
    page = one_file("T", "<p>hi</p>", ["base.css"], ["board.js"], {"a": 1})
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    for text in (style, script):
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_modules_are_joined_without_imports_and_exports() -> None:
    script = joined(["board.js", "viewer.js"])
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)
    assert "function drawTable" in script


def test_text_from_bots_and_files_stays_text() -> None:
    page = one_file("<script>alert(1)</script>", "", [], [])
    assert "<script>alert" not in page


def test_names_of_bots_cannot_break_out_of_the_page() -> None:
    replay = play_game(["greedy", "random"], seed=2).replay
    replay.extra["seats"][0] = "</script><script>alert(1)</script>"  # type: ignore[index]
    page = view_page(replay, "</title><b>")
    assert "<script>alert" not in page
    assert "</title><b>" not in page


@pytest.mark.slow
def test_a_long_game_s_page_is_small() -> None:
    """400 moves in less than 250 kB."""
    replay = play_game(["random"] * 6, seed=4).replay
    page = view_page(replay, "a game")
    assert len(page.encode()) < 250_000 * max(1.0, len(replay.moves) / 400)


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-612, 401), (3, 3), (-1e-14, 1e-14), (0.001, 0.0021), (5, 1e6)]
)
def test_an_axis_has_round_marks_around_both_ends(low: float, high: float) -> None:
    marks = axis(low, high)
    assert marks[0] <= low <= high <= marks[-1]
    assert 3 <= len(marks) <= 9


def test_charts_survive_infinite_intervals_and_odd_names() -> None:
    rows = [Whisker("<b>", 1.0, float("-inf"), float("inf")), Whisker("x" * 60, 2.0, 1.0, 3.0)]
    chart = whisker_chart("a & b", rows, 0)
    assert "&lt;b&gt;" in chart
    assert "inf" not in chart
    assert "a &amp; b" in line_chart("a & b", [("x", [(1, 2), (2, 2)])], "games")


def test_lines_have_numbers_below_them_up_to_the_last_point() -> None:
    chart = line_chart("a chart", [("x", [(100, 2), (4200, 3)])], "games played")
    below = re.findall(r'<text class="mark"[^>]*>(.*?)</text>', chart)
    assert below == ["1,000", "2,000", "3,000", "4,000", "games played"]
