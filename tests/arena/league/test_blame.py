"""Who is blamed: a bot for what it did, the machine for what was done to it."""

import logging
import os
import signal
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arena.league.config import League
from arena.league.journal import Journal
from arena.league.outcome import Fault
from arena.league.plan import first_games
from arena.league.pool import LocalPool, work
from arena.league.runner import LeagueProgress, play_league
from arena.match.clock import Clock, new_board
from arena.sandbox.bot_process import START_FREE
from arena.worker_processes import WORKERS
from bots.runtime.faults import FaultKind, MachineFault
from bots.runtime.processes import count_pauses, pauses
from tests.support.faulty_bots import rogue
from tests.support.leagues import TIMEOUT, never_stop, play, small
from tests.support.leftovers import linux
from tests.support.paths import SUPPORT

pytestmark = linux


def faults_of(path: Path, league: League) -> list[Fault]:
    assert play(path, league)
    with Journal.read(path) as journal:
        return [fault for _, _, fault in journal.faults()]


def test_a_worker_whose_league_was_killed_ends_without_a_traceback(
    capfd: pytest.CaptureFixture[str],
) -> None:
    league = small("random", "greedy")
    board, (ours, theirs) = WORKERS.RawArray("d", new_board()), WORKERS.Pipe()
    arguments = (league, theirs, board, WORKERS.Queue(), (), logging.WARNING)
    process = WORKERS.Process(target=work, args=arguments, daemon=True)
    process.start()
    theirs.close()
    ours.send([game.key for game in first_games(league)])
    ours.close()
    process.join(TIMEOUT)
    assert process.exitcode == 1
    assert capfd.readouterr().err == ""


# ---- deaths -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "problem"),
    [
        ("sys.exit(137)", "exited with code 137"),
        ("os.kill(os.getpid(), 9)", "was killed by the system or a person, again at the same"),
        ("os.kill(os.getpid(), 15)", "was killed by SIGTERM"),
    ],
)
def test_a_trusted_program_that_dies_by_itself_is_at_fault(
    tmp_path: Path, end: str, problem: str
) -> None:
    program = tmp_path / "bot.py"
    ready = '{"type": "ready", "protocol": 1}'
    count = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    program.write_text(
        f"import os, sys\n{count}\ninput()\nprint('{ready}', flush=True)\ninput()\n{end}\n"
    )
    league = small("random", f"cmd:{sys.executable} {program} as program", players=2, deals=1)
    faults = faults_of(tmp_path / "run.db", league)
    assert {fault.kind for fault in faults} == {FaultKind.DIED}
    assert all(problem in fault.problem for fault in faults)
    starts = len((tmp_path / "starts").read_text())
    assert starts <= 2 * len(faults)  # played again once at most, not ten times


# ---- time ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("trust", [True, False])
def test_a_slow_start_is_on_the_clock(tmp_path: Path, trust: bool) -> None:
    bots = ("random", rogue("Procrastinator"))
    league = small(*bots, players=2, deals=1, trust=trust, seconds_per_game=1, probation=1)
    faults = faults_of(tmp_path / "run.db", league)
    assert {fault.kind for fault in faults} == {FaultKind.TIME}
    assert any("1 s per game" in fault.problem for fault in faults)


def test_a_start_within_the_free_time_is_not_charged() -> None:
    clock = Clock(2, game=1.0)
    clock.seconds = [START_FREE - 0.5, START_FREE + 1.5]
    clock.all_ready()
    assert clock.seconds == [0.0, 1.5]


@pytest.fixture
def counting() -> None:
    """SIGCONT is counted, as in workers."""
    count_pauses()


@pytest.mark.slow
@pytest.mark.usefixtures("counting")
def test_time_in_which_the_arena_was_stopped_is_nobodys_fault() -> None:
    clock = Clock(2, move=0.001)
    clock.ask(0)
    time.sleep(1.1)
    clock.answered(0)
    assert "the limit is 0.001 s" in clock.decided(0)
    clock.ask(0)
    before = pauses()
    os.kill(os.getpid(), signal.SIGCONT)
    assert pauses() == before + 1
    time.sleep(1.1)
    clock.answered(0)
    with pytest.raises(MachineFault, match="stopped and continued"):
        clock.decided(0)


@pytest.mark.slow
@pytest.mark.parametrize("trust", [True, False])
def test_a_stopped_worker_is_not_blamed_on_its_bot(tmp_path: Path, trust: bool) -> None:
    bots = ("random", rogue("Slow"))
    settings: dict[str, object] = {"players": 2, "deals": 1, "trust": trust}
    league = small(*bots, **settings, seconds_per_move=0.2)  # late after 1.4 seconds
    stopped: list[int] = []
    with (
        Journal.write(tmp_path / "run.db", league) as journal,
        closing(LocalPool(league, 1)) as pool,
    ):
        if trust:
            pool.answer = 2.0  # so that the watchdog would act as well

        def stop_once(_: LeagueProgress) -> None:
            worker = pool.workers[0].process.pid or 0
            if not stopped and pool.workers[0].playing()[0] is not None:
                stopped.append(worker)
                os.kill(worker, signal.SIGSTOP)
                if os.fork() == 0:
                    time.sleep(3.5)
                    with suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGCONT)
                    os._exit(0)

        assert play_league(journal, pool, stop_once, never_stop)
        assert journal.faults() == []
        assert [worker.process.pid for worker in pool.workers] == stopped
    with suppress(ChildProcessError):
        os.wait()


# ---- words --------------------------------------------------------------------------------------


def test_what_cannot_be_encoded_does_not_stop_a_league(tmp_path: Path) -> None:
    league = small("random", rogue("Surrogate"), players=2, deals=1)
    assert faults_of(tmp_path / "run.db", league) == []
    with Journal.read(tmp_path / "run.db") as journal:
        outputs = {game.output for game in journal.games()}
    assert all("half a letter: \N{REPLACEMENT CHARACTER}" in output for output in outputs)


def test_a_talkative_bot_keeps_its_first_notes(tmp_path: Path) -> None:
    talker = f"{SUPPORT / 'sealed_bots.py'}:Talker as talker"
    league = small("random", talker, players=2, deals=1)
    assert play(tmp_path / "run.db", league)
    with Journal.read(tmp_path / "run.db") as journal:
        notes = [len(game.replay.notes) for game in journal.games()]
    assert all(1 <= count <= 3 for count in notes)
