"""How far a league has come, for those who only read its run file."""

from dataclasses import replace
from pathlib import Path

from arena.league.config import MOST_DEALS
from arena.league.journal import Journal
from arena.league.progress import planned_by_players, planned_games
from arena.league.read_run import run_of
from arena.league.runner import bring_up_to_date
from arena.league.table_notes import table_notes
from arena.league.verify import RunCheck
from arena.stats.ranking_table import ranking_text
from tests.support.leagues import play, small


def test_a_league_that_was_killed_before_its_time_was_up_has_no_number_of_games(
    file: Path,
) -> None:
    """Until the end of `--minutes`, its file asks for a million deals: a report listed them all."""
    league = small("random", "greedy")
    play(file, league)
    with Journal.write(file, replace(league, deals=MOST_DEALS)) as journal:
        journal.save_ratings([])
    with Journal.read(file) as journal:
        assert (planned_games(journal), planned_by_players(journal)) == (0, {})
        assert table_notes(journal) == ["The league is not complete: 16 games so far."]
        check = RunCheck(journal)
        assert check.problems() == []
        assert "complete: later rounds of its schedule have not been played" in check.incomplete()


def test_the_table_of_a_league_that_was_stopped_says_that_games_are_missing(file: Path) -> None:
    """A host would otherwise publish it as the whole league."""
    league = small("random", "greedy")
    play(file, league)
    with Journal.read(file) as journal:
        assert table_notes(journal) == []
    with Journal.write(file, replace(league, deals=300)) as journal:
        bring_up_to_date(journal)
        assert "complete: 16 of 2,400 games so far." in ranking_text(run_of(journal))
