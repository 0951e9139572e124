"""`--replay-bots`: bots that repeat themselves must make every move again."""

from pathlib import Path

import pytest

from arena.league.database import BadRun
from arena.league.journal import Journal
from arena.league.replay_bots import PlayedAgain, check_same_bots, replay_bots, timed_bots
from tests.support.command_line import RunArena
from tests.support.faulty_bots import rogue
from tests.support.leagues import play, small
from tests.support.leftovers import linux

CLOCKED = """import time
from bots import Bot

class Mine(Bot):
    def choose(self, view):
        return view.moves[time.perf_counter_ns() // 1000 % len(view.moves)]
"""

MOODY = """import os
from bots import Bot

class Mine(Bot):
    def choose(self, view):
        return 9999 if os.path.exists("cheat") else view.moves[0]
"""

WITH_A_LIMIT = (
    "the league has a time limit, so moves may differ: of games that differ, only the legality was "
    "checked"
)


def again(file: Path, count: int) -> PlayedAgain:
    with Journal.read(file) as journal:
        check_same_bots(journal, journal.league)
        return replay_bots(journal, journal.league, count)


def test_bots_that_search_by_iterations_repeat_every_game_and_fault(file: Path) -> None:
    bots = ("random", "greedy:depth=1 as hasty", "ismcts:iterations=3 as thinker")
    games = len(play(file, small(*bots, rogue("Crasher"), deals=1, players=2, probation=0)).games)
    result = again(file, 1000)
    assert (len(result.games), result.repeated, result.problems, result.notes) == (
        *(games, games),
        *([], []),
    )
    assert len(set(again(file, 3).games)) == 3


def test_samples_are_drawn_anew_each_time(file: Path) -> None:
    play(file, small("random", "random as b", players=2, deals=10))
    assert len({tuple(again(file, 3).games) for _ in range(8)}) > 1


def test_a_bot_that_was_edited_is_not_asked(folder: Path) -> None:
    Path("mine.py").write_text(CLOCKED)
    play(Path("run.db"), small("random", "mine.py:Mine as mine", players=2))
    Path("mine.py").write_text(CLOCKED + "# better\n")
    with pytest.raises(BadRun, match="mine is not the bot that played"):
        again(Path("run.db"), 1)
    Path("mine.py").unlink()
    with pytest.raises(BadRun, match="mine is not the bot that played"):
        again(Path("run.db"), 1)


LEAVES_A_MARK = """from contextlib import suppress
from pathlib import Path
from bots import Bot

class Mine(Bot):
    def choose(self, view):
        with suppress(OSError):
            Path("mark").touch()
        return view.moves[0]
"""


@linux
def test_a_run_file_runs_no_bot_with_the_rights_of_who_verifies_it(
    folder: Path, arena: RunArena
) -> None:
    """It names its bots, programs among them, and may come from anybody."""
    (folder / "own").mkdir()
    (folder / "own" / "mine.py").write_text(LEAVES_A_MARK)
    play(folder / "run.db", small("random", "own/mine.py:Mine as mine", players=2, deals=1))
    mark = folder / "mark"
    mark.unlink()
    verify = ("verify", "run.db", "--replay-bots", "1")
    done = arena(*verify)
    assert "1 of 1 games were repeated" in done.out
    assert "played in sandboxes this time: mine (--trust: not)" in done.out
    assert not mark.exists()

    assert "own/mine.py:Mine runs with your rights" in arena(*verify, "--trust").err
    assert mark.exists()
    refusal = arena("verify", "run.db", "--trust", code=2).err
    assert refusal.startswith("arena: --trust says how the bots play again: add --replay-bots N")


def test_a_bot_that_does_not_repeat_itself_proves_nothing(folder: Path, arena: RunArena) -> None:
    Path("mine.py").write_text(CLOCKED)
    play(Path("run.db"), small("random", "mine.py:Mine as mine", players=2, options=[]))
    result = again(Path("run.db"), 2)
    assert not result.problems
    assert result.repeated == 0
    assert all("proves nothing, its bots do not repeat themselves" in each for each in result.notes)
    assert "0 of 2 games were repeated" in arena("verify", "run.db", "--replay-bots", "2").out


@pytest.mark.parametrize(
    ("bots", "options", "why"),
    [
        (("random", "greedy"), {}, ""),
        (("random", "greedy"), {"seconds_per_move": 1}, "the league has a time limit"),
        (("random", "greedy"), {"seconds_per_game": 9}, "the league has a time limit"),
        (("random", "ismcts:seconds=0.1 as s"), {}, "s thinks by the clock"),
        (("random", "ismcts:iterations=5,seconds=1 as s"), {}, "s thinks by the clock"),
    ],
)
def test_who_thinks_by_the_clock_need_not_repeat_itself(
    bots: tuple[str, ...], options: dict[str, object], why: str
) -> None:
    assert timed_bots(small(*bots, **options)) == why


def test_with_a_time_limit_only_legality_is_compared_and_that_is_said(file: Path) -> None:
    play(file, small("random", "random as b", players=2, seconds_per_move=5))
    result = again(file, 4)
    assert result.problems == []
    assert result.notes == [WITH_A_LIMIT]


def test_an_illegal_move_that_the_run_has_too_is_not_a_difference(file: Path) -> None:
    play(file, small("random", rogue("Cheat"), players=2, seconds_per_move=5, probation=0))
    result = again(file, 4)
    assert (result.repeated, result.problems, result.notes) == (4, [], [WITH_A_LIMIT])


def test_with_a_time_limit_an_illegal_move_that_the_run_has_not_is_told(folder: Path) -> None:
    Path("mine.py").write_text(MOODY)
    league = small("random", "mine.py:Mine as mine", players=2, deals=1, seconds_per_move=5)
    games = play(Path("run.db"), league).games
    Path("cheat").touch()
    told = again(Path("run.db"), 2).notes[1:]
    seats = ["AB"[game.seats.index("mine")] for game in games]
    assert told == [
        f"game {number} played again: it ended with a fault of {seat} (illegal), in the run with "
        "no fault"
        for number, seat in enumerate(seats)
    ]


def test_what_is_not_proven_names_the_games_that_were_not_repeated(
    folder: Path, arena: RunArena
) -> None:
    def unproven(count: int) -> str:
        last = arena("verify", "run.db", "--replay-bots", str(count)).lines[-1]
        return last.removeprefix("not proven: ").split(";")[0]

    play(Path("run.db"), small("random", "random as b", players=2))
    assert unproven(1) == "that the bots chose the moves of the other 3 games"
    assert unproven(3) == "that the bots chose the moves of the other game"
    assert "the bots chose" not in unproven(4)
    Path("mine.py").write_text(CLOCKED)
    limited = small("random", "mine.py:Mine as mine", players=2, seconds_per_move=5, options=[])
    play(Path("run.db"), limited)
    assert unproven(4) == "that the bots chose these moves"
