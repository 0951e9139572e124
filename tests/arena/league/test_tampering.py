"""Forged run files: every kind of edit is found, or listed with what else finds it, and why."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.database import BadRun
from arena.league.journal import Journal
from arena.league.replay_bots import check_same_bots, replay_bots
from arena.league.verify import RunCheck
from arena.league.verify_chain import head_problem
from games.errors import GameError
from tests.support.faulty_bots import rogue
from tests.support.forger import ANYWAY, BOTS, EDITS, SAID, Edit, Forger
from tests.support.leagues import play, small
from tests.support.pages import page

BOTS_OF_ALL_KINDS = ("random", "greedy:depth=1 as hasty", "ismcts:iterations=3 as thinker")


def played(file: Path, probation: int) -> Path:
    bots = (*BOTS_OF_ALL_KINDS, rogue("Crasher"))
    league = small(*bots, players=2, probation=probation, options=[])
    with Journal.write(file, league, draw=True) as journal:
        journal.begin_session(1)
    play(file, league, draw=True)
    return file


@pytest.fixture(scope="module")
def genuine(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """A complete league with faults, and one from which a bot was disqualified (True)."""
    folder = tmp_path_factory.mktemp("genuine")
    return {False: played(folder / "all.db", 0), True: played(folder / "fewer.db", 2)}


def problems(file: Path) -> list[str]:
    """What `arena verify` finds; a file that it refuses is found as well."""
    try:
        with Journal.read(file) as journal:
            return RunCheck(journal).problems()
    except GameError as error:
        return [str(error)]


def forged(edit: Edit, genuine: dict[bool, Path], file: Path, *, rebuilt: bool) -> Path:
    forger = Forger.of_copy(genuine[edit.disqualified], file)
    with closing(forger):
        edit.do(forger)
        if edit.rates:
            forger.rate()
        if rebuilt:
            forger.rebuild_chain()
    return file


@pytest.mark.slow
def test_genuine_runs_have_no_problems_before_and_after_a_forger_who_edits_nothing(
    genuine: dict[bool, Path], file: Path
) -> None:
    for kind in (False, True):
        assert problems(genuine[kind]) == []
        nothing = Edit("nothing", lambda _forger: None, disqualified=kind)
        assert problems(forged(nothing, genuine, file, rebuilt=False)) == []
        assert problems(forged(nothing, genuine, file, rebuilt=True)) == []


@pytest.mark.slow
@pytest.mark.parametrize("edit", [edit for edit in EDITS if not edit.anew], ids=str)
def test_an_edit_shows_even_if_ratings_were_recomputed(
    edit: Edit, genuine: dict[bool, Path], file: Path
) -> None:
    assert problems(forged(edit, genuine, file, rebuilt=False))


@pytest.mark.slow
@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_an_edit_by_a_forger_who_rebuilds_everything_is_found_as_the_table_says(
    edit: Edit, genuine: dict[bool, Path], file: Path
) -> None:
    forged(edit, genuine, file, rebuilt=True)
    found = problems(file)
    assert bool(found) == (edit.found is ANYWAY), found
    if found:
        return
    with Journal.read(genuine[edit.disqualified]) as journal:
        published = journal.head()
    with Journal.read(file) as journal:
        assert head_problem(journal, published)  # whatever it was
        if edit.found is SAID:
            incomplete = RunCheck(journal).incomplete()
            assert incomplete or journal.converted or not journal.commitment()
        if edit.found is BOTS:
            assert bots_disagree(journal)


def bots_disagree(journal: Journal) -> bool:
    try:
        check_same_bots(journal, journal.league)
        return bool(replay_bots(journal, journal.league, 1000).problems)
    except BadRun as error:
        return "is not the bot that played" in str(error)


def test_the_page_has_the_same_table() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.*?) \|$", page("verifying"), re.MULTILINE)
    table = {what: (by, why) for what, by, why in rows}
    assert len(EDITS) >= 25
    for edit in EDITS:
        assert table.get(edit.what) == (edit.found.by, edit.why), edit.what
