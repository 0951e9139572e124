"""What stands in for librt in a browser does what the real one does."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from librt import strings, vecs
from mypy_extensions import i64

from arena.web.site import librt_strings, librt_vecs
from tests.support.paths import ROOT

WORDS = st.lists(st.integers(-(2**63), 2**63 - 1), max_size=8)


def outcome(work: Any) -> object:
    """What comes out, or which error."""
    try:
        return work()
    except (IndexError, OverflowError, TypeError, ValueError) as error:
        return type(error)


@given(WORDS, st.integers(-10, 10), st.integers(-10, 10), st.integers(-(2**63), 2**63 - 1))
def test_vectors_hold_cut_and_grow_alike(
    items: list[int], first: int, last: int, more: int
) -> None:
    def everything(module: Any) -> list[object]:
        vector = module.vec[i64](items)
        longer = module.append(vector, more)
        found = [
            list(vector),
            len(vector),
            outcome(lambda: vector[first]),
            list(vector[first:last]),
            list(longer),
            list(vector),
            vector == module.vec[i64](items),
            vector == longer,
        ]
        if items:
            vector[0] = more
        return [*found, list(vector), list(module.vec[i64](vector))]

    assert everything(librt_vecs) == everything(vecs)


@pytest.mark.parametrize("items", [[0.5, 1.0, -2.0], [True, False, True]], ids=str)
def test_vectors_of_other_kinds_are_alike(items: list[Any]) -> None:
    modules: tuple[Any, Any] = (librt_vecs, vecs)
    made = [list(module.vec[type(items[0])](items)) for module in modules]
    assert made[0] == made[1]


@pytest.mark.parametrize("wrong", [[2**63], [-(2**63) - 1], ["a"], [None]])
def test_vectors_refuse_alike(wrong: list[object]) -> None:
    modules: tuple[Any, Any] = (librt_vecs, vecs)
    refusals = [outcome(partial(module.vec[i64], wrong)) for module in modules]
    assert refusals[0] == refusals[1]
    assert isinstance(refusals[0], type)


@given(st.lists(st.integers(0, 255), min_size=1, max_size=8), st.integers(-(2**31), 2**31 - 1))
def test_bytes_are_written_alike(items: list[int], number: int) -> None:
    def everything(module: Any) -> list[object]:
        writer = module.BytesWriter()
        for item in items:
            writer.append(item)
        module.write_i32_le(writer, number)
        module.write_i16_le(writer, number >> 16)
        writer[0] = 7
        writer.write(b"end")
        return [writer.getvalue(), len(writer), writer[0], writer[-1], outcome(lambda: writer[99])]

    assert everything(librt_strings) == everything(strings)


@given(st.binary(max_size=20), st.integers(-3, 20))
def test_numbers_are_read_alike(data: bytes, index: int) -> None:
    read = [
        outcome(partial(module.read_i64_le, data, index)) for module in (librt_strings, strings)
    ]
    assert read[0] == read[1]


PLAYED = """
import sys
from games import game, Rng
for name in ("hidden-leaders", "secrets"):
    for seed in range(3):
        state, rng = game(name).new(4), Rng(seed)
        while state.actor != -1:
            if state.actor == -2:
                state.sample_chance(rng)
            else:
                moves = state.moves()
                state.play(moves[rng.below(len(moves))])
        print(state.key().hex(), state.winners())
print(sys.modules["librt.vecs"].__file__)
"""


@pytest.mark.slow
def test_whole_games_are_the_same_on_the_stand_ins(tmp_path: Path) -> None:
    package = tmp_path / "librt"
    package.mkdir()
    (package / "__init__.py").touch()
    for name in ("vecs", "strings"):
        source = ROOT / f"arena/web/site/librt_{name}.py"
        (package / f"{name}.py").write_bytes(source.read_bytes())

    def play(*path: Path) -> list[str]:
        places = ":".join(map(str, (*path, ROOT)))
        done = subprocess.run(
            [sys.executable, "-c", PLAYED],
            env={"PYTHONPATH": places, "ARENA_PURE": "1"},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        return done.stdout.splitlines()

    *real, compiled = play()
    *imitated, stand_in = play(tmp_path)
    assert imitated == real
    assert (Path(stand_in).parent, Path(compiled).suffix) == (package, ".so")
