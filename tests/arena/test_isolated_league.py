"""Leagues with bots that nobody trusts: isolated, classed right, and without effect on others."""

import os
import random
import signal
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arena.config import League, read_league
from arena.journal import Journal
from arena.league import Progress, play_league
from arena.pool import LocalPool
from arena.record import Played
from tests.arena.leagues import ROOT, SHORT, children, content, go_on, play, play_with, small
from tests.arena.rogues import rogue

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="bots are isolated on Linux only"),
]

MISER = f"{ROOT / 'examples' / 'miser.py'}:Miser as miser"


def games(path: Path) -> list[Played]:
    with Journal.read(path) as journal:
        return journal.played()


def untrusted(*bots: str, **more: object) -> League:
    return read_league(
        None,
        {"bots": list(bots), "options": SHORT, "players": 2, "deals": 1, "trust": False, **more},
    )


def test_isolated_bots_play_the_games_that_trusted_ones_play(tmp_path: Path) -> None:
    play(tmp_path / "trusted.db", small("random", MISER, "greedy:depth=1", players=2))
    league = untrusted("random", MISER, "greedy:depth=1", deals=2)
    assert play_with(tmp_path / "isolated.db", league, 2)
    assert games(tmp_path / "isolated.db") == games(tmp_path / "trusted.db")


def test_hostile_bots_are_classed_and_the_others_play_as_if_they_were_not_there(
    tmp_path: Path,
) -> None:
    hostile = ["Crasher", "Cheat", "Leaver", "Segfaulter", "Sleeper"]
    honest = ["random", MISER]
    league = untrusted(*honest, *map(rogue, hostile), probation=1, seconds_per_game=3)
    assert play_with(tmp_path / "run.db", league, 2)
    with Journal.read(tmp_path / "run.db") as journal:
        kinds = {bot: fault.kind for _, bot, fault in journal.faults()}
        outputs = [kept.output for kept in journal.games() if kept.fault]
    assert kinds == {
        "Crasher": "exception",
        "Cheat": "illegal",
        "Leaver": "died",
        "Segfaulter": "died",
        "Sleeper": "time",
    }
    assert any("about to fail" in text for text in outputs)
    assert play(tmp_path / "honest.db", untrusted(*honest))
    among = [game for game in games(tmp_path / "run.db") if set(game.seats) == {"random", "miser"}]
    alone = games(tmp_path / "honest.db")
    assert [game.winners for game in among] == [game.winners for game in alone]
    assert [game.decisions for game in among] == [game.decisions for game in alone]


def descendants(pid: int) -> list[int]:
    found = children(pid)
    return found + [inner for child in found for inner in descendants(child)]


def test_processes_of_bots_that_are_killed_change_nothing(tmp_path: Path) -> None:
    bots = ("random", rogue("Slow"))
    assert play_with(tmp_path / "whole.db", untrusted(*bots, deals=6), 2)
    league = untrusted(*bots, deals=6)
    dice = random.Random(3)
    killed: set[int] = set()
    with (
        Journal.write(tmp_path / "run.db", league) as journal,
        closing(LocalPool(league, 2)) as pool,
    ):

        def kill_one(_: Progress) -> None:
            pids = [one for worker in pool.workers for one in descendants(worker.process.pid or 0)]
            if pids and len(killed) < 5:
                victim = dice.choice(pids)
                killed.add(victim)
                with suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)

        assert play_league(journal, pool, kill_one, go_on)
    assert len(killed) == 5
    assert content(tmp_path / "run.db") == content(tmp_path / "whole.db")
