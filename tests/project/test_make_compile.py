"""`make compile` rebuilds whenever the engine refuses to run what was built, and only then."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import SUFFIX, source_digest
from tests.support.paths import ROOT

SOURCE = "games/state.py"
EXTENSION, RECORD = f"games/state{SUFFIX}", f"games/compiled{SUFFIX}.json"

# Instead of three minutes of compiling: notes that it was asked to, and leaves what a build leaves.
SETUP = f"""
import json, pathlib
from games.engine import source_digest
with open("builds", "a") as builds:
    builds.write("built\\n")
pathlib.Path({EXTENSION!r}).touch()
record = {{{SOURCE!r}: source_digest(pathlib.Path({SOURCE!r}))}}
pathlib.Path({RECORD!r}).write_text(json.dumps(record))
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The Makefile, a finished build of one module, and an environment, older than all of them."""
    folder = tmp_path / "with blanks"
    for name in ("engine.py", "inlining.py", "state.py"):
        (folder / "games").mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "games" / name, folder / "games" / name)
    (folder / "games" / "__init__.py").touch()
    (folder / "pyproject.toml").touch()
    (folder / "setup.py").write_text(SETUP)
    shutil.copy(ROOT / "Makefile", folder)
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (folder / EXTENSION).touch()
    (folder / RECORD).write_text(json.dumps({SOURCE: source_digest(folder / SOURCE)}))
    for path in (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        os.utime(path, (1, 1))
    for age, stamp in enumerate(("made", "installed", "compiled")):
        (folder / ".venv" / stamp).touch()
        os.utime(folder / ".venv" / stamp, (2 + age, 2 + age))
    return folder


def make(checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    hidden = {"ARENA_PURE", "MAKEFLAGS", "MAKELEVEL"}
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        ["make", "compile"],  # noqa: S607
        cwd=checkout,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def builds(checkout: Path, **environment: str) -> int:
    """How many builds there were after one more `make compile`."""
    done = make(checkout, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    made = checkout / "builds"
    return made.read_text().count("\n") if made.exists() else 0


def test_a_build_that_fits_is_left_alone(checkout: Path) -> None:
    assert builds(checkout) == 0


def test_an_edited_source_that_looks_old_is_compiled(checkout: Path) -> None:
    """As a copied or unpacked file does."""
    with (checkout / SOURCE).open("a") as source:
        source.write("# edited\n")
    os.utime(checkout / SOURCE, (1, 1))
    assert builds(checkout) == 1
    assert builds(checkout) == 1


@pytest.mark.parametrize("lost", [RECORD, EXTENSION])
def test_an_interrupted_build_is_repeated(checkout: Path, lost: str) -> None:
    (checkout / lost).unlink()
    assert builds(checkout) == 1
    assert builds(checkout) == 1


def test_a_record_cut_short_is_written_anew(checkout: Path) -> None:
    (checkout / RECORD).write_text('{"games/st')
    assert builds(checkout) == 1


def test_arena_pure_leaves_what_was_built_alone(checkout: Path) -> None:
    (checkout / SOURCE).touch()
    assert builds(checkout, ARENA_PURE="1") == 0
    assert (checkout / EXTENSION).exists()


def test_a_checkout_that_was_moved_says_so(checkout: Path) -> None:
    """Its programs begin with the path of a Python that is not there any more."""
    (checkout / ".venv" / "made").write_text(f"{checkout.resolve()}\n")
    assert make(checkout).returncode == 0
    moved = checkout.rename(checkout.with_name("moved"))
    done = make(moved)
    assert done.returncode != 0
    assert f"moved: .venv was made for {checkout.resolve()}. Run rm -r .venv" in done.stdout
