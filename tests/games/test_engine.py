"""A stale compiled engine is detected, and ARENA_PURE=1 bypasses it."""

import ast
import json
import os
import shutil
from pathlib import Path

import pytest

from games import engine
from games.engine import SUFFIX, source_digest, stale
from tests.support.interpreter import printed, run_python
from tests.support.paths import ROOT

NAMES = ("games/state.py", "solver/table.py")


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """Something that looks like a build: sources, extensions beside them, a record."""
    for name in NAMES:
        source = tmp_path / name
        source.parent.mkdir(parents=True)
        source.write_text("x = 1\n")
        source.with_name(source.stem + SUFFIX).touch()
    record = tmp_path / "games" / f"compiled{SUFFIX}.json"
    record.write_text(json.dumps({name: source_digest(tmp_path / name) for name in NAMES}))
    return tmp_path


def test_a_fresh_build_is_trusted(build: Path) -> None:
    assert stale(build) == ""


def test_touching_a_source_does_not_make_it_stale(build: Path) -> None:
    os.utime(build / NAMES[0])
    assert stale(build) == ""


@pytest.mark.parametrize("name", NAMES)
def test_an_edited_source_is_named_with_what_to_do(build: Path, name: str) -> None:
    (build / name).write_text("x = 2\n")
    why = stale(build)
    assert why.startswith(f"{name} was edited after it was compiled")
    assert "make compile" in why
    assert "ARENA_PURE=1" in why


@pytest.mark.parametrize(
    ("removed", "added", "named"),
    [
        pytest.param(NAMES[0], None, NAMES[0], id="a removed source counts as edited"),
        pytest.param(None, f"games/scoring{SUFFIX}", "games/scoring.py", id="not in the record"),
        pytest.param(f"games/state{SUFFIX}", None, "lacks games/state.py", id="half removed"),
        pytest.param(f"games/compiled{SUFFIX}.json", None, "games/state.py", id="no record"),
    ],
)
def test_a_build_that_does_not_fit_its_record_is_not_trusted(
    build: Path, removed: str | None, added: str | None, named: str
) -> None:
    if removed:
        (build / removed).unlink()
    if added:
        (build / added).touch()
    assert named in stale(build)


def test_a_record_cut_short_counts_as_none(build: Path) -> None:
    (build / "games" / f"compiled{SUFFIX}.json").write_text('{"games/sta')
    assert "there is no record of what games/state.py was compiled from" in stale(build)


def test_every_compiled_module_lies_in_a_package_that_is_looked_through() -> None:
    setup = ast.parse((ROOT / "setup.py").read_text())
    (hot,) = (
        ast.literal_eval(line.value)
        for line in setup.body
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "HOT"
    )
    assert {source.partition("/")[0] for source in hot} == set(engine.HOT_PACKAGES)


def test_the_pure_engine_passes_over_a_build_without_a_record(tmp_path: Path) -> None:
    """As an interrupted build leaves it: an extension that Python would prefer to its source."""
    copy = shutil.ignore_patterns("*.so", "*.json", "__pycache__")
    for package in ("games", "bots", "solver", "arena"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=copy)
    (tmp_path / "bots" / "ismcts" / f"tree{SUFFIX}").touch()
    code = "import games, bots.ismcts.tree as tree; print(tree.__file__)"
    done = run_python("-c", code, ARENA_PURE="1", PYTHONPATH=str(tmp_path), folder=tmp_path)
    assert done.stdout.strip().endswith("tree.py"), done.stderr


def test_no_build_at_all_is_fine(tmp_path: Path) -> None:
    assert stale(tmp_path) == ""


def test_extensions_of_another_python_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "state.cpython-999-other.so").touch()
    assert stale(tmp_path) == ""


REPORT = """
import sys
import games.hidden_leaders.rules.state as state, games.hidden_leaders.rules.constants as constants
from games.engine import COMPILED
print(COMPILED, state.__file__.endswith(".py"), constants.__file__.endswith(".py"),
      any(name.endswith("__mypyc") for name in sys.modules))
"""


def test_arena_pure_loads_nothing_compiled() -> None:
    assert printed(REPORT, ARENA_PURE="1") == "False True True False"


@pytest.mark.compiled
def test_the_compiled_engine_is_the_default() -> None:
    assert printed(REPORT, ARENA_PURE="") == "True False False True"


PLAYS = """
from games.hidden_leaders.rules.state import new_game
from games.state import Rng
for players in range(2, 7):
    for seed in range(3):
        state, rng = new_game(players), Rng(seed)
        print(players, state.playout(rng), state.key().hex(), rng.x)
"""


@pytest.mark.compiled
def test_both_engines_play_the_same_games() -> None:
    assert printed(PLAYS, ARENA_PURE="") == printed(PLAYS, ARENA_PURE="1")


DRAWS = """
from games.hidden_leaders.rules.state import new_game
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.state import CHANCE, NOBODY, Rng
state, luck, rng = new_game(4, record=True), Rng(7), Rng(8)
view = HiddenLeadersView(0, 4)
view._knowledge.limit = 30
while state.actor != NOBODY and state.turns < 40:
    if state.actor == CHANCE:
        state.sample_chance(luck)
        continue
    for event in state.take_events(0):
        view.observe(event)
    if state.actor == 0:
        print(view.sample(rng).key().hex(), view.exact, rng.x)
    state.play(luck.choice(state.moves()))
"""


@pytest.mark.compiled
def test_both_engines_sample_the_same_worlds_from_thinned_tables() -> None:
    drawn = printed(DRAWS, ARENA_PURE="")
    assert "False" in drawn  # tables were thinned
    assert drawn == printed(DRAWS, ARENA_PURE="1")


def test_the_engine_is_named_for_reports() -> None:
    assert engine.engine_name() == ("compiled" if engine.COMPILED else "pure")
