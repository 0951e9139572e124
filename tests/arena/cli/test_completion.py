"""Shell completion: commands, options, bots, leagues, puzzles, games; runs no stranger's code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from arena.cli import main as cli
from tests.support.command_line import modules_loaded_by
from tests.support.paths import ROOT


def offered(*words: str) -> list[str]:
    """What is offered for the last word."""
    *before, last = words
    completer = ShellComplete(cli.arena, {}, "arena", cli.COMPLETE)
    return [item.value for item in completer.get_completions(list(before), last)]


def test_commands_and_options() -> None:
    assert offered("le") == ["league"]
    assert {"match", "rules", "puzzles"} <= set(offered(""))
    assert offered("puzzles", "ma") == ["make"]
    assert offered("league", "--until") == ["--until-settled"]


@pytest.mark.parametrize(
    "words",
    [("match", "gr"), ("match", "random", "gr"), ("compare", "gr"), ("check", "gr")],
)
def test_bots(words: tuple[str, ...]) -> None:
    assert offered(*words) == ["greedy"]


def test_bots_as_options() -> None:
    assert offered("league", "--bot", "is") == ["ismcts"]
    assert offered("play", "--bots", "greedy,ra") == ["greedy,random"]


def test_leagues_puzzles_and_games(folder: Path) -> None:
    (folder / "quiet.toml").touch()
    (folder / "more").mkdir()
    (folder / "more" / "far.toml").touch()
    assert offered("league", "q") == ["quick", "quiet.toml"]
    assert offered("league", "more/") == ["more/far.toml"]
    assert "doubt" in offered("puzzles", "try", "do")
    assert offered("league", "--game", "s") == ["secrets"]
    assert offered("match", "--game", "s") == ["secrets"]
    assert offered("rules", "set") == ["Setting up"]


def test_bots_in_files_are_found_without_running_them(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "from bots import Bot\nopen('ran', 'w')\nclass Mine(Bot): ...\nclass Other: ...\n"
    )
    (folder / "broken.py").write_text("class Broken(Bot:\n")
    (folder / "binary.py").write_bytes(b"\0\xff")
    assert offered("match", "mi") == ["mine.py:Mine"]
    assert offered("match", "mine.py:") == ["mine.py:Mine"]
    assert not (folder / "ran").exists()


@pytest.mark.usefixtures("folder")
def test_where_nothing_fits_the_shell_offers_files() -> None:
    completer = ShellComplete(cli.arena, {}, "arena", cli.COMPLETE)
    (item,) = completer.get_completions(["match"], "zzz")
    assert item.type == "file"


def test_listing_commands_imports_none_of_them() -> None:
    code = (
        "from click.shell_completion import ShellComplete\n"
        "from arena.cli import main as cli\n"
        "ShellComplete(cli.arena, {}, 'arena', cli.COMPLETE).get_completions([], '')"
    )
    assert modules_loaded_by(code, "arena.lab", "arena.league", "solver", "tabulate") == ""


def asked(shell: str, folder: Path, words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "_ARENA_COMPLETE": shell}
    environment |= {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    return subprocess.run(
        [sys.executable, "-m", "arena"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.slow
def test_the_shells_are_answered(tmp_path: Path) -> None:
    assert asked("bash_complete", tmp_path, "arena match gree").stdout == "plain,greedy\n"
    for shell in ("zsh_source", "fish_source"):
        assert "arena" in asked(shell, tmp_path, "arena").stdout


def test_trouble_while_completing_is_silent(tmp_path: Path) -> None:
    done = asked("bash_complete", tmp_path, "arena nothing x")
    assert (done.stdout.strip(), done.stderr) == ("", "")
