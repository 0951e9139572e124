"""A file or folder of the user's that hides one of our packages is named in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.interpreter import run_python

MODULE = ["-m", "arena"]
CONSOLE_SCRIPT = ["-P", "-c", "from arena.cli.main import main; main()"]
"""What the installed command `arena` runs; -P leaves out the current folder, as it does."""


def sentence(path: Path, package: str) -> str:
    return (
        f"{path} hides the package {package!r} of the arena; rename it, or run from another folder"
    )


def hide(folder: Path, package: str, kind: str) -> Path:
    """Make a module of that name; returns what a user would have to rename."""
    path = folder / (f"{package}.py" if kind == "file" else package)
    source = path if kind == "file" else path / "__init__.py"
    source.parent.mkdir(exist_ok=True)
    source.write_text("raise SystemExit('ran by mistake')\n")
    return path


@pytest.mark.parametrize("kind", ["folder", "file"])
@pytest.mark.parametrize("package", ["games", "bots", "solver"])
def test_the_command_names_what_hides_a_package(tmp_path: Path, package: str, kind: str) -> None:
    path = hide(tmp_path, package, kind)
    done = run_python(*MODULE, "bots", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"arena: {sentence(path, package)}\n"


@pytest.mark.parametrize(
    ("package", "statement"),
    [
        ("bots", "import arena"),
        ("games", "from bots import Bot"),
        ("solver", "from bots import Bot"),
        ("games", "import solver"),
    ],
)
def test_python_code_gets_an_import_error(tmp_path: Path, package: str, statement: str) -> None:
    path = hide(tmp_path, package, "folder")
    (tmp_path / "script.py").write_text(f"{statement}\n")
    done = run_python("script.py", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"ImportError: {sentence(path, package)}"


@pytest.mark.parametrize("command", [MODULE, CONSOLE_SCRIPT], ids=["module", "console script"])
def test_a_folder_that_is_no_package_hides_nothing(tmp_path: Path, command: list[str]) -> None:
    """The usual place for somebody's bots: a folder `bots` without __init__.py."""
    for package in ("games", "bots", "solver"):
        (tmp_path / package).mkdir()
    text = (
        "from bots import Bot\nclass First(Bot):\n    def choose(self, view):\n        return 0\n"
    )
    (tmp_path / "bots" / "first.py").write_text(text)
    done = run_python(*command, "bots", "bots/first.py:First", folder=tmp_path)
    notice = "bots/first.py:First runs with your rights, not in a sandbox\n"
    assert (done.returncode, done.stderr) == (0, notice)
    assert "bots/first.py:First" in done.stdout


def test_the_console_script_ignores_packages_of_the_current_folder(tmp_path: Path) -> None:
    for package in ("games", "bots", "solver", "arena"):
        hide(tmp_path, package, "folder")
    done = run_python(*CONSOLE_SCRIPT, "bots", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
