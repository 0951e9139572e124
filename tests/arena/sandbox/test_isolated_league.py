"""Leagues with untrusted bots: isolated, classified, and without effect on the others."""

import os
import random
import select
import shutil
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arena.league.config import League
from arena.league.journal import Journal
from arena.league.pool import LocalPool
from arena.league.runner import LeagueProgress, play_league
from arena.league.verify import RunCheck
from arena.stats.game_record import GameRecord
from tests.support.entry_points import write_entry_point
from tests.support.faulty_bots import rogue
from tests.support.hostile_bots import FAULTS
from tests.support.interpreter import run_python
from tests.support.leagues import children, content, never_stop, play, play_with, small
from tests.support.leftovers import marked_processes, sandbox_processes
from tests.support.matches import FIRST
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
    return small(*bots, **{"players": 2, "deals": 1, "trust": False, **more})


def test_isolated_bots_play_the_games_that_trusted_ones_play(tmp_path: Path) -> None:
    play(tmp_path / "trusted.db", small("random", MISER, "greedy:depth=1", players=2))
    league = untrusted("random", MISER, "greedy:depth=1", deals=2)
    assert play_with(tmp_path / "isolated.db", league, 2)
    assert games(tmp_path / "isolated.db") == games(tmp_path / "trusted.db")


def test_starting_up_is_not_part_of_the_game(tmp_path: Path) -> None:
    league = untrusted("random", rogue("LateRiser"), seconds_per_game=1.8)
    assert play(tmp_path / "run.db", league)
    with Journal.read(tmp_path / "run.db") as journal:
        assert journal.faults() == []


# ---- every kind of hostility --------------------------------------------------------------------

HOSTILE = SUPPORT / "hostile_bots.py"
SILENT = ("Loops", "Sleeps")
"""Bots that never answer: their league has a short limit, so that it need not be waited for."""

FAILING = """Hogs Exits Crashes CallsAs32Bit Raises Recurses RecursesDeep Prints PrintsToTheArena
ClosesAndStays Illegal"""
VERDICTS: dict[str, str | None] = {
    **{bot: kind for bot, kind, *_ in FAULTS if bot in (*SILENT, *FAILING.split())},
    **dict.fromkeys(("Writes", "Calls", "Reads"), "exception"),
    **dict.fromkeys(("Storms", "Kills", "Tampers")),
}
"""The fault of each hostile bot; None if it plays on because its attack has no effect."""


@dataclass
class Aftermath:
    """What is left after the leagues with all of them."""

    journals: tuple[Path, ...]
    graffiti: Path
    called: bool
    kinds: dict[str, set[str]] = field(default_factory=dict)
    games: list[GameRecord] = field(default_factory=list)
    notes: str = ""

    def __post_init__(self) -> None:
        for path in self.journals:
            self.games += games(path)
            with Journal.read(path) as journal:
                for _, bot, fault in journal.faults():
                    self.kinds.setdefault(bot, set()).add(fault.kind)
                for game in journal.games():
                    self.notes += str(game.replay.notes) + game.output


