"""The guide to writing a bot is correct: its bots play, its commands print what it shows."""

import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from arena import play_game
from arena.cli import main as cli
from tests.support.paths import ROOT

GUIDE = (ROOT / "docs" / "writing-a-bot.md").read_text()
BLOCKS = re.findall(r"^```(python|console)\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
FILES = {
    re.match(r"# (\w+\.py)\n", text)[1]: text  # type: ignore[index]
    for kind, text in BLOCKS
    if kind == "python"
}
BOTS = {
    name: match[1]
    for name, text in FILES.items()
    if (match := re.search(r"class (\w+)\(Bot", text))
}
SESSIONS = [text for kind, text in BLOCKS if kind == "console"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with every file of the guide in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def commands(session: str) -> list[tuple[list[str], str]]:
    """Every command of a console block, and the output that the guide shows."""
    starts = [match.start() for match in re.finditer(r"^\$ ", session, re.MULTILINE)]
    parts = [session[a:b] for a, b in pairwise([*starts, len(session)])]
    return [
        (shlex.split(line.removeprefix("$ ")), shown)
        for line, _, shown in (part.partition("\n") for part in parts)
    ]


def exit_code(arguments: list[str]) -> int:
    try:
        return cli.run(arguments)
    except SystemExit as exit_:
        return int(exit_.code or 0)


def pattern(shown: str) -> str:
    """The shown output as a regular expression: ... matches anything, blanks any blanks."""
    pieces = [r"\s+".join(map(re.escape, piece.split())) for piece in shown.split("...")]
    return r"\s*" + r"[\s\S]*".join(rf"\s*{piece}\s*" for piece in pieces) + r"\s*"


def test_the_guide_has_sessions_and_bots() -> None:
    assert len(SESSIONS) >= 6
    assert len(BOTS) >= 5


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.partition("\n")[0][2:])
def test_commands_print_what_the_guide_shows(
    session: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "magpie" in session:
        assert not (folder / "magpie.py").exists()
    for (program, *arguments), shown in commands(session):
        assert program == "arena"
        code = exit_code(arguments)
        captured = capsys.readouterr()
        expected = 2 if shown.startswith("arena: ") else int("verdict: FAIL" in shown)
        assert code == expected, captured.err
        assert re.fullmatch(pattern(shown), captured.out + captured.err), (
            captured.out + captured.err
        )


FAULTY = {"hasty.py", "thinker.py"}


@pytest.mark.parametrize("file", sorted(set(BOTS) - FAULTY))
@pytest.mark.parametrize("players", [2, 4])
def test_bots_play_whole_games(file: str, players: int, folder: Path) -> None:
    name = f"{file}:{BOTS[file]}" + (":worlds=1" if file == "dreamer.py" else "")
    assert play_game([name, *["random"] * (players - 1)]).decisions > 20


def test_scripts_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scripts = sorted(set(FILES) - set(BOTS))
    assert scripts == ["many.py"]
    for script in scripts:
        exec(compile(FILES[script], script, "exec"), {})  # noqa: S102
    assert re.fullmatch(r"\d+ of 10 games won\n", capsys.readouterr().out)


def test_the_attributes_in_the_tables_exist() -> None:
    from bots import Bot  # noqa: PLC0415
    from games.hidden_leaders.knowledge.view import HiddenLeadersView  # noqa: PLC0415
    from games.state import Rng  # noqa: PLC0415

    class AnyBot(Bot):
        def choose(self, view: object) -> int:
            return 0

    owners = {"self": AnyBot(0, Rng(1)), "view": HiddenLeadersView(0, 3)}
    rows = [row.split("|")[1] for row in GUIDE.splitlines() if row.startswith("| `")]
    assert len(rows) >= 15
    for name in re.findall(r"`(?:self\.)?(\w+)", " ".join(rows)):
        assert any(hasattr(owner, name) for owner in owners.values()), name


@pytest.mark.slow
def test_typed_bots_of_the_guide_pass_mypy(folder: Path) -> None:
    """As an author would run it: in another folder, with the packages on the import path."""
    typed = [name for name, text in FILES.items() if "-> int" in text]
    assert typed
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache")]
    done = subprocess.run(
        [*command, "--python-version", "3.11", *typed],
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
