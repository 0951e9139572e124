"""Leagues with bots that nobody trusts: isolated, classed right, and without effect on others."""

import os
import random
import signal
import socket
import sys
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.league.config import League, read_league
from arena.league.journal import Journal
from arena.league.pool import LocalPool
from arena.league.runner import LeagueProgress, play_league
from arena.league.verify import problems, rating_problems
from arena.stats.game_record import GameRecord
from tests.support.faulty_bots import rogue
from tests.support.leagues import SHORT, children, content, never_stop, play, play_with, small
from tests.support.leftovers import guests, processes
from tests.support.paths import ROOT, SUPPORT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="bots are isolated on Linux only"),
]

MISER = f"{ROOT / 'examples' / 'miser.py'}:Miser as miser"


def games(path: Path) -> list[GameRecord]:
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


def test_getting_ready_is_no_part_of_a_game(tmp_path: Path) -> None:
    league = untrusted("random", rogue("LateRiser"), seconds_per_game=1)
    assert play(tmp_path / "run.db", league)
    with Journal.read(tmp_path / "run.db") as journal:
        assert journal.faults() == []


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


# ---- every kind of hostility, in one league ---------------------------------------------------

HOSTILE = SUPPORT / "hostile_bots.py"
VERDICTS: dict[str, str | None] = {
    "Loops": "time",
    "Sleeps": "time",
    "Hogs": "memory",
    "Storms": None,
    "Exits": "died",
    "Crashes": "died",
    "Recurses": "exception",
    "RecursesDeep": "died",
    "Prints": "output",
    "PrintsToTheArena": "output",
    "ClosesAndStays": "protocol",
    "Illegal": "illegal",
    "Writes": "exception",
    "Calls": "exception",
    "Reads": None,
    "Kills": None,
    "Tampers": None,
}
"""What each hostile bot is found guilty of; None if it could not do what it meant to."""


@dataclass
class Aftermath:
    """What is left after a league with all of them."""

    kinds: dict[str, set[str]]
    games: list[GameRecord]
    journal: Path
    graffiti: Path
    called: bool
    notes: str


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    """A gauntlet: an honest bot against another, and against every hostile one."""
    folder = tmp_path_factory.mktemp("hostile")
    journal, graffiti = folder / "run.db", folder / "graffiti"
    with socket.create_server(("127.0.0.1", 0)) as server:
        targets: dict[str, object] = {
            "Writes": graffiti,
            "Calls": server.getsockname()[1],
            "Reads": journal,
            "Kills": os.getpid(),
        }
        bots = [
            f"{HOSTILE}:{bot}{f':target={targets[bot]}' if bot in targets else ''} as {bot}"
            for bot in VERDICTS
        ]
        league = untrusted(
            MISER, "random", *bots, format="gauntlet", probation=0, seconds_per_game=4
        )
        with Journal.write(journal, league) as writing:
            pool = LocalPool(league, 2, hidden=writing.files())
            with closing(pool):
                assert play_league(writing, pool, lambda _: None, never_stop)
        server.settimeout(0.2)
        try:
            server.accept()[0].close()
            called = True
        except TimeoutError:
            called = False
    kinds: dict[str, set[str]] = {}
    with Journal.read(journal) as kept:
        for _, bot, fault in kept.faults():
            kinds.setdefault(bot, set()).add(fault.kind)
        notes = " ".join(str(one.replay.notes) + one.output for one in kept.games())
    return Aftermath(kinds, games(journal), journal, graffiti, called, notes)


@pytest.mark.parametrize(("bot", "kind"), VERDICTS.items(), ids=list(VERDICTS))
def test_a_league_finishes_and_classes_it(aftermath: Aftermath, bot: str, kind: str | None) -> None:
    met = [game for game in aftermath.games if bot in game.seats]
    assert len(met) == 2
    if kind is None:
        assert bot not in aftermath.kinds
        assert all(game.faulty is None for game in met)
    else:
        assert aftermath.kinds[bot] == {kind}
        assert all(game.faulty == game.seats.index(bot) for game in met)


def test_nobody_else_is_found_guilty(aftermath: Aftermath) -> None:
    assert aftermath.kinds.keys() == {bot for bot, kind in VERDICTS.items() if kind}


def test_the_honest_games_of_that_league_are_what_they_would_have_been(
    aftermath: Aftermath, tmp_path: Path
) -> None:
    assert play(tmp_path / "honest.db", untrusted(MISER, "random", format="gauntlet"))
    alone = games(tmp_path / "honest.db")
    among = [game for game in aftermath.games if set(game.seats) == {"miser", "random"}]
    assert [game.winners for game in among] == [game.winners for game in alone]
    assert [game.decisions for game in among] == [game.decisions for game in alone]


def test_nothing_is_left_of_them(aftermath: Aftermath) -> None:
    assert not aftermath.graffiti.exists()
    assert not aftermath.called
    assert "started 0" in aftermath.notes
    assert "SQLite" not in aftermath.notes
    assert not processes(str(HOSTILE))
    ours = {os.getpid(), *descendants(os.getpid())}
    assert not [pid for pid in guests(os.getpid()) if pid not in ours]


def test_the_league_can_be_verified_afterwards(aftermath: Aftermath) -> None:
    with Journal.read(aftermath.journal) as journal:
        assert not [problem for problem in problems(journal) if problem]
        assert not list(rating_problems(journal))


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

        def kill_one(_: LeagueProgress) -> None:
            pids = [one for worker in pool.workers for one in descendants(worker.process.pid or 0)]
            if pids and len(killed) < 5:
                victim = dice.choice(pids)
                killed.add(victim)
                with suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)

        assert play_league(journal, pool, kill_one, never_stop)
    assert len(killed) == 5
    assert content(tmp_path / "run.db") == content(tmp_path / "whole.db")
