"""Leagues that are played until their order is settled."""

from pathlib import Path

import pytest

from arena.league.config import BadConfig, League, read_league
from arena.league.journal import Journal
from arena.league.runner import StopRequest, play_league
from arena.league.settling import order_lines
from arena.league.table_notes import order_report
from arena.stats.sequential_test import Verdict
from arena.stats.settled import OrderReport, PairReport
from tests.support.command_line import RunArena
from tests.support.faulty_bots import rogue
from tests.support.leagues import InProcessPool, content, never_stop, no_display, play_with, small


def league(*bots: str, **more: object) -> League:
    named = bots or ("random", "greedy:depth=1 as hasty", "random as twin")
    quick = {"until_settled": True, "margin": 0.3, "confidence": 0.8, "players": "2-3"}
    return small(*named, **{**quick, **more})


def settle(file: Path, whole: League) -> OrderReport | None:
    with Journal.write(file, whole) as journal:
        assert play_league(journal, InProcessPool(whole), no_display, never_stop)
        return order_report(journal)


@pytest.mark.slow
def test_a_league_stops_when_its_order_is_settled(file: Path, arena: RunArena) -> None:
    report = settle(file, league())
    assert report is not None
    assert report.settled
    assert all(pair.verdict is not None for pair in report.deciding)
    with Journal.read(file) as journal:
        numbers = journal.numbers()
        assert len(journal.ratings()) == 3 * 3
    assert numbers == set(range(len(numbers)))
    assert "all correct" in arena("verify", str(file)).out


@pytest.mark.slow
def test_it_is_the_same_after_stops_and_with_any_number_of_workers(
    tmp_path: Path, file: Path
) -> None:
    whole = league(players=2)
    settle(file, whole)
    stopped = tmp_path / "stopped.db"
    complete, stops = False, 0
    while not complete:
        stops += 1
        stop_after = iter([StopRequest.NONE] * 60 + [StopRequest.FINISH] * 1000)
        with Journal.write(stopped, whole) as journal:
            pool = InProcessPool(whole)
            complete = play_league(journal, pool, no_display, stop_after.__next__)
    assert stops > 1
    play_with(parallel := tmp_path / "parallel.db", whole, 2)
    assert content(file) == content(stopped) == content(parallel)


@pytest.mark.slow
def test_a_disqualified_bot_leaves_it_as_if_it_had_never_been_there(
    tmp_path: Path, file: Path, arena: RunArena
) -> None:
    settle(file, league("random", "random as twin", rogue("Moody"), players=2, probation=2))
    settle(others := tmp_path / "others.db", league("random", "random as twin", players=2))
    with Journal.read(file) as journal, Journal.read(others) as undisturbed:
        assert [bot for bot, *_ in journal.disqualified()] == ["Moody"]
        assert journal.played() == undisturbed.played()
    arena("verify", str(file))


def test_if_only_one_bot_is_left_nothing_is_played(file: Path) -> None:
    assert settle(file, league("random", rogue("Crasher"), players=2, probation=1)) is None
    with Journal.read(file) as journal:
        assert journal.played() == []


def test_time_may_end_it_before_it_is_settled(file: Path) -> None:
    endless = league("random", "random as twin", margin=0.001)
    with Journal.write(file, endless) as journal:
        pool = InProcessPool(endless)
        assert play_league(journal, pool, no_display, never_stop, seconds=0.1)
        report = order_report(journal)
        assert report is not None
        assert not report.settled
        assert len(journal.numbers()) == len(journal.stored()) > 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"format": "swiss"}, "--until-settled: only for a round-robin, not swiss"),
        ({"top": 3}, "--top is 3, but there are 2 bots"),
        ({"confidence": 95.0}, "--confidence must be a number between 0 and 1, like 0.95"),
        ({"margin": 0.0}, "--margin must be a number between 0 and 1"),
    ],
    ids=str,
)
def test_what_cannot_be_settled(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadConfig) as caught:
        read_league(None, {"bots": ["random", "greedy"], "until_settled": True, **given})
    assert sentence in str(caught.value)


def test_the_report_says_who_is_ahead_equal_or_open() -> None:
    pairs = (
        PairReport("a", "b", Verdict.BETTER, 12, 0.25, 0.1, 0.4),
        PairReport("b", "c", Verdict.EQUAL, 900, 0.0, -0.04, 0.04),
        PairReport("c", "d", None, 1200, 0.02, -0.01, 0.06),
    )
    report = OrderReport(False, ("a", "b", "c", "d"), {}, (), pairs, (), 1300)
    assert order_lines(report, 0.95) == [
        "The order is not settled yet at 95% confidence, after 1,300 deals:",
        "- a is ahead of b: lead +25.0 points (+10.0 to +40.0), 12 deals",
        "- b is equal within the margin to c: lead +0.0 points (-4.0 to +4.0), 900 deals",
        "- c is not told apart yet from d: lead +2.0 points (-1.0 to +6.0), 1,200 deals",
    ]


def test_a_dry_run_says_that_only_the_first_games_are_known(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.league.preview.SAMPLE", 0.1)
    lines = arena("league", "quick", "--until-settled", "--players", "2", "--dry-run").lines
    assert lines[-1].startswith("until the order is settled; about ")
    assert lines[-2].startswith("the first ")
