"""examples/kuhn-poker, installed as a package of its own, plays leagues and passes its tests."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.support.interpreter import run_python
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

EXAMPLE = ROOT / "examples" / "kuhn-poker"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example installed; built from a copy, so that the checkout stays clean."""
    folder = tmp_path_factory.mktemp("kuhn")
    shutil.copytree(EXAMPLE, folder / "source")
    options = ["-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder / "site")]
    subprocess.run([*command, str(folder / "source")], check=True, timeout=300)
    return folder / "site"


def run(site: Path, folder: Path, *words: str) -> str:
    """What the command prints, with the example on the import path as pip has installed it."""
    done = run_python(*words, folder=folder, PYTHONPATH=f"{ROOT}:{site}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_own_tests_pass(site: Path, tmp_path: Path) -> None:
    tests = str(EXAMPLE / "tests")
    options = ["-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(tmp_path)]
    assert " passed" in run(site, tmp_path, "-m", "pytest", *options, tests)


def test_it_plays_a_league_that_can_be_verified(site: Path, tmp_path: Path) -> None:
    bots = [f"--bot={name}" for name in ("random", "greedy", "ismcts:iterations=100 as ismcts")]
    league = ["league", "--game", "kuhn-poker", *bots, "--deals", "40", "--workers", "1"]
    done = json.loads(run(site, tmp_path, "-m", "arena", *league, "--run", "kuhn.db", "--json"))
    assert done["complete"]
    assert {"greedy", "ismcts", "random"} <= set(re.findall(r"\w+", json.dumps(done["standings"])))
    verified = run(site, tmp_path, "-m", "arena", "verify", "kuhn.db")
    assert "games replayed" in verified
    shown = run(site, tmp_path, "-m", "arena", "show", "kuhn.db", "0")
    assert "A has" in shown
    run(site, tmp_path, "-m", "arena", "view", "kuhn.db", "0", "--out", "game.html")
    assert "Kuhn poker" in (tmp_path / "game.html").read_text()


def test_it_is_solved_checked_and_reaches_other_libraries(site: Path, tmp_path: Path) -> None:
    solve = ["solve", "--game", "kuhn-poker", "--others", "equilibrium", "--horizon", "end"]
    assert "35/72" in run(site, tmp_path, "-m", "arena", *solve, "A ?; B ?")
    assert "Kuhn poker" in run(site, tmp_path, "-m", "arena", "--version")
    checked = run(
        site, tmp_path, "-m", "arena", "check-rules", "--game", "kuhn-poker", "--games", "50"
    )
    assert "50" in checked
    code = """
import pyspiel
from open_spiel.python.algorithms.gambit import export_gambit
from arena.adapters.openspiel import load
tree = pyspiel.load_efg_game(export_gambit(load("kuhn-poker", position="A ?; B ?")))
solver = pyspiel.CFRPlusSolver(tree)
for _ in range(300):
    solver.evaluate_and_update_policy()
start = tree.new_initial_state()
value, _ = pyspiel.expected_returns(start, solver.average_policy(), -1, True)
print(round(value, 3))
pyspiel.random_sim_test(load("kuhn-poker"), 3, True, False)
from pettingzoo.test import api_test
from arena.adapters.pettingzoo import env
from arena.adapters.selfplay import SelfPlay
api_test(env("kuhn-poker"), num_cycles=20)
games = SelfPlay("kuhn-poker", games=4)
for _ in range(50):
    games.step(games.random_actions())
"""
    # A wins 35/72 of the draws, 1/36 fewer than B.
    assert run(site, tmp_path, "-c", code).splitlines()[0] == "-0.028"


def test_commands_about_rules_and_bots_know_it(site: Path, tmp_path: Path) -> None:
    """It has no roles, no sides and no rulebook."""
    option = "--game=kuhn-poker"
    random_games = run(site, tmp_path, "-m", "arena", "random-games", option, "--games=20")
    assert "Wins by seat" in random_games
    assert "side" not in random_games
    for words in ((), ("--all",)):
        rules = run(site, tmp_path, "-m", "arena", "rules", option, *words)
        assert "J < Q < K" in rules
        assert "Sections" not in rules
    written = run(site, tmp_path, "-m", "arena", "new-bot", "Bluffer", option).splitlines()
    assert written[2] == "next: arena match bluffer.py:Bluffer random --game kuhn-poker"
    assert "Winner" in run(site, tmp_path, "-m", *written[2].split()[1:])
    tested = run(site, tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_bluffer.py")
    assert "1 passed" in tested


def test_a_review_needs_a_model(site: Path, tmp_path: Path) -> None:
    play = ["match", "random", "random", "--game=kuhn-poker", "--seed=1", "--replay=hand.jsonl"]
    run(site, tmp_path, "-m", "arena", *play)
    review = ["-m", "arena", "review", "hand.jsonl"]
    refused = run_python(*review, folder=tmp_path, PYTHONPATH=f"{ROOT}:{site}")
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1] == (
        "arena: moves of Kuhn poker cannot be judged; there is no model for that game"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="isolated bots need Linux")
def test_a_bot_is_checked_on_a_game_under_development(site: Path, tmp_path: Path) -> None:
    """As `pip install --editable` leaves it: its code lies where a sandboxed bot cannot read."""
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    base = str(tmp_path / "venv")
    paths = sysconfig.get_paths("venv", {"base": base, "platbase": base})
    packages, (about,) = Path(paths["purelib"]), site.glob("*.dist-info")
    shutil.copytree(about, packages / about.name)
    source = shutil.copytree(EXAMPLE / "arena_kuhn_poker", tmp_path / "source" / "arena_kuhn_poker")
    with (source / "game.py").open("a") as game:
        game.write("print('loaded', flush=True)\n")  # must not end up in what the bot says
    (packages / "kuhn.pth").write_text(f"{source.parent}\n")
    done = subprocess.run(
        [Path(paths["scripts"], "python"), "-m", "arena", "check", "random", "--game=kuhn-poker"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{sysconfig.get_path('purelib')}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "verdict: PASS" in done.stdout, done.stdout + done.stderr
