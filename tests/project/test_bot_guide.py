"""The guide to writing a bot is correct: its bots play, its commands print what it shows."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena import play_game
from bots import Bot
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.state import Rng
from tests.support.command_line import RunArena
from tests.support.pages import blocks, page, session
from tests.support.paths import ROOT

GUIDE = page("writing-a-bot")
SESSIONS = blocks(GUIDE, "console")
FILES = dict(re.findall(r"^```python\n(?=# (\w+\.py)\n)(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE))
BOTS = {
    name: match[1]
    for name, text in FILES.items()
    if (match := re.search(r"class (\w+)\(Bot", text))
}


@pytest.fixture
def guide_folder(folder: Path) -> Path:
    """The current folder, with every file of the guide in it."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def pattern(shown: str) -> str:
    """The shown output as a regular expression: ... matches anything, blanks any blanks."""
    pieces = [r"\s+".join(map(re.escape, piece.split())) for piece in shown.split("...")]
    return r"\s*" + r"[\s\S]*".join(rf"\s*{piece}\s*" for piece in pieces) + r"\s*"


def test_the_guide_has_sessions_and_bots() -> None:
    assert len(SESSIONS) >= 6
    assert len(BOTS) >= 5
    assert len(blocks(GUIDE, "python")) == len(FILES)
    assert "magpie.py" not in FILES  # a session creates it


@pytest.mark.slow
@pytest.mark.usefixtures("guide_folder")
@pytest.mark.parametrize("block", SESSIONS, ids=lambda block: block.partition("\n")[0][2:])
def test_commands_print_what_the_guide_shows(block: str, arena: RunArena) -> None:
    assert len(session(block)) == len(re.findall(r"^\$ ", block, re.MULTILINE))
    for line, shown in session(block):
        fails = re.search(r"^arena: ", shown, re.MULTILINE)
        code = 2 if fails else int("verdict: FAIL" in shown)
        outcome = arena(*shlex.split(line), code=code)
        # The guide leaves out the line that names bots which run with the user's rights.
        printed = re.sub(r".* runs with your rights, .*\n", "", outcome.out + outcome.err)
        assert re.fullmatch(pattern(shown), printed), printed


FAULTY = {"hasty.py", "thinker.py", "clumsy.py"}


@pytest.mark.parametrize("file", sorted(set(BOTS) - FAULTY))
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.usefixtures("guide_folder")
def test_bots_play_whole_games(file: str, players: int) -> None:
    name = f"{file}:{BOTS[file]}" + (":worlds=1" if file == "dreamer.py" else "")
    assert play_game([name, *["random"] * (players - 1)]).decisions > 20


@pytest.mark.usefixtures("guide_folder")
def test_the_script_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (script,) = set(FILES) - set(BOTS)
    exec(compile(FILES[script], script, "exec"), {})  # noqa: S102
    assert re.fullmatch(r"\d+ of 10 games won\n", capsys.readouterr().out)


def test_the_attributes_in_the_tables_exist() -> None:
    class AnyBot(Bot):
        def choose(self, view: object) -> int:
            return 0

    owners = {"self": AnyBot(0, Rng(1)), "view": HiddenLeadersView(0, 3)}
    rows = [row.split("|")[1] for row in GUIDE.splitlines() if row.startswith("| `")]
    assert len(rows) >= 15
    for name in re.findall(r"`(?:self\.)?(\w+)", " ".join(rows)):
        assert any(hasattr(owner, name) for owner in owners.values()), name


@pytest.mark.slow
def test_typed_bots_and_new_bots_pass_mypy(guide_folder: Path, arena: RunArena) -> None:
    """As an author would run it: in another folder, with the packages on the import path."""
    typed = [name for name, text in FILES.items() if "-> int" in text]
    assert typed
    arena("new-bot", "Magpie")
    arena("new-bot", "Mole", "--game", "secrets")
    typed += ["magpie.py", "test_magpie.py", "mole.py", "test_mole.py"]
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(guide_folder / "cache")]
    done = subprocess.run(
        [*command, "--python-version", "3.11", *typed],
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
