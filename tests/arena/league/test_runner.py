"""Playing leagues: the same results for any workers, and every fault charged correctly."""

import logging
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.league import pool, worker
from arena.league.journal import Journal
from arena.league.outcome import Crashed, Finished, Outcome
from arena.league.pool import LocalPool, PoolBroken, exit_text
from arena.league.read_run import run_of
from arena.league.runner import GameCrashed, LeagueProgress, StopRequest, play_league
from arena.league.schedule import GameKey, deals_of_round, game_count, rotations
from arena.league.verify import RunCheck
from arena.match import referee
from arena.match.referee import Result
from arena.stats.ranking_table import ranking_text
from tests.support.command_line import RunArena
from tests.support.faulty_bots import rogue
from tests.support.leagues import (
    InProcessPool,
    content,
    keys,
    never_stop,
    no_display,
    play,
    play_with,
    small,
)
from tests.support.paths import SUPPORT


def table(path: Path) -> str:
    with Journal.read(path) as journal:
        return ranking_text(run_of(journal))


# ---- the same for any number of workers ---------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["round-robin", "swiss"])
def test_results_are_the_same_for_1_2_and_4_workers_byte_for_byte(
    tmp_path: Path, kind: str
) -> None:
    bots = ["random", "greedy:depth=1", "ismcts:iterations=3", rogue("Crasher"), rogue("Moody")]
    league = small(*bots, format=kind, rounds=3, probation=2)
    results = set()
    for workers in (0, 1, 2, 4):
        file = tmp_path / f"{workers}.db"
        whole = play_with(file, league, workers) if workers else play(file, league)
        results.add((whole.content, table(file)))
    assert len(results) == 1


@pytest.mark.slow
def test_a_bot_in_a_worker_does_without_processes_of_its_own(file: Path) -> None:
    league = small("random", "ismcts:searches=2,processes=2,iterations=4 as two", players=2)
    assert play_with(file, league, 1).faults == []


@pytest.mark.slow
def test_the_time_of_failed_attempts_is_charged_to_nobody(file: Path) -> None:
    """A game in which a process was killed is repeated once; others must not pay for it."""
    killed = f"cmd:{sys.executable} {SUPPORT / 'faulty_program.py'} kills-itself as killed"
    league = small(rogue("Slow"), killed, players=2, options=[], seconds_per_game=0.5, probation=0)
    faults = play(file, league).faults
    assert {(bot, fault.kind) for _, bot, fault in faults} == {("killed", "died")}


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss"])
def test_every_game_of_the_schedule_is_played_once(file: Path, kind: str) -> None:
    league = small(format=kind, rounds=2)
    games = play(file, league).games
    assert [game.number for game in games] == list(range(game_count(league)))
    for key, game in zip(keys(league), games, strict=False):
        assert game.seats == tuple(league.names[bot] for bot in key.seats)
        assert game.deal == key.deal


def test_a_swiss_round_waits_for_the_results_of_the_one_before(file: Path) -> None:
    league = small("random", "greedy", "random as b", "random as c", format="swiss", players=2)
    games = play(file, league).games
    first = len(keys(league))
    second = list(deals_of_round(league, range(4), 1, games[:first]))
    seats = [around for deal in second for around in rotations(deal.seats)]
    assert [tuple(league.names[bot] for bot in bots) for bots in seats] == [
        game.seats for game in games[first : first + len(seats)]
    ]


@pytest.mark.slow
def test_identical_bots_come_out_exactly_tied(file: Path) -> None:
    """Seats are rotated, and a bot's luck belongs to the seat and the deal, not to the bot."""
    league = small("random", "random as twin", players=2, deals=30, options=[])
    won = [game.seats[seat] for game in play(file, league).games for seat in game.winners]
    assert won.count("random") == won.count("twin") > 0


# ---- the bots' faults ---------------------------------------------------------------------------


