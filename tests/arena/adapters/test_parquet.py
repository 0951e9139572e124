"""Parquet tables of a league: complete, equal to its replays, and nothing a seat did not know."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from arena.adapters.parquet import DECISIONS, FEATURES, OBSERVATION, RESULTS, export_parquet
from arena.cli import main as cli
from arena.league.journal import Journal
from games.extras import how_to_install
from games.registry import game
from games.seats import seat_name
from tests.support.leagues import play, small


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of 12 short games."""
    file = tmp_path_factory.mktemp("league") / "league.db"
    play(file, small())
    return file


@pytest.fixture(scope="module")
def folder(run: Path) -> Path:
    target = run.parent / "out"
    with Journal.read(run) as journal:
        told = list(export_parquet(journal, target))
    assert [line.rpartition("/")[2] for line in told] == [
        "results.parquet",
        "decisions.parquet",
        "README.md",
    ]
    return target


def test_results_are_those_of_the_league(run: Path, folder: Path) -> None:
    rows = pq.read_table(folder / "results.parquet").to_pylist()
    with Journal.read(run) as journal:
        records = [saved.record for saved in journal.games()]
    assert len(rows) == sum(record.players for record in records)
    for record in records:
        mine = [row for row in rows if row["game"] == record.number]
        assert [row["bot"] for row in mine] == list(record.seats)
        assert [row["share"] for row in mine] == pytest.approx(record.shares())
        assert [row["role"] for row in mine] == list(record.roles)


def test_decisions_are_those_of_the_replays(run: Path, folder: Path) -> None:
    rows = pq.read_table(folder / "decisions.parquet").to_pylist()
    with Journal.read(run) as journal:
        games = list(journal.games())
    assert len(rows) == sum(saved.record.decisions for saved in games)
    assert all(row["move"] in row["legal"] for row in rows)
    searched = [row for row in rows if row["bot"] == "ismcts" and row["candidates"]]
    assert searched
    assert all(0 <= each["value"] <= 1 for row in searched for each in row["candidates"])
    believed = [belief for row in searched for belief in row["beliefs"]]
    assert {belief["role"] for belief in believed} <= set(game("hidden-leaders").role_names)
    assert {belief["about"] for belief in believed} <= {seat_name(seat) for seat in range(3)}


def test_vectors_have_the_layouts_of_the_game(folder: Path) -> None:
    rules = game("hidden-leaders")
    assert rules.observation is not None
    assert rules.features is not None
    table = pq.read_table(folder / "decisions.parquet", columns=["observation", "features"])
    seen = np.stack(table["observation"].to_numpy())
    assert seen.dtype == np.int8
    assert seen.shape == (table.num_rows, rules.observation.size)
    own = {name: first for name, first, _ in rules.observation.parts()}["own leader"]
    assert (seen[:, own : own + 6].sum(1) == 1).all()
    features = np.stack(table["features"].to_numpy())
    assert features.shape == (table.num_rows, len(rules.features.names))
    assert np.isfinite(features).all()


def test_the_card_describes_every_column(folder: Path) -> None:
    card = (folder / "README.md").read_text(encoding="utf-8")
    for column in (*RESULTS, *DECISIONS, OBSERVATION, FEATURES):
        assert f"| `{column.name}` | {column.kind} |" in card
    rules = game("hidden-leaders")
    assert rules.observation is not None
    assert rules.features is not None
    versions = f"{rules.observation.version}, features version {rules.features.version}"
    assert f"observation version {versions}" in card
    assert card.startswith("---\npretty_name: Hidden Leaders, league league\n")


def test_the_command_writes_them_beside_the_other_files(run: Path, tmp_path: Path) -> None:
    assert cli.run(["export", str(run), str(tmp_path), "--parquet"]) == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert {"games.csv", "results.parquet", "decisions.parquet", "README.md"} <= names
    assert not [name for name in names if name.endswith(".part")]


def test_a_missing_extra_is_named_before_anything_is_written(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "arena.adapters.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert cli.run(["export", str(run), str(tmp_path / "out"), "--parquet"]) == 2
    assert capsys.readouterr().err == (
        f"arena: arena export --parquet needs pyarrow; {how_to_install('parquet')}\n"
    )
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_named(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "decisions.parquet").mkdir()
    assert cli.run(["export", str(run), str(tmp_path), "--parquet"]) == 2
    assert "decisions.parquet cannot be written" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.part"))
