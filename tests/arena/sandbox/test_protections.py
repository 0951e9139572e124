"""The table of `arena sandbox`: as root and as an ordinary user, with every maker of namespaces."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import policy
from arena.sandbox.policy import PYTHON_PATH, WALLS
from arena.sandbox.probe import homes_elsewhere
from arena.sandbox.protections import PROBE_SCRIPT, PROTECTIONS, attacks, in_force, probe_folder
from tests.support.command_line import RunArena, check_refusal
from tests.support.leftovers import linux
from tests.support.paths import ROOT

pytestmark = [pytest.mark.slow, linux]

SOMEBODY = 54321
"""A user that owns nothing."""
WITHOUT_NAMESPACES = {"size of a file", "names of home folders", "access times"}
"""The attacks that succeed where there are no namespaces; the page on isolation names them."""
BROKEN = {"own": set[str](), "bubblewrap": set[str](), "none": WITHOUT_NAMESPACES}
MAKERS = ["own", "bubblewrap", "none"]
DONE_BY_EVERYBODY = {"access times"}
"""File systems that are mounted without times of access withstand these anyway."""


def needs(maker: str) -> None:
    if maker == "own" and policy.namespace_maker() != "own":
        pytest.skip("needs namespaces")
    if maker == "bubblewrap" and not policy.has_bubblewrap():
        pytest.skip("needs bubblewrap")


def python_of_everybody() -> str:
    """A Python of this version that any user may run; empty if there is none."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (Path(sys.executable).resolve(), Path("/usr/bin", version)):
        folders = [folder.stat().st_mode & 0o001 for folder in path.parents]
        if path.exists() and all(folders):
            return str(path)
    return ""


def table(maker: str, as_somebody: bool) -> dict[str, Any]:
    """What `arena sandbox --json` prints."""
    python = sys.executable
    user: dict[str, Any] = {}
    if as_somebody:
        python = python_of_everybody()
        readable = all(folder.stat().st_mode & 0o001 for folder in PROBE_SCRIPT.parents)
        if os.geteuid() != 0 or not python or not readable:
            pytest.skip("needs root, and a Python and packages that every user may read")
        user = {"user": SOMEBODY, "group": SOMEBODY, "extra_groups": []}
    done = subprocess.run(
        [python, "-m", "arena", "sandbox", "--json", "--namespaces", maker],
        env={
            "PYTHONPATH": PYTHON_PATH,
            "PATH": os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **user,
    )
    printed: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (0 if printed["complete"] else 1)
    return printed


@pytest.mark.parametrize("as_somebody", [False, True], ids=["this user", "an ordinary user"])
@pytest.mark.parametrize("maker", MAKERS)
def test_the_table_of_what_holds(maker: str, as_somebody: bool) -> None:
    needs(maker)
    printed = table(maker, as_somebody)
    assert printed["namespaces"] == (None if maker == "none" else maker)
    assert printed["root"] == (os.geteuid() == 0 and not as_somebody)
    broken = {attack["name"] for attack in printed["attacks"] if not attack["held"]}
    assert broken - DONE_BY_EVERYBODY == BROKEN[maker] - DONE_BY_EVERYBODY
    assert broken <= BROKEN[maker]
    assert printed["complete"] == (maker != "none")
    assert {row["name"] for row in printed["protections"]} == set(PROTECTIONS)
    assert len(printed["attacks"]) >= 90


def test_without_bubblewrap_nothing_is_tested(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    refused = arena("sandbox", "--namespaces", "bubblewrap", code=2)
    check_refusal(refused, "bubblewrap is not installed, so nothing was tested; install it or ")


HELD_BY_ONE_WALL = {
    "namespaces": """read a file, read through a link, size of a file, access times, UDP, chmod,
        signal another, command line of another""",
    "landlock": """read a file, read through a link, write a file, signal another,
        command line of another, names in a folder""",
    "seccomp": """lease, lock, record lock, session keyring, pages in memory, timer, fork, spawn,
        UDP, local socket, map shared, memfd, signal of a file, lower CPU limit, SIGKILL, chmod,
        chown, utime, limits of another process, map a stack, System V message queue,
        POSIX message queue, inotify, io_uring, threads, numbers of pipes, numbers of processes,
        reads from the disk, CPU time of another, barrier for all processors, flushing of disks""",
    "limits": "allocate, map, open files, CPU time, pending signals, core dump",
}
"""Wall -> some attacks that it withstands without the others."""


@pytest.mark.parametrize("wall", HELD_BY_ONE_WALL)
def test_each_wall_holds_alone(wall: str) -> None:
    if wall == "namespaces":
        needs("own")
    held = {attack.name for attack in attacks(None, (wall,)) if attack.held}
    assert set(re.split(r",\s+", HELD_BY_ONE_WALL[wall])) <= held
    assert set(HELD_BY_ONE_WALL) == set(WALLS) - {"watch"}  # which is in test_supervisor.py


def test_every_attack_succeeds_somewhere_without_a_sandbox(tmp_path: Path) -> None:
    """Or it would prove nothing that it fails in one."""
    own = probe_folder(tmp_path)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with subprocess.Popen(["/bin/sleep", "60"]) as bystander:
        places = [str(tmp_path), str(own), str(scratch), str(bystander.pid)]
        done = subprocess.run(
            [sys.executable, str(PROBE_SCRIPT), *places],
            env={"PYTHONPATH": PYTHON_PATH},
            capture_output=True,
            check=True,
            timeout=60,
        )
        bystander.kill()
    failed = {name for name, (_, held) in json.loads(done.stdout).items() if held}
    # Some need a feature of the kernel, or a file system that keeps times of access.
    assert failed <= {"access times", "map huge pages", "io_uring", "memfd_secret", "userfaultfd"}
    assert len(failed) <= 3


def test_a_protection_without_an_attack_is_not_in_force() -> None:
    assert not any(each.in_force for each in in_force(()))


@pytest.mark.parametrize(
    ("shown", "homes"),
    [
        (["/usr/lib/python3", "/opt/arena"], "/home"),
        (["/usr", "/home/ada/arena/.venv"], "/root"),
        (["/root/python3.13", "/home/ada/arena"], "/boot"),
    ],
)
def test_an_arena_in_a_home_folder_is_no_hole(shown: list[str], homes: str) -> None:
    """A bot sees the way to Python and the packages; the probe must not take it for a leak."""
    assert homes_elsewhere(shown) == homes


@pytest.mark.parametrize("maker", ["own", "bubblewrap"])
def test_the_table_is_complete_from_a_home_folder(maker: str) -> None:
    """As for everybody who has cloned the project below /home."""
    needs(maker)
    if os.geteuid() != 0:
        pytest.skip("needs root, to make a folder in /home")
    Path("/home").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="arena-test-", dir="/home") as home:
        packages = Path(home, "packages")
        for package in ("games", "bots", "solver", "arena"):
            shutil.copytree(
                ROOT / package, packages / package, ignore=shutil.ignore_patterns("*.so*")
            )
        done = subprocess.run(
            [sys.executable, "-m", "arena", "sandbox", "--json", "--namespaces", maker],
            env={**os.environ, "PYTHONPATH": str(packages)},
            cwd=home,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert json.loads(done.stdout)["complete"], done.stdout + done.stderr
