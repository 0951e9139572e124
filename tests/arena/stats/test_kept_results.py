"""Results that took long are kept, and computed again whenever their input or code changes."""

from pathlib import Path

import pytest

from arena.stats import kept_results, standings
from arena.stats.game_record import GameRecord
from arena.stats.kept_results import kept
from arena.stats.report import standings_json, tables
from arena.stats.run import Run
from arena.stats.standings import standings_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "hidden-leaders-arena"


def computed(content: list[object], calls: list[int]) -> int:
    def compute() -> int:
        calls.append(1)
        return len(calls)

    return kept(content, compute)


def test_the_same_content_is_computed_once(folder: Path) -> None:
    calls: list[int] = []
    assert [computed(["a", 1], calls) for _ in range(3)] == [1, 1, 1]
    assert computed(["a", 2], calls) == 2
    assert len(list(folder.iterdir())) == 2
    assert folder.stat().st_mode & 0o077 == 0


def test_other_code_computes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    computed([], calls)
    monkeypatch.setattr(kept_results, "_code", lambda: "another")
    assert computed([], calls) == 2


@pytest.mark.parametrize("data", [b"", b"half a pick", b"\x80\x04cno_such_module\nname\n."])
def test_a_damaged_file_is_computed_again(folder: Path, data: bytes) -> None:
    calls: list[int] = []
    computed([], calls)
    (file,) = folder.iterdir()
    file.write_bytes(data)
    assert computed([], calls) == 2
    assert computed([], calls) == 2


def test_a_folder_that_cannot_be_written_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    calls: list[int] = []
    assert [computed([], calls) for _ in range(2)] == [1, 2]


def test_only_the_newest_files_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_results, "MOST_KEPT", 3)
    for number in range(5):
        computed([number], [])
    assert len(list(folder.iterdir())) == 3


def test_large_standings_are_kept_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = tuple(
        GameRecord(n, 2, n // 2, ("a", "b"), (n % 3 % 2,), ("x", "y"), 20 + n % 5, 9)
        for n in range(60)
    )
    run = Run(("a", "b"), games)
    plain = standings_of(run)
    monkeypatch.setattr(standings, "MANY_GAMES", 50)
    first, again = standings_of(run), standings_of(run)
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(standings, "fit", lambda *_: pytest.fail("computed again"))
    last = standings_of(run)
    for each in (first, again, last):
        assert standings_json(each) == standings_json(plain)
        assert [t.text() for t in tables(each)] == [t.text() for t in tables(plain)]
    with pytest.raises(pytest.fail.Exception):
        standings_of(Run(("a", "b"), games[1:]))
