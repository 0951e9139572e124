"""What a stranger's machine may lack is named in a line: a compiler, headers, a place to write."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT


@pytest.mark.parametrize(
    ("compiler", "reason"),
    [
        pytest.param("/nowhere/cc", "/nowhere/cc", id="no compiler"),
        pytest.param("cc -nostdinc", "No such file or directory", id="no headers"),
    ],
)
@pytest.mark.slow
def test_it_says_why_the_engine_stays_pure(compiler: str, reason: str, tmp_path: Path) -> None:
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler that could lack anything")
    build = ["build_ext", "--build-lib", str(tmp_path), "--build-temp", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", *build],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "ARENA_PURE"}
        | {"CC": compiler},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("No working C compiler with Python headers (")
    assert reason in done.stdout
    assert done.stdout.endswith("): pure engine, slow but equal.\n")


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    hidden = {"MAKEFLAGS", "MAKELEVEL"}
    return subprocess.run(
        ["make", *words],  # noqa: S607
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in hidden},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_folder_that_takes_no_environment_is_not_blamed_on_python(tmp_path: Path) -> None:
    """As in a checkout that is read-only; a file in the way stops root as well."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / ".venv").touch()
    done = make(tmp_path, ".venv/made", f"PYTHON={sys.executable}")
    assert done.returncode != 0
    assert "virtual environments" not in done.stdout + done.stderr


def test_make_j_runs_one_thing_at_a_time(tmp_path: Path) -> None:
    """The two halves of `make test` would else compete for the cores, and mix their output."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "two.mk").write_text(
        "include Makefile\n"
        "both: first second\n"
        "first second:\n"
        "\t@test ! -e busy; touch busy; sleep 0.2; rm busy\n"
    )
    done = make(tmp_path, "-j4", "-f", "two.mk", "both")
    assert done.returncode == 0, done.stderr
