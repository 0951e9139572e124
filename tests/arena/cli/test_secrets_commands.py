"""Secrets on the command line, and what bots rely on in it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from arena.match.bot_factory import bot_factory
from arena.match.referee import run_game
from bots.ismcts.role_belief import RoleBelief
from games.registry import game
from games.secrets.constants import Token
from games.state import CHANCE, NOBODY, Rng
from tests.support.command_line import RunArena, check_refusal
from tests.support.paths import ROOT
from tests.support.secrets_table import given

RULES = game("secrets")
PAGE = ROOT / "docs" / "secrets.md"
SECRETS = ("--game", "secrets")
SIDES = {"CIA", "KGB", "Hippie"}

ILLEGAL_BOT = """
from bots import Bot

class Illegal(Bot):
    def choose(self, view):
        return -7
"""


def test_one_point_is_not_one_points() -> None:
    result = run_game(RULES, [bot_factory("random") for _ in range(8)], 1)
    picture = json.dumps(RULES.picture.table(RULES, result.state))
    words = RULES.text.draw(result.state, None) + picture
    assert len(re.findall(r"\b1 point\b", words)) >= 2
    assert not re.search(r"(?<![-\d])1 points", words)


def test_the_outcome_is_made_of_sentences() -> None:
    """Pages put its lines beside each other."""
    result = run_game(RULES, [bot_factory("random") for _ in range(8)], 1)
    lines = RULES.help.outcome(result.state).splitlines()
    assert len(lines) == 9
    score = re.compile(r"[A-H], (CIA|KGB|Hippie): -?\d+ points?\.")
    assert all(map(score.fullmatch, lines[:8]))
    assert lines[8].endswith(".")


@pytest.mark.parametrize("players", range(4, 9))
def test_built_in_bots_play_to_the_end(players: int) -> None:
    names = ["ismcts:iterations=15", "greedy", "ismcts:iterations=10,tree=mo"]
    names += ["random"] * (players - 3)
    result = run_game(RULES, [bot_factory(name) for name in names], 5)
    assert result.replay.state().actor == NOBODY
    again = run_game(RULES, [bot_factory(name) for name in names], 5)
    assert again.replay.moves == result.replay.moves


def test_a_view_shows_only_what_its_seat_may_know(arena: RunArena) -> None:
    text = arena("match", *SECRETS, *["random"] * 4, "--seed", "3", "--show", "--view", "B").out
    assert not re.search(r"^A .*offer [A-Z]", text, re.MULTILINE)
    assert re.search(r"^B .*offer [A-Z]", text, re.MULTILINE)


@pytest.mark.slow
def test_standings_are_about_sides(arena: RunArena, folder: Path) -> None:
    few = ("--bot", "random", "--bot", "greedy", "--players", "4", "--deals", "2")
    arena("league", "secrets", *few, "--workers", "1", "--run", "run.db")
    text = arena("standings", "run.db").out
    assert "\nSides\n" in text
    assert "corrected for turn order and sides" in " ".join(text.split())
    assert "eader" not in text
    report = json.loads(arena("standings", "run.db", "--json").out)
    assert set(report["sides"]["4"]) == set(report["won_by_side"][""]["4"]) == SIDES
    assert "eader" not in json.dumps(report)


def test_bots_are_compared(arena: RunArena) -> None:
    short = ("--deals", "3", "--workers", "1", *SECRETS)
    result = json.loads(arena("compare", "greedy", "greedy", *short, "--json", code=4).out)
    assert (result["game"], result["players"], result["difference"]) == ("secrets", 4, 0.0)
    assert result["won_by_a"] + result["won_by_b"] + result["won_by_nobody"] == 6
    outcome = arena("compare", "greedy", "random", *short, "--players", "3", code=2)
    check_refusal(outcome, "Secrets is for 4 to 8 players, not 3")


def test_a_fault_in_a_comparison_can_be_reproduced(arena: RunArena, folder: Path) -> None:
    Path("illegal.py").write_text(ILLEGAL_BOT)
    short = ("--deals", "1", "--workers", "1", *SECRETS)
    text = arena("compare", "illegal.py:Illegal", "random", *short, code=4).out
    again = text.partition(": arena ")[2].partition("\n")[0]
    assert "played -7, which is not legal" in arena(*shlex.split(again), code=2).err


def test_rules_are_checked(arena: RunArena) -> None:
    text = arena("check-rules", *SECRETS, "--games", "3", "--workers", "1").out
    assert text.count("OK\n") == 5


def test_random_games_are_about_sides(arena: RunArena) -> None:
    words = ("random-games", *SECRETS, "--games", "20", "--players", "4,8", "--json")
    four, eight = json.loads(arena(*words).out)["results"]
    for result in (four, eight):
        wins = result["winning_side"]
        assert set(wins) == set(result["wins_by_side"]) == SIDES
        decided = sum(share["hits"] for share in wins.values())
        assert decided + result["undecided"]["hits"] == 20


@pytest.mark.slow
@pytest.mark.usefixtures("short_bench")
def test_bench_measures_secrets(arena: RunArena) -> None:
    rates = json.loads(arena("bench", *SECRETS, "--quick", "--players", "4", "--json").out)["rates"]
    assert {"decisions", "samples", "iterations"} <= {row["per_second"] for row in rates}


def test_the_heuristic_is_about_the_team_or_the_hippie() -> None:
    game = given("CIA KGB Hippie CIA", "KGB", ["Journalist", "Detective"], {3: ["Scientist"]})
    values = [game.state.heuristic(seat) for seat in range(4)]
    assert values[0] == values[3] == 5
    assert values[1] == -5
    assert values[2] == 0


@pytest.mark.parametrize("players", range(4, 9))
def test_win_estimates_are_probabilities_that_favour_the_leading_side(players: int) -> None:
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
            if state.role(seat) != Token.HIPPIE and state.winners():
                better = judged[seat] > 0.4
                right += better == state.wins(seat)
                wrong += better != state.wins(seat)
    assert right > 1.5 * wrong


def test_moves_say_nothing_about_roles_that_move() -> None:
    """A seat's moves fit the token it had then, which may be elsewhere now."""
    game = given("CIA KGB Hippie CIA", "KGB", ["Journalist", "Detective", "Diplomat", "Scientist"])
    belief = RoleBelief(3, 4)
    belief.update(game.view(3))
    game.offer("Journalist", "C", "accept")
    belief.update(game.view(3))
    assert belief.prior(3, 1.0) == [1.0] * 12


def test_the_python_on_the_page_on_secrets_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code, "docs/secrets.md", "exec"), {})  # noqa: S102
    assert "Tokens as far as you can tell" in capsys.readouterr().out
