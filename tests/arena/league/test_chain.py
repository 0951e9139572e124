"""The chain of a run file: every write adds to it, and it survives whatever a league survives."""

from pathlib import Path

import pytest

from arena.league.chain import Kind, broken_link
from arena.league.journal import Journal
from arena.league.verify import RunCheck
from arena.league.verify_chain import head_problem
from tests.support.command_line import RunArena
from tests.support.leagues import content, play, play_with, small

PAIR = ("random", "random as b")


def kinds(file: Path) -> list[str]:
    with Journal.read(file) as journal:
        assert broken_link(journal.chain()) is None
        assert RunCheck(journal).problems() == []
        return [entry.kind for entry in journal.chain()]


def head(file: Path) -> str:
    with Journal.read(file) as journal:
        return journal.head()


def test_a_league_is_a_chain_from_its_config_to_its_end(file: Path) -> None:
    games = len(play(file, small(*PAIR, players=2)).games)
    assert kinds(file) == [Kind.LEAGUE, *[Kind.GAME] * games, Kind.END]
    before = head(file)
    play(file, small(*PAIR, players=2))
    assert head(file) == before  # nothing was played


@pytest.mark.slow
def test_workers_finish_in_any_order_and_only_the_chain_knows(file: Path, tmp_path: Path) -> None:
    league = small(*PAIR, players=2, deals=20)
    play_with(file, league, 2)
    play(other := tmp_path / "other.db", league)  # the last game first
    assert content(file) == content(other)
    assert head(file) != head(other)
    assert sorted(kinds(file)) == sorted(kinds(other))


def test_changed_and_pruned_leagues_go_on_with_their_chain(file: Path) -> None:
    three = (*PAIR, "random as c")
    play(file, small(*three, players=2, deals=1))
    published = head(file)
    play(file, small(*PAIR, players=2, deals=2))
    with Journal.write(file, small(*PAIR, players=2, deals=2)) as journal:
        assert journal.prune() == 4
        assert head_problem(journal, published) == ""
        assert "does not contain the published head" in head_problem(journal, "00" * 32)
    assert kinds(file).count(Kind.PRUNED) == 4
    play(file, small(*three, players=2, deals=1))  # the pruned games are played again
    assert kinds(file).count(Kind.GAME) == 6 + 2 + 4


def test_sessions_are_in_the_chain(file: Path) -> None:
    league = small(*PAIR, players=2)
    with Journal.write(file, league) as journal:
        journal.begin_session(3)
    play(file, league)
    assert kinds(file)[:2] == [Kind.LEAGUE, Kind.SITTING]


def test_a_published_head_is_checked_by_the_command(file: Path, arena: RunArena) -> None:
    play(file, small(*PAIR, players=2))
    assert f"chain {head(file)}" in arena("verify", str(file), "--head", head(file)).out
    text = arena("verify", str(file), "--head", "ab" * 32, code=1).out
    assert "does not contain the published head" in text
    text = arena("verify", str(file), "--commitment", "ab" * 32, code=1).out
    assert "as published: there is none" in text
    key = file.with_name("key.pub")
    key.write_text("ssh-ed25519 AAAA\n")
    assert "nobody has signed it" in arena("verify", str(file), "--signer", str(key), code=1).out


def test_an_unfinished_league_says_how_many_games_are_missing(file: Path, arena: RunArena) -> None:
    play(file, small(*PAIR, players=2, deals=1))
    with Journal.write(file, small(*PAIR, players=2, deals=3)) as journal:
        journal.save_ratings([])
    told = "the league is not complete: 4 games of its schedule have not been played"
    assert told in arena("verify", str(file)).out
