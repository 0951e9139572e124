"""Long work in compiled code lets Python handle signals: Ctrl-C must not wait for its end.

In processes of their own: where there are callbacks of the garbage collector, as hypothesis has one
here, an exception that a signal raises in one of them is lost.
"""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.support.paths import ROOT

SEARCH = """
from arena.match.referee import run_game
from bots import load_bot
from games.registry import game

bots = [load_bot("ismcts:iterations=1000000000")] * 2
print("begun", flush=True)
run_game(game("hidden-leaders"), bots, 1)
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


@pytest.mark.parametrize("work", [SEARCH, PROOF], ids=["search", "proof"])
def test_ctrl_c_ends_it(work: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", work],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            time.sleep(1)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            _, captured = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGINT
    assert captured.endswith("KeyboardInterrupt\n")
