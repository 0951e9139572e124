"""The guide to writing a bot is true: its bots play, its commands print what it shows."""

import re
import shlex
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.match.referee import play_game
from bots.runtime.loading import load_bot
from games.registry import game
from tests.support.paths import ROOT

GUIDE = (ROOT / "docs" / "writing-a-bot.md").read_text()
BLOCKS = re.findall(r"^```(python|console)\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
FILES = {
    re.match(r"# (\w+\.py)\n", text)[1]: text  # type: ignore[index]
    for kind, text in BLOCKS
    if kind == "python"
}
BOTS = {
    name: found[1]
    for name, text in FILES.items()
    if (found := re.search(r"class (\w+)\(Bot", text))
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
    """Every command of a console block, and what the guide shows below it."""
    starts = [match.start() for match in re.finditer(r"^\$ ", session, re.MULTILINE)]
    parts = [session[a:b] for a, b in pairwise([*starts, len(session)])]
    return [
        (shlex.split(line.removeprefix("$ ")), shown)
        for line, _, shown in (part.partition("\n") for part in parts)
    ]


def exit_code(arguments: list[str]) -> int:
    try:
        return cli.run(arguments)
    except SystemExit as left:
        return int(left.code or 0)


def pattern(shown: str) -> str:
    """What the guide shows as an expression: dots stand for anything, blanks for any blanks."""
    pieces = [r"\s+".join(map(re.escape, piece.split())) for piece in shown.split("...")]
    return r"\s*" + r"[\s\S]*".join(rf"\s*{piece}\s*" for piece in pieces) + r"\s*"


def test_there_is_something_to_run() -> None:
    assert len(SESSIONS) >= 6
    assert len(BOTS) >= 5


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.partition("\n")[0][2:])
def test_commands_print_what_is_shown(
    session: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "magpie" in session:
        assert not (folder / "magpie.py").exists()
    for (program, *arguments), shown in commands(session):
        assert program == "arena"
        code = exit_code(arguments)
        captured = capsys.readouterr()
        wanted = 2 if shown.startswith("arena: ") else int("verdict: FAIL" in shown)
        assert code == wanted, captured.err
        assert re.fullmatch(pattern(shown), captured.out + captured.err), (
            captured.out + captured.err
        )


@pytest.mark.parametrize(
    "file", sorted(set(BOTS) - {"hasty.py", "thinker.py"})
)  # its examples of faults
@pytest.mark.parametrize("players", [2, 4])
def test_bots_play_whole_games(file: str, players: int, folder: Path) -> None:
    name = f"{file}:{BOTS[file]}" + (":worlds=1" if file == "dreamer.py" else "")
    seats = [load_bot(name), *[load_bot("random")] * (players - 1)]
    assert play_game(game("hidden-leaders"), seats, seed=1).decisions > 20


def test_scripts_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scripts = sorted(set(FILES) - set(BOTS))
    assert scripts == ["many.py"]
    for script in scripts:
        exec(compile(FILES[script], script, "exec"), {})  # noqa: S102
    assert re.fullmatch(r"\d+ of 10 games won\n", capsys.readouterr().out)


def test_everything_said_about_bots_and_views_exists() -> None:
    from bots import Bot  # noqa: PLC0415
    from games.hidden_leaders.knowledge.view import HiddenLeadersView  # noqa: PLC0415
    from games.state import Rng  # noqa: PLC0415

    class Any(Bot):
        def choose(self, view: object) -> int:
            return 0

    things = {"self": Any(0, Rng(1)), "view": HiddenLeadersView(0, 3)}
    rows = [row.split("|")[1] for row in GUIDE.splitlines() if row.startswith("| `")]
    assert len(rows) >= 15
    for name in re.findall(r"`(?:self\.)?(\w+)", " ".join(rows)):
        assert any(hasattr(thing, name) for thing in things.values()), name
