"""A stale compiled engine is detected, and ARENA_PURE=1 bypasses it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games import engine
from games.engine import SUFFIX, source_digest, stale

NAMES = ("games/state.py", "solver/table.py")


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """Something that looks like a build: sources, extensions beside them, a record."""
    for name in NAMES:
        source = tmp_path / name
        source.parent.mkdir(parents=True)
        source.write_text("x = 1\n")
        source.with_name(source.stem + SUFFIX).touch()
    write_record(tmp_path, {name: source_digest(tmp_path / name) for name in NAMES})
    return tmp_path


def write_record(root: Path, built: dict[str, str]) -> None:
    (root / "games" / f"compiled{SUFFIX}.json").write_text(json.dumps(built))


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


def test_a_removed_source_counts_as_edited(build: Path) -> None:
    (build / NAMES[0]).unlink()
    assert NAMES[0] in stale(build)


def test_an_extension_without_a_record_is_not_trusted(build: Path) -> None:
    (build / "games" / f"scoring{SUFFIX}").touch()
    assert "games/scoring.py" in stale(build)


def test_a_half_removed_build_is_not_trusted(build: Path) -> None:
    (build / "games" / f"state{SUFFIX}").unlink()
    assert "lacks games/state.py" in stale(build)


def test_extensions_without_any_record_are_not_trusted(build: Path) -> None:
    (build / "games" / f"compiled{SUFFIX}.json").unlink()
    assert "games/state.py" in stale(build)


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


def run_python(code: str, pure: str) -> str:
    here = {**os.environ, "ARENA_PURE": pure, "PYTHONPATH": str(engine.ROOT)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=here, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_arena_pure_loads_nothing_compiled() -> None:
    assert run_python(REPORT, pure="1") == "False True True False"


@pytest.mark.compiled
def test_the_compiled_engine_is_the_default() -> None:
    assert run_python(REPORT, pure="") == "True False False True"


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
    assert run_python(PLAYS, pure="") == run_python(PLAYS, pure="1")


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
    drawn = run_python(DRAWS, pure="")
    assert "False" in drawn  # tables were thinned
    assert drawn == run_python(DRAWS, pure="1")


def test_the_engine_is_named_for_reports() -> None:
    assert engine.engine_name() == ("compiled" if engine.COMPILED else "pure")