def test_a_fault_costs_its_bot_the_game_and_the_league_goes_on(file: Path) -> None:
    league = small("random", rogue("Crasher"), rogue("Cheat"), probation=0)
    games, faults, disqualified, _ = play(file, league)
    assert disqualified == []
    for number, bot, fault in faults:
        game = games[number]
        assert game.seats[fault.seat] == bot
        assert (game.faulty, game.winners, game.ranks()[fault.seat]) == (fault.seat, (), 1)
    assert {(bot, fault.kind) for _, bot, fault in faults} == {
        ("Crasher", "exception"),
        ("Cheat", "illegal"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_disqualified_bot_leaves_as_if_it_had_never_been_there(
    tmp_path: Path, file: Path, limit: int
) -> None:
    others = ("random", "random as b", "greedy:depth=1")
    league = small(*others, rogue("Moody"), probation=limit, deals=5)
    games, faults, [(bot, count, number, _)], _ = play(file, league)
    assert (bot, count, number) == ("Moody", limit, faults[-1][0])
    assert games == play(tmp_path / "others.db", small(*others, deals=5)).games
    after = f"{limit} fault{'s' * (limit > 1)}"
    assert f"Moody was disqualified after {after}; its games do not count" in table(file)
    with Journal.read(file) as journal:
        evidence = [game for game in journal.games() if not game.counted]
    assert all("Moody" in game.record.seats for game in evidence)
    assert sum(game.fault is not None for game in evidence) == limit


def test_when_several_bots_are_disqualified_the_rest_has_a_whole_league(
    tmp_path: Path, file: Path
) -> None:
    others = ("random", "random as b")
    league = small(*others, rogue("Moody"), rogue("Crasher"), rogue("Cheat"), deals=4)
    games, _, disqualified, _ = play(file, league)
    assert {bot for bot, *_ in disqualified} == {"Moody", "Crasher", "Cheat"}
    assert games == play(tmp_path / "others.db", small(*others, deals=4)).games


def test_who_left_a_swiss_league_stays_in_its_file(file: Path, arena: RunArena) -> None:
    """Counting the missing games after the end forgot it, so that the file did not verify."""
    bots = ("--bot", "random", "--bot", "greedy", "--bot", "random as b", "--bot", rogue("Cheat"))
    swiss = ("--format", "swiss", "--rounds", "3", "--deals", "2", "--players", "2")
    command = ("league", *bots, *swiss, "--option", "rounds=1", "--workers", "1", "--run", file)
    words = [*map(str, command)]
    first = arena(*words)
    told = "Cheat was disqualified after 4 faults"
    assert "Cheat is disqualified after 4 faults; it is left out from now on" in first.err
    assert told in first.out
    assert "all correct" in arena("verify", str(file)).out
    assert arena(*words).out == first.out
    assert told in arena("standings", str(file)).out
    arena("export", str(file), str(file.with_name("out")))
    assert "Cheat,4," in file.with_name("out").joinpath("disqualified.csv").read_text()


def test_a_swiss_league_that_is_stopped_says_who_has_left_it(file: Path) -> None:
    league = small("random", "random as b", "random as c", rogue("Cheat"), format="swiss", rounds=9)
    stop_after = iter([StopRequest.NONE] * 60 + [StopRequest.FINISH] * 100)
    with Journal.write(file, league) as journal:
        assert not play_league(journal, InProcessPool(league), no_display, stop_after.__next__)
    with Journal.read(file) as journal:
        assert [bot for bot, *_ in journal.disqualified()] == ["Cheat"]
        check = RunCheck(journal)
        assert check.problems() == []
        assert "is not complete" in check.incomplete()


def test_progress_and_announcements_keep_up_with_disqualifications(file: Path) -> None:
    """Games under way when a bot leaves belong to no schedule any more."""
    league = small("random", "random as b", rogue("Crasher"), rogue("Cheat"), probation=2, deals=4)
    said, shown = list[str](), list[tuple[int, int]]()
    progress: list[LeagueProgress] = []

    def show(now: LeagueProgress) -> None:
        shown.append((now.done, now.total))
        progress[:] = [now]

    with Journal.write(file, league) as journal:
        assert play_league(journal, InProcessPool(league), show, never_stop, said.append)
        games = len(journal.numbers())
    assert all(done <= total for done, total in shown)
    assert shown[-1] == (games, games)
    assert {name for name, _ in progress[0].leaders()} == {"random", "b"}
    for bot in ("Crasher", "Cheat"):
        assert sum(text.startswith(f"{bot} is disqualified") for text in said) == 1


def test_a_bot_leaves_a_swiss_league_from_the_next_round_on(file: Path) -> None:
    bots = ("random", "random as b", "random as c", rogue("Crasher"))
    league = small(*bots, players=2, deals=2, format="swiss", rounds=4, probation=2)
    with Journal.write(file, league) as journal:
        assert play_league(journal, InProcessPool(league), no_display, never_stop)
        rounds = journal.rounds()
        [(bot, count, _, _)] = journal.disqualified()
        games = journal.played()
    assert (bot, count) == ("Crasher", 4)
    assert {rounds[game.number] for game in games if "Crasher" in game.seats} == {0}
    assert set(rounds.values()) == {0, 1, 2, 3}


def test_disqualifications_survive_a_stop(tmp_path: Path, file: Path) -> None:
    league = small("random", "random as b", rogue("Moody"), probation=2, players=2, deals=10)
    stops = 0
    complete = False
    while not complete:
        stops += 1
        stop_after = iter([StopRequest.NONE] * 7 + [StopRequest.FINISH] * 1000)
        with Journal.write(file, league) as journal:
            complete = play_league(journal, InProcessPool(league), no_display, stop_after.__next__)
    assert stops > 3
    assert content(file) == play(tmp_path / "whole.db", league).content


def test_a_bot_over_its_time_per_game_is_charged(file: Path) -> None:
    league = small("random", rogue("Slow"), seconds_per_game=0.01, players=2, deals=1)
    (_, _, fault), _ = play(file, league).faults
    assert fault.kind == "time"
    assert "the limit is 0.01 s per game" in fault.problem


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "kind", "words"),
    [
        ("Sleeper", "time", "gave no answer in "),
        ("Segfaulter", "died", "had its worker die 3 times while it was to move (SIGSEGV)"),
    ],
)
def test_a_bot_that_hangs_or_crashes_its_worker_is_charged_and_the_others_play_on(
    file: Path,
    bot: str,
    kind: str,
    words: str,
    arena: RunArena,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What is said of it are whole sentences, and which decision it was is not made up."""
    bots = ("random", rogue(bot), "greedy:depth=1")
    league = small(*bots, seconds_per_game=0.5, players=2, deals=1, probation=1)
    games, [(number, name, fault)], _, _ = play_with(file, league, 1)
    assert (name, fault.kind) == (bot, kind)
    assert words in fault.problem
    blamed = [text for text in caplog.messages if f"({bot}): {words}" in text]
    assert blamed
    assert all("to reproduce it: arena match " in text for text in blamed)
    # Games are numbered anew when a bot leaves, so the warnings have no numbers.
    assert not any(re.search(r"\bgame \d", text) for text in caplog.messages)
    told = " ".join(table(file).split())
    assert f"The last one, in game {number}: it {words}" in told
    seat = "AB"[fault.seat]
    shown = arena("show", str(file), str(number)).out
    assert f"Ended by a fault: {seat} ({bot}) {words}" in " ".join(shown.split())
    assert [(game.seats, game.faulty) for game in games] == [
        (("greedy:depth=1", "random"), None),
        (("random", "greedy:depth=1"), None),
    ]


@pytest.mark.slow
def test_output_of_bots_is_saved_and_their_log_lines_are_shown(
    file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    league = small("random", rogue("Chatter"), players=2, deals=1)
    play(file, league, LocalPool(league, 1, Collector(logging.INFO)))
    with Journal.read(file) as journal:
        assert all("thinking " in game.output for game in journal.games())
    assert {"hello from seat 0", "hello from seat 1"} <= set(lines)
    assert capfd.readouterr().out == ""


# ---- faults of the machine and of the rules -----------------------------------------------------


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced_and_its_game_played_again(
    tmp_path: Path, file: Path
) -> None:
    league = small(players=2, deals=20)
    process_pool = LocalPool(league, 2)
    killed: set[int] = set()

    def kill_one(progress: LeagueProgress) -> None:
        victim = process_pool.workers[0].process
        if len(killed) < 3 and victim.pid not in killed and progress.done > 10 * len(killed):
            assert victim.pid is not None
            victim.kill()
            killed.add(victim.pid)

    with Journal.write(file, league) as journal, closing(process_pool):
        assert play_league(journal, process_pool, kill_one, never_stop)
    assert len(killed) == 3
    assert content(file) == play(tmp_path / "whole.db", league).content


@pytest.mark.slow
def test_workers_that_cannot_start_end_the_league(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "FAILED_STARTS", 2)
    bot = tmp_path / "gone.py"
    bot.write_text("from bots.random_bot import Random\n", encoding="utf-8")
    league = small("random", f"{bot}:Random as gone", players=2)
    bot.unlink()
    with pytest.raises(PoolBroken, match="workers die before they have played a game"):
        play_with(tmp_path / "run.db", league, 1)


def test_a_crash_of_the_rules_stops_the_league_with_a_command_to_reproduce_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = small(players=2, deals=3, iterations=7)
    crashing = keys(league)[5]

    def run_game(*given: object, **more: Any) -> Result:
        if given[2] == crashing.seed:
            raise IndexError("a card too many")
        return referee.run_game(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(worker, "run_game", run_game)
    with pytest.raises(GameCrashed) as caught:
        play(file, league)
    problem, way = str(caught.value).splitlines()
    assert problem.endswith("no bot is to blame: IndexError: a card too many")
    bots = " ".join(league.bots[bot].bot for bot in crashing.seats)
    command = f"arena match {bots} --seed {crashing.seed}"
    assert way == f"to reproduce it: {command} --option rounds=1 --iterations 7"


@pytest.mark.parametrize(("code", "times"), [(-signal.SIGSEGV, 3), (1, 3), (-signal.SIGKILL, 10)])
@pytest.mark.parametrize(("seat", "verdict"), [(-1, Crashed), (1, Finished)])
def test_a_game_in_which_workers_keep_dying_is_blamed_on_the_bot_or_the_rules(
    code: int, times: int, seat: int, verdict: type[Outcome]
) -> None:
    """The rules are to blame if no bot was to move."""
    league = small(players=2)
    key = keys(league)[0]
    with closing(LocalPool(league, 0)) as process_pool:
        verdicts = [process_pool._verdict(key, seat, code, "gone") for _ in range(times)]
    assert verdicts[:-1] == [None] * (times - 1)
    assert isinstance(verdicts[-1], verdict)


def test_exit_codes_as_text() -> None:
    assert exit_text(-signal.SIGKILL) == "SIGKILL"
    assert exit_text(3) == "exit code 3"


# ---- stopping, and other kinds of pools ---------------------------------------------------------


class Counting(InProcessPool):
    """Counts how many games it had at once."""

    seen = 0

    def submit(self, games: Sequence[GameKey]) -> None:
        super().submit(games)
        self.seen = max(self.seen, len(self.waiting))


@pytest.mark.parametrize("most", [1, 5])
def test_a_pool_gets_no_more_games_than_it_has_room_for(file: Path, most: int) -> None:
    league = small()
    counting = Counting(league)
    counting.most = most
    play(file, league, counting)
    assert counting.seen == most


class Crowded(InProcessPool):
    """Has room only at every other call."""

    calls = 0

    def room(self) -> int:
        self.calls += 1
        return self.calls % 2


def test_a_league_waits_for_a_pool_that_has_no_room(file: Path) -> None:
    league = small()
    assert len(play(file, league, Crowded(league)).games) == game_count(league)


def test_a_stop_saves_what_is_finished(file: Path) -> None:
    league = small()
    stop_after = iter([StopRequest.NONE] * 6 + [StopRequest.NOW] * 10)
    with Journal.write(file, league) as journal:
        assert not play_league(journal, InProcessPool(league), no_display, stop_after.__next__)
        assert len(journal.numbers()) == 6


def test_progress_includes_games_of_earlier_sessions(file: Path) -> None:
    league = small(players=2)
    shown: list[tuple[int, int]] = []

    def show(progress: LeagueProgress) -> None:
        shown.append((progress.done, sum(progress.seats.values())))

    stop_after = iter([StopRequest.NONE] * 4 + [StopRequest.NOW] * 10)
    with Journal.write(file, league) as journal:
        play_league(journal, InProcessPool(league), show, stop_after.__next__)
        play_league(journal, InProcessPool(league), show, never_stop)
    assert shown[-1] == (game_count(league), 2 * game_count(league))
    assert shown[0] == (1, 2)


def test_a_game_does_not_depend_on_the_games_before_it() -> None:
    league = small()
    games = keys(league)
    runner = worker.GameRunner(league)
    alone, _, _, after_others = (runner.play(games[number]) for number in (3, 7, 0, 3))
    assert isinstance(alone, Finished)
    assert isinstance(after_others, Finished)
    assert alone._replace(spent=(), times=b"") == after_others._replace(spent=(), times=b"")
