"""`arena train`: what it prints, and what it refuses."""

from __future__ import annotations

import builtins
import shlex
from pathlib import Path

import pytest

from games.extras import how_to_install
from tests.support.command_line import RunArena

CONFIG = """
players = 2
hidden = [3, 2]
epochs = 1
generations = [{games = 3, iterations = 4}, {games = 2, iterations = 3}]
"""


@pytest.fixture
def config(folder: Path) -> Path:
    (folder / "small.toml").write_text(CONFIG)
    return folder / "small.toml"


def test_it_trains_and_says_what_next(config: Path, arena: RunArena) -> None:
    trained = arena("train", "small.toml", "--workers", "1")
    assert "small.training/model-2.json: generation 2, trained on 5 games" in trained.out
    assert "next: arena compare champion:model=small.training/model-2.json champion" in trained.out
    assert "Generation 1: 3 games at each count, 4 iterations." in trained.err
    model = "champion:iterations=2,model=small.training/model-2.json"
    assert "decisions" in arena("match", model, "random").out
    assert trained.err.count("Playing games of generation 1") == 1  # not again for the second
    again = arena("train", "small.toml", "--workers", "1")
    assert again.out == trained.out
    assert "Generation 2 is there already." in again.err
    assert arena("train", "small.toml", "--workers", "1", "-q").err == ""


def test_the_command_that_comes_next_works_for_secrets_too(folder: Path, arena: RunArena) -> None:
    """It named no game, and so compared a model of Secrets at Hidden Leaders."""
    text = 'game = "secrets"\n' + CONFIG.replace("players = 2", "players = 4")
    (folder / "secrets model.toml").write_text(text)
    out = arena("train", "secrets model.toml", "--workers", "1").out
    (line,) = (line for line in out.splitlines() if line.startswith("next: "))
    words = shlex.split(line.removeprefix("next: arena "))
    assert words[2:] == ["champion", "--game", "secrets", "--players", "4"]
    words[1:3] = [f"{word},iterations=2" if ":" in word else "random" for word in words[1:3]]
    assert (
        "4 players, 1 deal, 2 games" in arena(*words, "--deals", "1", "--workers", "1", code=4).out
    )


def test_ctrl_c_says_how_to_go_on(
    config: Path, arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopping:
        stopping.setattr("arena.training.run.fit_value", stop)
        error = arena("train", "small.toml", "--workers", "1", code=130).err
    assert "Stopped. To resume, give the same command again: what is done is kept in" in error
    resumed = arena("train", "small.toml", "--workers", "1")
    assert "Playing games of generation 1" not in resumed.err
    assert "generation 2, trained on 5 games" in resumed.out


def test_without_numpy_it_says_how_to_get_it(
    config: Path, arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without_training(name: str, *arguments: object, **keywords: object) -> object:
        if name == "arena.training.run":
            raise ModuleNotFoundError("No module named 'numpy'", name="numpy")
        return real(name, *arguments, **keywords)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without_training)
    error = arena("train", "small.toml", code=2).err
    assert how_to_install("training") in error
