"""An isolated bot finds nothing that its seat may not know, however it searches.

Every search also runs where it must succeed: in the arena's process, or without a sandbox. A search
that never finds anything would prove nothing.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.match.bot_factory import bot_factory
from arena.match.referee import Result, run_game
from arena.sandbox.policy import PYTHON_PATH, protections
from games.hidden_leaders.rules.state import HiddenLeaders
from games.registry import game
from tests.support.paths import SUPPORT
from tests.support.spy_bot import TREASURE

SPY = f"{SUPPORT / 'spy_bot.py'}:Spy"
IN_MEMORY = bytes(TREASURE)
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
def treasury(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder; the treasure is in the environment, in a file and in a journal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_SECRET", TREASURE.decode())
    (tmp_path / "runs").mkdir()
    for name in ("secret.txt", "runs/league.db"):
        (tmp_path / name).write_bytes(TREASURE)
    return tmp_path


def spied(isolated: bool) -> tuple[Result, str]:
    """A game, and the finds of the spy in the first seat."""
    seats = [bot_factory(SPY, isolated), bot_factory("random"), bot_factory("random")]
    result = run_game(game("hidden-leaders"), seats, seed=8, options={"rounds": 2})
    (finds,) = set(result.reasons.values())
    return result, finds


def test_in_the_arenas_own_process_the_search_finds_everything(treasury: Path) -> None:
    descriptor = os.open(treasury / "secret.txt", os.O_RDONLY)
    try:
        result, finds = spied(isolated=False)
    finally:
        os.close(descriptor)
    state = result.replay.state()
    assert isinstance(state, HiddenLeaders)
    leaders = ",".join(str(state.leader(seat)) for seat in range(3))
    for place in ("gc", "frames"):
        assert f"{place}:state:{leaders}" in finds
    for place in ("environment", "descriptors", "files"):
        assert f"{place}:treasure" in finds


@linux
@pytest.mark.skipif(
    not all(protection.in_force for protection in protections()), reason="needs the sandbox"
)
def test_in_the_sandbox_the_search_finds_nothing(treasury: Path) -> None:
    descriptor = os.open(treasury / "secret.txt", os.O_RDONLY)
    os.set_inheritable(descriptor, True)
    try:
        _, finds = spied(isolated=True)
    finally:
        os.close(descriptor)
    assert finds == "nothing"


@linux
def test_without_a_sandbox_the_search_of_processes_finds_the_treasure(treasury: Path) -> None:
    """The searches of files and processes, in a child without a sandbox."""
    assert IN_MEMORY == TREASURE
    search = (
        "import os; from tests.support import spy_bot as spy\n"
        "for place, texts in {'memory': spy.memory(os.getppid()), 'proc': spy.proc(),\n"
        "                     'files': spy.files()}.items():\n"
        "    if any(spy.TREASURE in text for text in texts): print(place)"
    )
    environment = {"PYTHONPATH": PYTHON_PATH}
    with (treasury / "secret.txt").open():
        finished = subprocess.run(
            [sys.executable, "-c", search],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    places = finished.stdout.split()
    assert "files" in places
    if os.geteuid() == 0:
        assert {"memory", "proc"} <= set(places)