def play_gauntlet(journal: Path, bots: Sequence[str], seconds: int, **targets: object) -> None:
    """An honest bot plays another one and every hostile bot."""
    hostile = [
        f"{HOSTILE}:{bot}{f':target={targets[bot]}' if bot in targets else ''} as {bot}"
        for bot in bots
    ]
    league = untrusted(
        *(MISER, "random", *hostile), format="gauntlet", probation=0, seconds_per_game=seconds
    )
    with Journal.write(journal, league) as writing:
        pool = LocalPool(league, 2, hidden=writing.files())
        with closing(pool):
            assert play_league(writing, pool, lambda _: None, never_stop)


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    folder = tmp_path_factory.mktemp("hostile")
    journal, silent, graffiti = folder / "run.db", folder / "silent.db", folder / "graffiti"
    play_gauntlet(silent, SILENT, 2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        play_gauntlet(
            journal,
            [bot for bot in VERDICTS if bot not in SILENT],
            120,
            Writes=graffiti,
            Calls=server.getsockname()[1],
            Reads=journal,
            Kills=os.getpid(),
        )
        called = bool(select.select([server], [], [], 0.2)[0])
    return Aftermath((journal, silent), graffiti, called)


@pytest.mark.parametrize(("bot", "kind"), VERDICTS.items(), ids=list(VERDICTS))
def test_a_league_finishes_and_classifies_a_hostile_bot(
    aftermath: Aftermath, bot: str, kind: str | None
) -> None:
    met = [game for game in aftermath.games if bot in game.seats]
    assert len(met) == 2
    if kind is None:
        assert bot not in aftermath.kinds
        assert all(game.faulty is None for game in met)
    else:
        assert aftermath.kinds[bot] == {kind}
        assert all(game.faulty == game.seats.index(bot) for game in met)


def test_no_other_bot_is_blamed(aftermath: Aftermath) -> None:
    assert aftermath.kinds.keys() == {bot for bot, kind in VERDICTS.items() if kind}


def test_hostile_bots_change_no_game_between_honest_ones(
    aftermath: Aftermath, tmp_path: Path
) -> None:
    assert play(tmp_path / "honest.db", untrusted(MISER, "random", format="gauntlet"))
    alone = [(game.winners, game.decisions) for game in games(tmp_path / "honest.db")]
    for journal in aftermath.journals:
        honest = [game for game in games(journal) if set(game.seats) == {"miser", "random"}]
        assert [(game.winners, game.decisions) for game in honest] == alone


def test_hostile_bots_leave_nothing_behind(aftermath: Aftermath) -> None:
    assert not aftermath.graffiti.exists()
    assert not aftermath.called
    assert "started 0" in aftermath.notes
    assert "about to fail" in aftermath.notes
    assert "SQLite" not in aftermath.notes
    assert not marked_processes(str(HOSTILE))
    ours = {os.getpid(), *descendants(os.getpid())}
    assert not [pid for pid in sandbox_processes(os.getpid()) if pid not in ours]


def test_a_league_with_hostile_bots_can_be_verified(aftermath: Aftermath) -> None:
    for path in aftermath.journals:
        with Journal.read(path) as journal:
            assert not RunCheck(journal).problems()


def descendants(pid: int) -> list[int]:
    pids = children(pid)
    return pids + [inner for child in pids for inner in descendants(child)]


def test_killing_bot_processes_changes_no_result(tmp_path: Path) -> None:
    bots = ("random", rogue("Slow"))
    assert play_with(tmp_path / "whole.db", untrusted(*bots, deals=6), 2)
    league = untrusted(*bots, deals=6)
    rng = random.Random(3)
    killed: set[int] = set()
    with (
        Journal.write(tmp_path / "run.db", league) as journal,
        closing(LocalPool(league, 2)) as pool,
    ):

        def kill_one(_: LeagueProgress) -> None:
            pids = [pid for worker in pool.workers for pid in descendants(worker.process.pid or 0)]
            if pids and len(killed) < 5:
                victim = rng.choice(pids)
                killed.add(victim)
                with suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)

        assert play_league(journal, pool, kill_one, never_stop)
    assert len(killed) == 5
    assert content(tmp_path / "run.db") == content(tmp_path / "whole.db")


OWN_GAME = ("--game", "kuhn-poker", "--bot", "bot.py:First", "--deals", "1", "--workers", "1")


def test_a_game_that_isolated_bots_cannot_load_is_no_bots_fault(tmp_path: Path) -> None:
    """The arena found it on PYTHONPATH, which no sandbox has, and bots were disqualified."""
    package = ROOT / "examples" / "kuhn-poker" / "arena_kuhn_poker"
    shutil.copytree(package, tmp_path / "site" / package.name)
    point = "kuhn-poker = arena_kuhn_poker.game:GAME"
    write_entry_point(tmp_path / "site", "kuhn_poker", "arena.games", point)
    (tmp_path / "bot.py").write_text(FIRST)
    league = ("league", *OWN_GAME, "--bot", "random", "--no-trust", "--run", "run.db")
    site = f"{ROOT}{os.pathsep}{tmp_path / 'site'}"
    done = run_python("-m", "arena", *league, folder=tmp_path, PYTHONPATH=site)
    words = "the installed game 'kuhn-poker' (arena_kuhn_poker.game:GAME) cannot be used: isolated"
    assert done.stderr.startswith(f"arena: {words} bots, which have none of your environment")
    assert "cannot load it: there is no game 'kuhn-poker'" in done.stderr
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "run.db").exists()
