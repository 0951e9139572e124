"""Leagues that are played until their order is settled."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.league.config import BadConfig, League, read_league
from arena.league.journal import Journal
from arena.league.progress import planned_games
from arena.league.runner import LeagueProgress, StopRequest, known_games, play_league
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


SETTLED_SOON = ("--bot", "greedy", "--bot", "random", "--players", "2", "--option", "rounds=1")
UNTIL_SETTLED = (*SETTLED_SOON, "--until-settled", "--workers", "1", "--run", "run.db")


def test_a_settled_league_of_the_command_keeps_its_ratings_and_verifies(
    folder: Path, arena: RunArena
) -> None:
    """Counting the missing games after the end took the ratings for those of another league."""
    first = arena("league", *UNTIL_SETTLED)
    assert "The order is settled" in first.out
    assert "4 ratings recomputed, all correct" in arena("verify", "run.db").out
    whole = content(Path("run.db"))
    again = arena("league", *UNTIL_SETTLED)
    assert again.out == first.out
    assert re.search(r"(\d+) of \1 games already played", again.err)
    assert content(Path("run.db")) == whole
    with Journal.read(Path("run.db")) as journal:
        assert len(journal.sessions()) == 1  # the second time, there was nothing to play
        assert planned_games(journal) == len(journal.numbers())


def test_asking_which_games_are_known_writes_nothing(file: Path) -> None:
    """A journal that is opened for reading cannot be written to."""
    settle(file, league("random", "greedy", players=2))
    with Journal.read(file) as journal:
        known = known_games(journal)
    assert (known.complete, known.stored, known.absent) == (True, known.total, [])


@pytest.mark.parametrize("seconds", [None, 0.1])
def test_a_resumed_league_never_has_more_games_than_it_says(
    file: Path, seconds: float | None
) -> None:
    """The total was that of the games which the plan had gone through again: 40/29."""
    endless = league("random", "random as twin", margin=0.05 if seconds is None else 0.001)
    seen: list[tuple[int, int, bool]] = []

    def look(progress: LeagueProgress) -> None:
        seen.append((progress.done, progress.total, progress.open_ended))

    def play(stop: Callable[[], StopRequest], seconds: float | None) -> bool:
        seen.clear()
        with Journal.write(file, endless) as journal:
            return play_league(journal, InProcessPool(endless), look, stop, seconds=seconds)

    some = iter([StopRequest.NONE] * 150 + [StopRequest.FINISH] * 1000)
    assert not play(some.__next__, None)
    stored = seen[-1][0]
    assert play(never_stop, seconds)
    assert seen[0][0] >= stored
    assert all(done <= total for done, total, _ in seen)
    assert [open_ended for *_, open_ended in seen] == [True] * (len(seen) - 1) + [False]


def test_time_may_end_it_before_it_is_settled(file: Path, arena: RunArena) -> None:
    """Then it is not complete: nothing is missing that the file says it has."""
    endless = league("random", "random as twin", margin=0.001)
    with Journal.write(file, endless) as journal:
        pool = InProcessPool(endless)
        assert play_league(journal, pool, no_display, never_stop, seconds=0.1)
        report = order_report(journal)
        assert report is not None
        assert not report.settled
        assert len(journal.numbers()) == len(journal.stored()) > 0
        assert journal.ratings() == []
    assert "the league is not complete: " in arena("verify", str(file)).out
    before = content(file)
    with Journal.write(file, endless) as journal:  # it goes on, with the same games
        assert content(file) == before
        pool = InProcessPool(endless)
        assert play_league(journal, pool, no_display, never_stop, seconds=0.1)
    arena("verify", str(file))


def test_the_command_says_how_to_go_on_when_the_time_is_up(folder: Path, arena: RunArena) -> None:
    twins = ("--bot", "random", "--bot", "random as twin", "--players", "2", "--option", "rounds=1")
    few = (*twins, "--until-settled", "--minutes", "0.001", "--workers", "1", "--run", "run.db")
    told = arena("league", *few)
    assert "The order is not settled yet" in told.out
    assert "The time was up before the order was settled. To resume: arena league" in told.err
    arena("verify", "run.db")
    result = json.loads(arena("league", *few, "--json").out)
    assert (result["complete"], result["order"]["settled"]) == (False, False)
    assert result["standings"] is not None
    arena("verify", "run.db")


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
    early = OrderReport(False, ("a", "b"), {}, (), (), (), 0)
    head = "The order is not settled yet at 95% confidence: "
    assert order_lines(early, 0.95) == [
        f"{head}no deal has been judged yet; they are judged in batches of 64."
    ]
    assert order_lines(replace(early, deals=64), 0.95) == [
        f"{head}not every pair has met in 4 of the 64 deals judged so far."
    ]
    assert order_lines(report, 0.95) == [
        "The order is not settled yet at 95% confidence, after 1,300 deals:",
        "- a is ahead of b: lead +25.0 points (+10.0 to +40.0), 12 deals",
        "- b is equal within the margin to c: lead +0.0 points (-4.0 to +4.0), 900 deals",
        "- c is not told apart yet from d: lead +2.0 points (-1.0 to +6.0), 1,200 deals",
    ]


def test_a_dry_run_says_that_only_the_first_games_are_known(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # no league has been played there
    monkeypatch.setattr("arena.league.preview.SAMPLE", 0.1)
    lines = arena("league", "quick", "--until-settled", "--players", "2", "--dry-run").lines
    assert lines[-1].startswith("until the order is settled; about ")
    assert lines[-2].startswith("the first ")
