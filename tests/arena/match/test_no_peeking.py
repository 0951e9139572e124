"""An isolated bot finds nothing that its seat may not know, however it searches.

Every search also runs where it must succeed: in the arena's process, or without a sandbox. A search
that never finds anything would prove nothing.
"""

import gc
import os
from pathlib import Path

import pytest

from arena.match.referee import Result
from games.hidden_leaders.rules.state import HiddenLeaders
from tests.support.leftovers import fully_sandboxed, linux
from tests.support.matches import played, run_python, seat_bot
from tests.support.paths import SUPPORT
from tests.support.spy_bot import TREASURE

SPY = f"{SUPPORT / 'spy_bot.py'}:Spy"
IN_MEMORY = bytes(TREASURE)


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
    """A game with the treasure open in an inheritable descriptor, and the finds of the spy."""
    descriptor = os.open("secret.txt", os.O_RDONLY)
    os.set_inheritable(descriptor, True)
    gc.freeze()  # hides what other tests left from gc.get_objects(): finds are cut when too many
    try:
        result = played(seat_bot(SPY, isolated), "random", "random", seed=8, options={"rounds": 2})
    finally:
        gc.unfreeze()
        os.close(descriptor)
    (finds,) = set(result.reasons.values())
    return result, finds


@pytest.mark.slow
@pytest.mark.usefixtures("treasury")
def test_in_the_arenas_own_process_the_search_finds_everything() -> None:
    result, finds = spied(isolated=False)
    state = result.replay.state()
    assert isinstance(state, HiddenLeaders)
    leaders = ",".join(str(state.leader(seat)) for seat in range(3))
    for place in ("gc", "frames"):
        assert f"{place}:state:{leaders}" in finds
    for place in ("environment", "descriptors", "files"):
        assert f"{place}:treasure" in finds


@linux
@pytest.mark.slow
@pytest.mark.usefixtures("treasury")
@fully_sandboxed
def test_in_the_sandbox_the_search_finds_nothing() -> None:
    assert spied(isolated=True)[1] == "nothing"


@linux
def test_without_a_sandbox_the_search_of_processes_finds_the_treasure(treasury: Path) -> None:
    """The searches of files and processes, in a child without a sandbox."""
    assert IN_MEMORY == TREASURE
    search = (
        "import os; from tests.support.spy_bot import TREASURE, files, memory, proc\n"
        "searches = {'memory': memory(os.getppid()), 'proc': proc(), 'files': files()}\n"
        "for place, texts in searches.items():\n"
        "    if any(TREASURE in text for text in texts): print(place)"
    )
    with (treasury / "secret.txt").open():
        places = run_python(search).split()
    assert "files" in places
    if os.geteuid() == 0:
        assert {"memory", "proc"} <= set(places)
