"""run_league from Python: plays, resumes, and fails with one sentence."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.league.config import BadConfig, BotSpec, League
from arena.league.database import BadRun
from arena.league.journal import Journal
from arena.league.runner import LeagueProgress
from arena.league.schedule import game_count
from arena.league.start import run_file, run_league
from tests.support.leagues import content, output, play, run, small

CONFIG = """
bots = ["random", "greedy:depth=1 as hasty"]
players = 2
deals = 2
[options]
rounds = 1
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(CONFIG)
    return tmp_path / "mine.toml"


@pytest.mark.slow
def test_a_config_is_played_into_its_run_file_and_not_played_twice(config: Path) -> None:
    shown: list[int] = []

    def show(progress: LeagueProgress) -> None:
        shown.append(progress.done)

    standings = run_league(config, workers=1, progress=show)
    assert sorted(standings.order) == ["hasty", "random"]
    assert standings.points(standings.order[0]) >= standings.points(standings.order[1])
    assert len(standings.run.games) == shown[-1] == 4
    before = len(shown)
    assert run_league(str(config), progress=show) == standings
    assert len(shown) == before
    with Journal.read(Path("runs") / "mine.db") as journal:
        assert [session["workers"] for session in journal.sessions()] == [1]
        assert len(journal.ratings()) == 4


@pytest.mark.slow
def test_a_league_is_resumed_with_the_result_of_an_undisturbed_one(
    tmp_path: Path, file: Path
) -> None:
    league = small("random", "random as b", players=2)

    def stop(progress: LeagueProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_league(league, workers=1, run=file, progress=stop)
    standings = run_league(league, workers=1, run=file)
    assert len(standings.run.games) == game_count(league)
    assert content(file) == play(tmp_path / "whole.db", league).content


def test_mistakes_are_one_sentence(config: Path, file: Path) -> None:
    with pytest.raises(BadConfig, match=r"there is no league file 'quik'.*did you mean 'quick'"):
        run_league("quik")
    config.write_text(CONFIG.replace("hasty", "hasty', 'gredy").replace('"', "'"))
    with pytest.raises(BadConfig, match=re.escape(f"{config}: bots: there is no bot 'gredy'; did")):
        run_league(config)
    file.write_text("dear diary, " * 500)
    with pytest.raises(BadRun, match="is not a run file"):
        run_league(small(), run=file)


def test_a_league_without_a_file_is_saved_under_the_names_of_its_bots() -> None:
    def named(*bots: str) -> str:
        return run_file(None, League(tuple(BotSpec(bot, bot) for bot in bots))).as_posix()

    assert named("my_bot.py:MyBot", "greedy") == "runs/my_bot.py-MyBot-greedy.db"
    assert named("***") == "runs/bots.db"


@pytest.mark.slow
def test_keys_of_the_config_can_be_given_from_python(config: Path) -> None:
    bots = ("greedy:depth=1 as hasty", "random")
    standings = run_league(
        bots=bots, players=range(2, 4), deals=1, options={"rounds": 1}, seed=3, workers=1
    )
    assert {game.players for game in standings.run.games} == {2, 3}
    assert Path("runs/hasty-random.db").is_file()
    assert len(run_league(config, deals=1, workers=1).run.games) == 2
    assert Path("runs/mine.db").is_file()


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"deal": 3}, "there is no key 'deal'; did you mean 'deals'?"),
        ({"deals": 0}, "deals must be a whole number from 1 to 1000000, not 0"),
        ({"bots": "greedy"}, "bots must be a list of names like ['random', 'greedy'], not 'gree"),
        ({"bots": ["greedy", "gredy"]}, "bots: there is no bot 'gredy'; did you mean 'greedy'?"),
    ],
)
@pytest.mark.usefixtures("config")
def test_wrong_keys_are_named_as_they_were_given(keys: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadConfig, match="^" + re.escape(problem)):
        run_league(**keys)


def test_a_league_has_its_keys_already() -> None:
    with pytest.raises(BadConfig, match=r"^a League has all keys already; deals cannot be given"):
        run_league(small(), deals=3)


@pytest.mark.slow
def test_a_plain_script_without_a_main_guard_can_play_a_league(config: Path, file: Path) -> None:
    code = (
        "from arena.league.start import run_league\n"
        "print('starting')\n"
        f"standings = run_league({str(config)!r}, workers=2, run={str(file)!r})\n"
        "print(len(standings.run.games), sorted(standings.order))\n"
    )
    config.with_name("script.py").write_text(code)
    done = run(START=str(config.with_name("script.py")))
    assert (done.stdout, done.stderr) == ("starting\n4 ['hasty', 'random']\n", "")


@pytest.mark.slow
def test_reading_a_config_and_scheduling_load_neither_referee_nor_sandbox() -> None:
    code = (
        "import sys, arena.league.config, arena.league.schedule, arena.league.journal\n"
        "print([name for name in sys.modules if name.startswith(('arena.match', 'arena.sandbox'))])"
    )
    assert output(sys.executable, "-c", code).stdout == "[]\n"
