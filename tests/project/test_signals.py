"""Long work in compiled code lets Python handle signals: Ctrl-C must not wait for its end.

In processes of their own: where there are callbacks of the garbage collector, as hypothesis has one
here, an exception that a signal raises in one of them is lost.
"""

import signal
import time
from pathlib import Path

import pytest

from tests.support.leagues import command, ended

SEARCH = """
from arena import play_game

print("begun", flush=True)
play_game(["ismcts:iterations=1000000000"] * 2)
"""
PROOF = """
from games.registry import game, read_position
from solver.ask import Query, solve_query
from solver.core.budget import NodeBudget

rules = game("hidden-leaders")
words = "players 3; A leader Xiadul hand DoPr RoOr LeLi; B leader Pavyr hand KeKo; C leader Cyra"
query = Query(rules, read_position(rules, words), horizon="end", others="random")
print("begun", flush=True)
solve_query(query, NodeBudget(10**9))
"""


@pytest.mark.slow
@pytest.mark.parametrize("work", [SEARCH, PROOF], ids=["search", "proof"])
def test_ctrl_c_ends_it(work: str, tmp_path: Path) -> None:
    script = tmp_path / "work.py"
    script.write_text(work)
    with command(START=str(script)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        finished = ended(process)
    assert finished.returncode == -signal.SIGINT
    assert finished.stderr.endswith("KeyboardInterrupt\n")
