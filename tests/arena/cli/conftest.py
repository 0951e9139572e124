"""Fixtures of the tests of commands."""

import io
import sys
from pathlib import Path

import pytest

from arena.lab import bench
from tests.support.command_line import Outcome, RunArena, exit_code


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> RunArena:
    """Runs `arena ...` in this process."""

    def run(*arguments: str, typed: str = "", code: int = 0) -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        actual = exit_code(arguments)
        out, err = capsys.readouterr()
        assert actual == code, err
        assert "Traceback" not in err
        return Outcome(actual, out, err)

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])  # loading a bot by module adds to it
    return tmp_path


@pytest.fixture
def short_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    """`arena bench --quick` takes as little time as it can."""
    monkeypatch.setattr(bench, "QUICK", bench.BenchPlan(rounds=1, seconds=0.005))
