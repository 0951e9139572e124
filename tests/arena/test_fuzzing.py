"""Mutated files of every kind: a small sample of what `scripts/fuzz` tries."""

from collections.abc import Callable
from pathlib import Path

import pytest

from games.errors import GameError
from tests.support.fuzzing import TARGETS, Positions, Tally, Target, fuzz, time_limit

CASES = 25
SEED = 20


@pytest.mark.slow
@pytest.mark.parametrize("make", TARGETS, ids=lambda make: make.name.replace(" ", "-"))
def test_mutated_files_are_refused_in_a_sentence_or_right(make: Callable[[Path], Target]) -> None:
    tally = fuzz(make, CASES, SEED)
    assert tally.failures == []
    assert tally.cases == CASES
    assert tally.refused > 0  # genuine files are accepted, or that would be a failure


class Broken(Positions):
    """Accepts what it should not, crashes, hangs, and says nothing."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.calls = 0

    def read(self, data: bytes) -> object:
        self.calls += 1
        match self.calls % 4:
            case 0:
                raise KeyError("a bug")
            case 1:
                raise GameError(" ")
            case 2:
                while True:
                    pass
            case _:
                return super().read(self.genuine[0])

    def wrong(self, meaning: object, origin: int) -> str:
        return "it should not be accepted"


@pytest.mark.slow
def test_the_fuzzer_finds_bugs_hangs_silence_and_wrong_acceptance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.support.fuzzing.SECONDS", 0.05)
    tally: Tally = fuzz(Broken, 4, SEED)
    found = set(tally.kinds)
    assert {"traceback KeyError", "hang", "bad message", "wrong acceptance"} <= found
    assert "genuine refused" in found


def test_time_limits_end_with_their_block() -> None:
    with time_limit(0.01):
        pass
    for _ in range(200_000):
        pass
