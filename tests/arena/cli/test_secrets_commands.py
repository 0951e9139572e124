"""Bots play Secrets, leagues are held, and every command that knows games takes this one."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.match.bot_factory import bot_factory
from arena.match.referee import play_game
from bots.ismcts.role_belief import RoleBelief
from games.registry import game
from games.secrets.constants import HIPPIE
from games.state import CHANCE, NOBODY, Rng
from tests.support.paths import ROOT
from tests.support.secrets_table import given

RULES = game("secrets")
PAGE = ROOT / "docs" / "secrets.md"
Capture = pytest.CaptureFixture[str]

MUTE = """
from bots import Bot

class Mute(Bot):
    def choose(self, view):
        return -7
"""


@pytest.mark.parametrize("players", range(4, 9))
def test_built_in_bots_play_to_the_end(players: int) -> None:
    names = ["ismcts:iterations=15", "greedy", "ismcts:iterations=10,tree=mo"]
    names += ["random"] * (players - 3)
    result = play_game(RULES, [bot_factory(name) for name in names], 5)
    assert result.replay.state().actor == NOBODY
    again = play_game(RULES, [bot_factory(name) for name in names], 5)
    assert again.replay.moves == result.replay.moves


def test_match_tells_the_winners(capsys: Capture) -> None:
    assert cli.run(["match", "--game", "secrets", *["random"] * 4, "--show"]) == 0
    said = capsys.readouterr().out
    assert "offer " in said
    assert "has won" in said or "a tie" in said


def test_a_seat_is_told_only_what_it_may_know(capsys: Capture) -> None:
    command = ["match", "--game", "secrets", *["random"] * 4, "--seed", "3", "--show"]
    assert cli.run([*command, "--view", "B"]) == 0
    said = capsys.readouterr().out
    assert not re.search(r"^A .*offer [A-Z]", said, re.MULTILINE)
    assert re.search(r"^B .*offer [A-Z]", said, re.MULTILINE)


def test_a_person_plays(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "?\n? Scientist\n1\n1\n1\nquit\nyes\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert cli.run(["play", "--game", "secrets", "--seed", "4"]) == 0
    said = capsys.readouterr().out
    assert "Tokens as far as you can tell" in said
    assert "Scientist, +5" in said


def test_the_league_that_comes_along_can_be_played(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["--bot", "random", "--bot", "greedy", "--players", "4,5", "--deals", "1"]
    assert cli.run(["league", "secrets", *few, "--workers", "1"]) == 0
    assert "greedy" in capsys.readouterr().out


def test_standings_speak_of_sides(capsys: Capture, tmp_path: Path) -> None:
    file = str(tmp_path / "run.db")
    few = ["--bot", "random", "--bot", "greedy", "--players", "4", "--deals", "2"]
    assert cli.run(["league", "secrets", *few, "--workers", "1", "--run", file]) == 0
    capsys.readouterr()
    assert cli.run(["standings", file]) == 0
    said = capsys.readouterr().out
    assert "\nSides\n" in said
    assert "turn order and sides taken out" in " ".join(said.split())
    assert "eader" not in said
    assert cli.run(["standings", file, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["sides"]["4"]) == set(told["won_by_side"][""]["4"]) == {"CIA", "KGB", "Hippie"}
    assert "eader" not in json.dumps(told)


def test_bots_are_compared(capsys: Capture) -> None:
    short = ["--deals", "3", "--workers", "1", "--game", "secrets"]
    assert cli.run(["compare", "greedy", "greedy", *short, "--json"]) == 4
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["players"], found["difference"]) == ("secrets", 4, 0.0)
    assert found["won_by_a"] + found["won_by_b"] + found["won_by_nobody"] == 6
    assert cli.run(["compare", "greedy", "random", *short, "--players", "3"]) == 2
    assert "Secrets is for 4 to 8 players, not 3" in capsys.readouterr().err


def test_a_fault_in_a_comparison_can_be_seen_again(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mute.py").write_text(MUTE)
    short = ["--deals", "1", "--workers", "1", "--game", "secrets"]
    assert cli.run(["compare", "mute.py:Mute", "random", *short]) == 4
    again = capsys.readouterr().out.partition("to see it again: arena ")[2].partition(")")[0]
    assert cli.run(shlex.split(again)) == 2
    assert "chose -7, which is not legal" in capsys.readouterr().err


def test_rules_are_checked(capsys: Capture) -> None:
    command = ["check-rules", "--game", "secrets", "--games", "3", "--workers", "1"]
    assert cli.run(command) == 0
    assert capsys.readouterr().out.count("OK\n") == 5


def test_random_games_name_the_sides(capsys: Capture) -> None:
    command = ["random-games", "--game", "secrets", "--games", "20", "--players", "4,8", "--json"]
    assert cli.run(command) == 0
    four, eight = json.loads(capsys.readouterr().out)["results"]
    for found in (four, eight):
        wins = found["winning_side"]
        assert set(wins) == set(found["wins_by_side"]) == {"CIA", "KGB", "Hippie"}
        decided = sum(share["hits"] for share in wins.values())
        assert decided + found["undecided"]["hits"] == 20


def test_bench_measures_secrets(capsys: Capture) -> None:
    command = ["bench", "--game", "secrets", "--quick", "--players", "4", "--json"]
    assert cli.run(command) == 0
    rates = json.loads(capsys.readouterr().out)["rates"]
    assert {"decisions", "samples", "iterations"} <= {row["per_second"] for row in rates}


@pytest.mark.parametrize("command", ["random-games", "check-rules", "bench"])
def test_player_counts_are_those_of_the_game(command: str, capsys: Capture) -> None:
    assert cli.run([command, "--players", "3-4", "--game", "secrets"]) == 2
    assert "Secrets is for 4 to 8 players" in capsys.readouterr().err
    assert cli.run([command, "--game", "poker"]) == 2
    assert "secrets" in capsys.readouterr().err


# ---- what bots rely on --------------------------------------------------------------------------


def test_the_outlook_is_the_teams_or_the_hippies() -> None:
    game = given("CIA KGB Hippie CIA", "KGB", ["Journalist", "Detective"], {3: ["Scientist"]})
    looks = [game.state.heuristic(seat) for seat in range(4)]
    assert looks[0] == looks[3] == 5
    assert looks[1] == -5
    assert looks[2] == 0


@pytest.mark.parametrize("players", range(4, 9))
def test_prospects_are_chances_that_favour_who_is_ahead(players: int) -> None:
    right = wrong = 0
    for seed in range(60):
        state = RULES.new(players)
        rng = Rng(seed)
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                state.sample_chance(rng)
            else:
                judged = [float(chance) for chance in state.win_estimates()]
                state.play(state.rollout_move(rng))
        assert all(0.0 <= chance <= 1.0 for chance in judged)
        for seat in range(players):
            if state.role(seat) != HIPPIE and state.winners():
                better = judged[seat] > 0.4
                right += better == state.wins(seat)
                wrong += better != state.wins(seat)
    assert right > 1.5 * wrong


def test_play_raises_no_suspicion_where_roles_move() -> None:
    """A seat's deeds speak for the token it had then, which may lie elsewhere now."""
    game = given("CIA KGB Hippie CIA", "KGB", ["Journalist", "Detective", "Diplomat", "Scientist"])
    belief = RoleBelief(3, 4)
    belief.update(game.view(3))
    game.offer("Journalist", "C", "accept")
    belief.update(game.view(3))
    assert belief.prior(3, 1.0) == [1.0] * 12
    assert belief.favourites(game.view(3), 1.0) == {}


def test_the_page_on_secrets_shows_python_that_runs(capsys: Capture) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code, "docs/secrets.md", "exec"), {})  # noqa: S102
    assert "Tokens as far as you can tell" in capsys.readouterr().out


def test_help_in_the_terminal_speaks_of_this_game(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in (["play", "--game", "secrets"], ["puzzles", "try", "so-he-says"]):
        monkeypatch.setattr(sys, "stdin", io.StringIO("?\n"))
        cli.run(command)
        said = capsys.readouterr().out
        assert "? NAME       help on a card: ? double agent\n" in said
        assert "crow" not in said
