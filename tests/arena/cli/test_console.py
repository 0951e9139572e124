"""How commands print: tables and progress lines that fit, and colour only on a terminal."""

import io
import os
import pty
import subprocess
import sys
from collections.abc import Mapping

import pytest

from arena.cli import console
from arena.cli.colour import paint
from arena.cli.console import StatusLine, format_table, progress_bar, wrap_prose
from games.text_width import cells, cut
from tests.support.paths import ROOT

# ---- what fits ----------------------------------------------------------------------------------

LONG = "a name without any blank, which is longer than half of a line".replace(" ", "_")


@pytest.mark.parametrize(
    ("rows", "headers"),
    [
        ([["x", "word " * 60]], ["short", "last"]),
        ([[LONG, "word " * 60]], ["name", "last"]),
        ([[LONG, LONG, 3], ["y", "z", 4]], ["first", "second", "third"]),
        (
            [["", "play " * 12, "1/3 (0.333)", "0", "4 of 6", "C " * 30]],
            ["", "m", "v", "w", "s", "f"],
        ),
    ],
)
def test_a_table_fits_the_line_and_loses_nothing(
    rows: list[list[object]], headers: list[str]
) -> None:
    table = format_table(rows, headers)
    assert max(map(len, table.splitlines())) <= 80
    letters = sorted("".join(str(cell) for row in rows for cell in row).replace(" ", ""))
    assert sorted("".join(table.splitlines()[2:]).replace(" ", "")) == letters


def test_words_are_broken_only_where_whole_ones_do_not_fit() -> None:
    """The last column was wrapped first, and words in it were broken for blanks in another."""
    row = [
        "141",
        "C",
        "draw Joyless Chief Whaleman",
        *["0.16~ ??"] * 4,
        "play Underestimated Squire",
    ]
    table = format_table([row], ["move", "seat", "played", *"abcd", "better"])
    assert max(map(len, table.splitlines())) <= 80
    assert set(" ".join(row).split()) <= set(table.split())


def test_a_table_that_fits_is_not_wrapped() -> None:
    assert len(format_table([["a", "b c d"], ["e", "f"]], ["x", "y"]).splitlines()) == 4


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("short", 10, "short"),
        ("exactly-10", 10, "exactly-10"),
        ("more than ten", 10, "more than\u2026"),
        ("日本語のボット", 14, "日本語のボット"),
        ("日本語のボット", 10, "日本語の\u2026"),
        ("日本語のボット", 9, "日本語の\u2026"),
        ("e\u0301" * 4, 4, "e\u0301" * 4),
    ],
)
def test_text_is_cut_to_columns_of_the_terminal(text: str, columns: int, expected: str) -> None:
    assert cut(text, columns) == expected
    assert cells(expected) <= columns


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_progress_line_with_wide_characters_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    line = StatusLine(Screen())
    line.draw("12/40 games; wins: " + "日本語のボット" * 5)
    assert cells(line.drawn) in (38, 39)


def test_a_progress_bar_with_a_long_label_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_bar(3, f"Checking {LONG}") as progress:
        progress(3)
    drawn = [part for part in screen.getvalue().replace("\n", "\r").split("\r") if "%" in part]
    assert drawn
    assert all(len(part.replace("\x1b[?25l", "").rstrip()) <= 60 for part in drawn)


def test_commands_in_a_report_can_be_copied() -> None:
    command = f"    to reproduce it: arena match {LONG} {LONG}"
    report = wrap_prose(f"{'word ' * 30}\n{command}\nnext: arena {LONG} {LONG}")
    assert command in report.splitlines()
    assert f"next: arena {LONG} {LONG}" in report.splitlines()
    assert max(map(len, report.splitlines()[:2])) <= 80


# ---- colour -------------------------------------------------------------------------------------

GREEN, RED, BOLD, DIM = "\x1b[32m", "\x1b[31m", "\x1b[1m", "\x1b[2m"


@pytest.mark.parametrize(
    ("line", "painted"),
    [
        ("2 players: 3 games: OK", f"{GREEN}OK"),
        ("verdict: PASS", f"{GREEN}PASS"),
        ("verdict: FAIL", f"{RED}FAIL"),
        ("ok      copies tie", f"{GREEN}ok"),
        ("FAILED  copies tie", f"{RED}FAILED"),
        ("Winner after 138 decisions: A (greedy)", f"{GREEN}Winner"),
        ("run.db: 4 games replayed, all correct", f"{GREEN}all correct"),
        ("no writes   NO", f"{RED}NO"),
        ("In brackets: 95 % confidence intervals", f"{DIM}In brackets"),
    ],
)
def test_verdicts_and_legends_have_their_colours(line: str, painted: str) -> None:
    assert painted in paint(f"before\n{line}\nafter")
    assert paint(line).count("\x1b[0m") == 1


def test_heads_of_tables_are_bold() -> None:
    painted = paint(format_table([["a", "b"]], ["two\nlines", "one"])).splitlines()
    assert [line.startswith(BOLD) for line in painted] == [True, True, False, False]


def on_terminal(*words: str, **settings: str) -> str:
    """What a command writes to a terminal; its stdout and stderr together."""
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment: Mapping[str, str] = {**kept, "TERM": "xterm", **settings}
    command = [sys.executable, "-m", "arena", *words]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=theirs, stderr=theirs) as done:
        os.close(theirs)
        printed = b""
        try:
            while part := os.read(ours, 4096):
                printed += part
        except OSError:  # Linux: the other end is closed
            pass
        finally:
            os.close(ours)
    assert done.returncode in (0, 2)
    return printed.decode()


@pytest.mark.slow
def test_colour_on_a_terminal_and_nowhere_else() -> None:
    words = ("bots", "random")
    assert BOLD in on_terminal(*words)
    assert f"{RED}arena:" in on_terminal("bots", "gredy")
    assert GREEN in on_terminal("match", "random", "greedy")
    for settings in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in on_terminal(*words, **settings)
        assert "\x1b" not in on_terminal("bots", "gredy", **settings)
    assert "\x1b" not in on_terminal(*words, "--json")
    piped = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert b"\x1b" not in piped.stdout


def test_an_empty_no_color_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen()
    console.show_report("verdict: PASS", screen)
    assert GREEN in screen.getvalue()
