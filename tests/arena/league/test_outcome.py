"""Outcomes as plain data: comments and times are packed apart, and a fault names its line."""

from __future__ import annotations

import json
import shlex
import zlib
from pathlib import Path

import pytest

from arena.league import worker
from arena.league.outcome import (
    Finished,
    pack_notes,
    pack_times,
    unpack_moves,
    unpack_notes,
    unpack_times,
)
from games.replay import ConsideredMove, Note
from tests.support.command_line import RunArena
from tests.support.faulty_bots import FILE, rogue
from tests.support.leagues import keys, small


def test_comments_are_packed_with_candidates_and_beliefs() -> None:
    notes = {
        3: Note("because"),
        9: Note("", {"B": {"Cyra": 0.25, "Pavyr": 0.75}}, (ConsideredMove(4, 10, 0.5),)),
    }
    assert unpack_notes(pack_notes(notes)) == notes
    assert unpack_notes(pack_notes({})) == {}


def test_comments_packed_without_candidates_are_read() -> None:
    packed = zlib.compress(json.dumps({"5": ["because", {"B is Cyra": 0.5}]}).encode())
    assert unpack_notes(packed) == {5: Note("because", {"B is Cyra": 0.5})}


def test_times_are_packed_to_three_digits() -> None:
    times = {2: 0.000123, 5: 1.5, 6: 59.96, 9: 1e9}
    unpacked = unpack_times(pack_times(times))
    assert unpacked == {2: pytest.approx(0.000123, rel=1e-3), 5: 1.5, 6: 60.0, 9: 65000.0}
    assert unpack_times(pack_times({})) == {}
    assert len(pack_times(dict.fromkeys(range(100), 0.123))) < 100


@pytest.mark.slow
def test_what_unpacks_to_too_much_is_not_unpacked() -> None:
    with pytest.raises((ValueError, zlib.error)):
        unpack_moves(zlib.compress(bytes(2**27), 1))


@pytest.mark.parametrize(
    "packed",
    [zlib.compress(b"1234")[:-2], zlib.compress(b"1234") + b"5", b"x"],
    ids=["cut off", "followed by more", "nonsense"],
)
def test_what_was_not_packed_by_us_is_not_unpacked(packed: bytes) -> None:
    with pytest.raises((ValueError, zlib.error)):
        unpack_moves(packed)


def outcomes(*bots: str, **more: object) -> list[Finished]:
    league = small(*bots, players=2, deals=1, **more)
    runner = worker.GameRunner(league)
    played = [runner.play(key) for key in keys(league)]
    return [outcome for outcome in played if isinstance(outcome, Finished)]


def test_a_finished_game_has_a_time_for_every_decision() -> None:
    for outcome in outcomes("random", "greedy"):
        times = unpack_times(outcome.times)
        assert len(times) == outcome.decisions
        # They are kept to a microsecond and three digits.
        most = 1.01 * sum(seconds for _, seconds, _ in outcome.spent) + 1e-6 * outcome.decisions
        assert sum(times.values()) <= most


@pytest.mark.parametrize("trust", [True, False])
def test_a_fault_names_the_line_of_the_bots_own_code(trust: bool) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    number = next(at for at, line in enumerate(lines, 1) if "ZeroDivisionError(" in line)
    for outcome in outcomes("random", rogue("Crasher"), trust=trust):
        assert outcome.fault is not None
        assert outcome.fault.where == f"faulty_bots.py, line {number}, in choose"
        assert outcome.output.splitlines()[-2:] == [
            f"  faulty_bots.py, line {number}, in choose",
            '    raise ZeroDivisionError("as always")',
        ]
        assert outcome.times


def test_the_log_has_the_command_that_repeats_a_fault(
    arena: RunArena, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    outcomes("random", rogue("Crasher"), iterations=3)
    message = caplog.records[0].getMessage()
    assert message.startswith("A (Crasher) at decision ")
    _, _, again = message.partition("to reproduce it: arena ")
    words = shlex.split(again)
    assert words[-4:] == ["--option", "rounds=1", "--iterations", "3"]
    assert "raised ZeroDivisionError: as always" in arena(*words, code=2).err
    assert not list(tmp_path.iterdir())
