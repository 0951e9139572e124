"""The wheel works where only it is installed: its commands, its configs, its types."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

BOT = '''\
from bots import Bot, Option
from games import View


class Miser(Bot):
    """Draws rather than plays."""

    patience = Option(3, "turns to wait", least=0)

    def choose(self, view: View) -> int:
        draws = [move for move in view.moves if view.text(move).startswith("draw")]
        return self.rng.choice(draws or view.moves) if self.patience else view.moves[0]
'''


LEFT_BEHIND = (
    "build/lib/games/gone.py",
    "build/lib/arena/docs/gone.md",
    "docs/.ipynb_checkpoints/draft.md",
    "examples/__pycache__/miser.cpython-311.pyc",
    "examples/kuhn-poker/build/lib/game.py",
)
"""What lies in a checkout after deleting a module, running examples, and earlier builds."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy to build from, so that nothing in the checkout is touched, with what work leaves."""
    folder = tmp_path_factory.mktemp("wheel") / "source"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "*.so", "*.so.json", "*.egg-info")
    made = {"build", "dist", "runs", "site", "wheelhouse"}
    skipped = ignored(str(ROOT), [path.name for path in ROOT.iterdir()]) | made
    folder.mkdir()
    for path in ROOT.iterdir():
        if path.name not in skipped and path.is_dir():
            shutil.copytree(path, folder / path.name, ignore=ignored)
        elif path.name not in skipped:
            shutil.copy(path, folder)
    for name in LEFT_BEHIND:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    """A pure wheel."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*command, "--wheel-dir", str(source.parent), str(source)],
        env={**os.environ, "ARENA_PURE": "1"},
        check=True,
    )
    (built,) = source.parent.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python in an environment that has the wheel and what it depends on, and not this checkout."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    paths = sysconfig.get_paths("venv", {"base": str(folder), "platbase": str(folder)})
    packages = Path(paths["purelib"])
    zipfile.ZipFile(wheel).extractall(packages)
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return Path(paths["scripts"]) / "python"


def run(python: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    hidden = {"PYTHONPATH", "ARENA_PURE"}
    return subprocess.run(
        [str(python), *arguments],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in hidden},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_holds_four_packages_and_their_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"games", "bots", "solver", "arena"}
    for package in tops:
        assert f"{package}/py.typed" in names
    assert "arena/configs/leagues/default.toml" in names
    assert "arena/configs/training/quick.toml" in names
    for game in ("hidden-leaders", "secrets"):
        assert f"bots/champion/models/{game}.json" in names
    assert len([name for name in names if name.startswith("arena/configs/puzzles/")]) >= 300
    for page in (ROOT / "docs").glob("*.md"):
        assert f"arena/docs/{page.name}" in names
    assert {"arena/examples/miser.py", "arena/examples/remote/first.mjs"} <= set(names)


def left_behind(names: Iterable[str]) -> list[str]:
    parts = {"gone.py", "gone.md", "__pycache__", ".ipynb_checkpoints", "build"}
    return [name for name in names if parts & set(name.split("/")) or name.endswith(".pyc")]


def test_nothing_that_work_left_in_the_checkout_is_packed(wheel: Path) -> None:
    assert not left_behind(zipfile.ZipFile(wheel).namelist())


def test_a_source_distribution_can_be_built_and_tested(source: Path) -> None:
    """It holds what the Makefile runs, and nothing that work left in the checkout."""
    words = [sys.executable, "setup.py", "-q", "sdist", "--formats", "zip"]
    subprocess.run([*words, "--dist-dir", str(source.parent)], cwd=source, check=True)
    (packed,) = source.parent.glob("*.zip")
    names = [name.partition("/")[2] for name in zipfile.ZipFile(packed).namelist()]
    needed = {"Makefile", "setup.py", "tests/conftest.py", "scripts/fuzz", "benchmarks/peers.py"}
    assert needed <= set(names)
    assert not left_behind(names)


def test_it_works_beside_a_user_s_own_configs_package(python: Path, tmp_path: Path) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "__init__.py").write_text("raise ImportError('not ours')\n")
    done = run(python, tmp_path, "-m", "arena", "league", "quick", "--players", "2")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "runs" / "quick.db").is_file()
    done = run(python, tmp_path, "-m", "arena", "puzzles", "verify", "two-ahead")
    assert done.returncode == 0, done.stderr


def test_pages_work_in_an_empty_folder(python: Path, tmp_path: Path) -> None:
    """A league, its report, the page of a game, and a server with play, puzzles and analysis."""
    bots = ("--bot", "greedy", "--bot", "random", "--players", "2", "--deals", "1")
    for words in (
        ("league", *bots, "--run", "runs/small.db"),
        ("report", "runs/small.db"),
        ("view", "runs/small.db", "1"),
    ):
        done = run(python, tmp_path, "-m", "arena", *words)
        assert done.returncode == 0, done.stderr
    assert "Strength" in (tmp_path / "small.html").read_text(encoding="utf-8")
    assert 'id="board"' in (tmp_path / "small-1.html").read_text(encoding="utf-8")
    with serving(python, tmp_path) as host:
        assert "2 of 2 games played" in asked(host, "/runs/small")
        assert "Analyse from this move" in asked(host, "/runs/small/games/1")
        for part in ("puzzle.js", "analysis.css", "board.js"):
            assert len(asked(host, f"/parts/{part}")) > 500
        puzzle = json.loads(asked(host, "/puzzles/doubt/new", {}))
        assert len(puzzle["choices"]) == 7
        table = json.loads(asked(host, "/play/new", {"players": 2, "seed": 3}))["address"]
        assert json.loads(asked(host, f"{table}/state"))["choices"]
        looked = json.loads(asked(host, "/analysis/look", {"position": "red 5"}))
        assert looked["unknown"]


@contextmanager
def serving(python: Path, folder: Path) -> Iterator[str]:
    """`arena serve` of the wheel; gives host and port."""
    hidden = {"PYTHONPATH", "ARENA_PURE"}
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    server = subprocess.Popen(
        [str(python), "-m", "arena", "serve", "--port", "0"],
        cwd=folder,
        env={**env, "XDG_DATA_HOME": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield server.stdout.readline().split("http://")[1].split("/")[0]
    finally:
        server.terminate()
        server.wait(60)
        server.stdout.close()


def asked(host: str, path: str, body: object = None) -> str:
    with closing(HTTPConnection(host, timeout=60)) as connection:
        method, origin = ("GET", {}) if body is None else ("POST", {"Origin": f"http://{host}"})
        connection.request(method, path, None if body is None else json.dumps(body), origin)
        answer = connection.getresponse()
        text = answer.read().decode()
    assert answer.status == 200, text
    return text


def test_a_user_s_bot_is_typed(python: Path, tmp_path: Path) -> None:
    (tmp_path / "miser.py").write_text(BOT)
    check = ["-m", "mypy", "--strict", "--python-executable", str(python), "miser.py"]
    done = run(Path(sys.executable), tmp_path, *check)
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout + done.stderr
    done = run(python, tmp_path, "-m", "arena", "match", "miser.py:Miser", "random")
    assert done.returncode == 0, done.stderr
