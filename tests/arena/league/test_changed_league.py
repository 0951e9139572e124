"""A changed league: only what is missing is played, and the result is as if from nothing."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.league.bot_sources import bot_digests, bot_identities
from arena.league.config import League, read_league
from arena.league.game_identity import GameIdentity
from arena.league.journal import Journal
from arena.league.runner import known_games, play_league
from arena.league.schedule import GameKey
from tests.support.leagues import InProcessPool, content, never_stop, no_display, play, small

SIX = [f"random as {name}" for name in "abcdef"]


class Counting(InProcessPool):
    """Counts the games it plays."""

    played = 0

    def submit(self, games: Sequence[GameKey]) -> None:
        super().submit(games)
        self.played += len(games)


def games_played(file: Path, league: League) -> int:
    """Play a league into a file that may hold games; returns how many were played."""
    pool = Counting(league)
    play(file, league, pool)
    return pool.played


def same_as_from_nothing(file: Path, league: League) -> bool:
    fresh = file.with_name("fresh.db")
    fresh.unlink(missing_ok=True)
    play(fresh, league)
    return content(file) == content(fresh)


@pytest.mark.slow
def test_only_missing_games_are_played_when_a_league_changes(file: Path) -> None:
    """More deals; a bot removed; one added; one replaced: each time counted."""
    per_deal = 15 * 2 + 20 * 3  # line-ups of six bots at two and three players
    league = small(*SIX, deals=1)
    assert games_played(file, league) == per_deal
    league = small(*SIX, deals=2)
    assert games_played(file, league) == per_deal
    assert same_as_from_nothing(file, league)
    league = small(*SIX[:-1], deals=2)
    assert games_played(file, league) == 0
    assert same_as_from_nothing(file, league)
    league = small(*SIX[:-1], "random as new", deals=2)
    with_one = 2 * (5 * 2 + 10 * 3)  # games of six bots in which a certain one plays
    assert games_played(file, league) == with_one
    assert same_as_from_nothing(file, league)
    league = small(*SIX[:-1], "greedy:depth=1 as new", deals=2)
    assert games_played(file, league) == with_one
    assert same_as_from_nothing(file, league)
    league = small(*SIX, deals=2, players="2-4")
    assert games_played(file, league) == 2 * 15 * 4
    assert same_as_from_nothing(file, league)


def test_the_first_league_comes_back_without_a_game(file: Path) -> None:
    first, other = small(*SIX[:3]), small(*SIX[2:])
    before = play(file, first).content
    play(file, other)
    assert games_played(file, first) == 0
    assert content(file) == before
    with Journal.read(file) as journal:
        assert journal.spare() > 0


def test_neither_the_order_of_the_bots_nor_the_workers_make_a_difference(file: Path) -> None:
    play(file, small(*SIX[:4], workers=1))
    assert games_played(file, small(*reversed(SIX[:4]), workers=7)) == 0


@pytest.mark.parametrize(
    "change",
    [{"seed": 2}, {"options": []}, {"iterations": 5}, {"seconds_per_move": 3}, {"trust": False}],
    ids=str,
)
def test_what_changes_the_games_changes_their_identity(change: dict[str, object]) -> None:
    bots = [f"{__file__}:None as mine", "random"]  # a file that is not built in

    def identity(**more: object) -> bytes:
        league = read_league(None, {"bots": bots, "players": 2, "options": ["rounds=1"], **more})
        seed = league.seed  # stands for the seed of a deal, which follows from it
        return GameIdentity(league).of(seed, ("mine", "random"))

    assert identity(**change) != identity() == identity()


def test_seats_are_part_of_the_identity_of_a_game() -> None:
    identity = GameIdentity(small("random as a", "random as b"))
    assert identity.of(1, ("a", "b")) != identity.of(1, ("b", "a"))


def test_a_bot_that_is_edited_is_another_bot_and_one_that_is_moved_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("import helper\nfrom bots.random_bot import Random\n")
    (tmp_path / "helper.py").write_text("import deeper\n")
    (tmp_path / "deeper.py").write_text("depth = 1\n")
    (tmp_path / "other.py").write_text("nothing of this bot\n")
    league = small("random", "mine.py:Random as mine")
    before = bot_identities(league)
    assert [Path(file).name for file in bot_digests(league)] == [
        "mine.py",
        "helper.py",
        "deeper.py",
    ]
    (tmp_path / "other.py").write_text("edited\n")
    moved = small("random", f"{tmp_path}/mine.py:Random as mine")
    assert bot_identities(league) == bot_identities(moved) == before
    (tmp_path / "deeper.py").write_text("depth = 2\n")
    after = bot_identities(league)
    assert (after["random"], after["mine"] != before["mine"]) == (before["random"], True)


@pytest.mark.parametrize("bot", ["cmd:sh my_bot.py", "my_bot.py:MyBot as mine"])
def test_files_of_bots_and_on_the_command_line_of_a_program_have_digests(
    bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_bot.py").write_text("first")
    league = read_league(None, {"bots": [bot, "random"]})
    before = bot_digests(league)
    assert list(before) == ["my_bot.py"]
    Path("my_bot.py").write_text("edited")
    assert bot_digests(league) != before


def test_a_package_beside_a_bot_is_part_of_it(tmp_path: Path) -> None:
    package = tmp_path / "brain"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "deep.py").touch()
    (tmp_path / "mine.py").write_text("from brain.deep import think\n")
    files = bot_digests(small("random", f"{tmp_path}/mine.py:Mine as mine"))
    assert [Path(file).name for file in files] == ["mine.py", "__init__.py", "deep.py"]


def test_missing_games_are_counted_before_any_is_played(file: Path) -> None:
    play(file, small(*SIX[:3], players=2))
    with Journal.write(file, small(*SIX[:4], players=2)) as journal:
        known = known_games(journal)
        assert (known.stored, known.total, len(known.absent)) == (12, 24, 12)


@pytest.mark.slow
def test_a_league_by_time_is_one_of_as_many_deals_as_it_came_to(tmp_path: Path, file: Path) -> None:
    league = small("random", "random as b", players=2, deals=1)
    for _ in range(2):
        with Journal.write(file, league) as journal:
            pool = InProcessPool(league)
            assert play_league(journal, pool, no_display, never_stop, seconds=0.2)
            deals = journal.league.deals
            assert len(journal.numbers()) == 2 * deals
    assert deals > 2
    assert (
        content(file)
        == play(
            tmp_path / "whole.db", small(*league.names[:1], "random as b", players=2, deals=deals)
        ).content
    )


def test_a_swiss_league_that_was_changed_is_as_if_from_nothing(file: Path) -> None:
    """Its pairings follow from the results of its own games, not of others in the file."""
    bots = ["random as a", "greedy:depth=1 as b", "random as c", "greedy:depth=1 as d"]
    swiss = {"format": "swiss", "rounds": 3, "players": 2, "deals": 1}
    play(file, small(*bots, **swiss))
    for changed in (small(*bots[1:], "random as e", **swiss), small(*bots, **swiss, seed=2)):
        play(file, changed)
        assert same_as_from_nothing(file, changed)
