"""Positions lead on in exactly as many ways as they did when their files were read by people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from games.registry import game, game_names
from games.state import CHANCE
from tests.games.perft.counting import (
    FOLDER,
    Perft,
    count,
    difference,
    divide,
    read_perft,
    write_perft,
)
from tests.support.interpreter import run_python
from tests.support.paths import ROOT

FILES = sorted(FOLDER.glob("*.perft"))
SCRIPT = str(ROOT / "scripts" / "perft")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counts(path: Path) -> None:
    found = difference(read_perft(path))
    assert not found, f"\n{found}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_read_and_write_alike(path: Path) -> None:
    perft = read_perft(path)
    assert write_perft(perft) == path.read_text(encoding="utf-8")
    assert perft.id == path.stem
    assert sum(perft.parts.values()) == perft.counts[perft.depth]


@pytest.mark.parametrize("name", game_names())
def test_positions_of_every_table_size_some_before_luck_decides(name: str) -> None:
    files = [perft for perft in map(read_perft, FILES) if perft.rules.name == name]
    states = [perft.state() for perft in files]
    assert {state.players for state in states} == set(game(name).player_counts)
    assert any(state.actor == CHANCE for state in states)


def test_some_positions_are_in_the_middle_of_a_card() -> None:
    assert sum("pending" in read_perft(path).start for path in FILES) >= 3


def little() -> Perft:
    return read_perft(FOLDER / "two-players.perft")


def test_a_count_is_the_sum_of_its_parts() -> None:
    state = little().state()
    for depth in (1, 2, 3):
        assert sum(divide(little().rules, state, depth).values()) == count(state, depth)
    assert count(state, 0) == 1


def test_a_difference_names_the_first_move_and_lists_all() -> None:
    perft = little()
    text = next(iter(perft.parts))
    wrong = replace(
        perft,
        counts={**perft.counts, perft.depth: 1},
        parts={**perft.parts, text: perft.parts[text] + 1},
    )
    found = difference(wrong)
    assert f"depth {perft.depth}: {perft.counts[perft.depth]} sequences, 1 expected" in found
    assert f"first difference: '{text}': {perft.parts[text]}" in found
    assert f"  {text}: {perft.parts[text]}" in found


def test_a_difference_without_parts_still_lists_all() -> None:
    perft = little()
    found = difference(replace(perft, parts={}))
    assert "does not split" in found
    assert all(f"  {text}: {many}" in found for text, many in perft.parts.items())


def test_a_line_without_meaning_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.perft"
    path.write_text("id bad\nposition players 2\nprefect 1 2\n")
    with pytest.raises(ValueError, match=r"bad\.perft:3: 'prefect' means nothing here"):
        read_perft(path)


def test_a_moment_that_is_not_one_is_refused() -> None:
    with pytest.raises(ValueError, match="'secrets players 4' is not like 'secrets players 4 seed"):
        replace(little(), start="played secrets players 4").state()


def test_the_command_counts_and_divides() -> None:
    perft = little()
    position = perft.start.removeprefix("position ")
    done = run_python(SCRIPT, position, "--depth", "2", "--divide")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == str(perft.counts[2])
    assert len(done.stdout.splitlines()) == perft.counts[1] + 1


def test_the_command_refuses_a_bad_position() -> None:
    done = run_python(SCRIPT, "players 9")
    assert done.returncode == 2
    assert "players 9" in done.stderr
