"""`arena train`: gradients, self-play, a training that is stopped and resumed, and bad configs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest

from arena.cli.exit_codes import INTERRUPTED, INVALID, TERMINATED
from arena.training import samples, selfplay
from arena.training.fit import BELIEF, ChoiceNet
from arena.training.folder import claimed
from arena.training.nets import log_loss, new_net
from arena.training.plan import find_plan, read_plan
from arena.training.run import Training
from arena.training.samples import Choices, sample_games
from arena.training.selfplay import (
    GamesFile,
    GameTask,
    OpenCards,
    PlayedGame,
    digest,
    play_games,
    play_task,
)
from bots.champion.model import Model, bundled_model, read_model
from bots.champion.network import UNIT
from games.errors import GameError
from games.features import FeatureLayout
from games.registry import game, game_names
from games.secrets.constants import Move
from games.state import CHANCE, NO_PATTERN, Rng

CONFIG = """
players = [2, 3]
hidden = [3, 2]
epochs = 2
generations = [{games = 3, iterations = 4}, {games = 2, iterations = 3}]
"""


def layout_of(name: str) -> FeatureLayout:
    layout = game(name).features
    assert layout is not None
    return layout


def tasks(name: str, players: int, count: int) -> list[GameTask]:
    return [GameTask(name, "", 3, players, number, seed=5) for number in range(count)]


def no_bar(_length: int, _label: str) -> AbstractContextManager[Callable[[int], object]]:
    return nullcontext(lambda _: None)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "small.toml").write_text(CONFIG)
    return tmp_path / "small.toml"


# ---- games --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["", str(bundled_model("secrets"))])
def test_seats_of_secrets_search_only_what_they_know(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with a model, whose trees are kept within a turn and whose claims are not searched."""

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a seat of Secrets sees the whole table")

    monkeypatch.setattr(selfplay, "OpenCards", forbidden)
    task = GameTask("secrets", model, 6, 5, 1, seed=5)
    played = play_task(task)
    assert played == play_task(task)
    claims = [move for move in played.moves if Move.CLAIM <= move <= Move.SILENCE]
    assert set(claims) == {Move.SILENCE}


# ---- fitting ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 3), ("secrets", 4)])
def test_gradients_are_those_of_the_loss(name: str, players: int) -> None:
    layout = layout_of(name)
    samples = sample_games(game(name), [play_task(task) for task in tasks(name, players, 2)], 1)
    inputs, won, aims, _ = samples.positions[players].arrays()
    assert (won == aims).all()  # without a model of a generation before
    net = new_net(layout, (4, 3), 2)
    rng = np.random.default_rng(1)
    # Away from 0, where biases begin: there the slopes on both sides of a unit differ.
    net.weights = [each + rng.uniform(0.02, 0.1, each.shape) for each in net.weights]
    if layout.patterns is None:
        inputs = inputs.astype(np.float64)
    else:
        net.weights[0][-1] = 0  # the blank row
    found = net.gradients(inputs, won, players)
    for each, gradient in zip(net.weights, found, strict=True):
        for _ in range(6):
            at = tuple(rng.integers(size) for size in each.shape)
            if layout.patterns is not None and each is net.weights[0]:
                at = (int(rng.choice(inputs.reshape(-1))), at[1])
                if at[0] == NO_PATTERN:
                    continue
            kept = each[at]
            around = []
            for step in (1e-5, -1e-5):
                each[at] = kept + step
                around.append(net.loss(inputs, won, players))
            each[at] = kept
            assert gradient[at] == pytest.approx((around[0] - around[1]) / 2e-5, abs=1e-4)


@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 4), ("secrets", 5)])
def test_training_and_playing_compute_the_same_chances(name: str, players: int) -> None:
    layout = layout_of(name)
    net = new_net(layout, (4, 3), 2)
    model = Model(name, layout.version, (4, 3), net.flat())
    rng = Rng(3)
    state = game(name).new(players)
    state.playout(rng, 20)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    if layout.patterns is None:
        inputs = np.array([state.features(layout.room(players))], dtype=np.float32)
    else:
        inputs = np.array([state.patterns(layout.patterns.room(players, layout.claims))])
        # A model has whole units in the first layer.
        net.weights[0] = np.round(net.weights[0] * UNIT) / UNIT
    chances = net.forward(inputs, players)[0][0]
    assert model.judge(state) == pytest.approx(chances.tolist(), rel=1e-4)


def test_log_loss_counts_what_happened() -> None:
    chances = np.array([[0.5, 0.25], [0.5, 0.25]])
    won = np.array([[1.0, 0.0], [0.0, 0.0]])
    assert log_loss(chances, won, one_winner=True) == pytest.approx([np.log(2), np.log(4)])


def test_a_choice_net_finds_the_feature_that_matters() -> None:
    choices = Choices(blank=3)
    rng = np.random.default_rng(1)
    for number in range(400):
        good = int(rng.integers(2))
        bags = [[0, 2], [2]] if good == 0 else [[2], [0, 2]]
        choices.add(bags, good if rng.random() < 0.8 else 1 - good, number % 10 == 0)
    weights, losses = ChoiceNet(choices).fit(BELIEF)
    assert weights[0] > 0.5
    assert abs(weights[1]) == 0
    assert losses["loss"] < losses["even"]


# ---- self-play ----------------------------------------------------------------------------------


def test_players_of_training_games_do_not_see_roles() -> None:
    rng = Rng(2)
    state = game("hidden-leaders").new(3)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    view = OpenCards(state)
    worlds = [view.sample(rng) for _ in range(60)]
    dealt = {tuple(int(world.role(seat)) for seat in range(3)) for world in worlds}
    assert len(dealt) > 12
    assert {roles[view.seat] for roles in dealt} == {int(state.role(view.seat))}
    assert all(len(set(roles)) == 3 for roles in dealt)


def test_games_are_kept_and_a_cut_line_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    wanted = tasks("secrets", 4, 3)
    games = play_games(wanted, GamesFile(file), 1, lambda _: None)
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    assert len(GamesFile(file).games) == 2
    again = play_games(wanted, GamesFile(file), 1, lambda _: None)
    assert again == games
    assert digest(again) == digest(games)
    assert file.read_bytes() == whole


# ---- whole trainings ----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_stopped_training_resumes_and_gives_the_same_model(config: Path, tmp_path: Path) -> None:
    plan = read_plan(config)
    last = Training(plan, tmp_path / "whole", 1).run(no_bar, lambda _: None)

    class Stop(Exception):
        pass

    def stop(words: str) -> None:
        if words.startswith("Generation 2"):
            raise Stop

    with pytest.raises(Stop):
        Training(plan, tmp_path / "stopped", 1).run(no_bar, stop)
    assert not (tmp_path / "stopped" / "model-2.json").exists()
    lines: list[str] = []
    resumed = Training(plan, tmp_path / "stopped", 1).run(no_bar, lines.append)
    assert lines[0] == "Generation 1 is there already."
    assert last.read_bytes() == resumed.read_bytes()
    model = read_model(last)
    assert any(model.policy)
    assert any(model.belief)
    assert model.trained["config"]["seed"] == 1


@pytest.mark.slow
def test_one_deal_in_ten_is_held_out_at_every_count_and_of_what_is_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(samples, "MOST_WATCHED", 20)
    rules = game("hidden-leaders")
    games = [play_task(GameTask(rules.name, "", 2, n, k, 5)) for k in range(40) for n in (2, 3)]
    taken = sample_games(rules, games, 1)
    shares = [np.mean(taken.positions[players].held) for players in (2, 3)]
    shares += [np.mean(taken.choices.held), np.mean(taken.evidence.held)]
    assert all(0.02 < share < 0.25 for share in shares)


def test_a_belief_that_is_too_timid_is_sharpened() -> None:
    choices = Choices(blank=1)
    for number in range(400):
        choices.add([[0], []], 0 if number % 8 else 1, number % 10 == 0)
    net = ChoiceNet(choices)
    scale = net.best_scale(np.array([0.5, 0.0]), net.held)
    told = np.log((net.right[net.held] % 2 == 0).sum() / (net.right[net.held] % 2 == 1).sum())
    assert 0.5 * scale == pytest.approx(told, rel=0.05)
    assert net.best_scale(np.array([told, 0.0]), net.held) == pytest.approx(1, abs=0.05)


def test_generations_have_different_deals() -> None:
    first, second = (
        play_task(GameTask("hidden-leaders", "", 2, 2, 0, 5, generation)) for generation in (1, 2)
    )
    assert first.moves[:10] != second.moves[:10]


def test_workers_do_not_change_the_games(tmp_path: Path) -> None:
    wanted = tasks("secrets", 4, 6)
    alone = play_games(wanted, GamesFile(tmp_path / "alone.jsonl"), 1, lambda _: None)
    assert play_games(wanted, GamesFile(tmp_path / "two.jsonl"), 2, lambda _: None) == alone


def test_a_folder_belongs_to_one_config(config: Path, tmp_path: Path) -> None:
    with claimed(tmp_path / "out", read_plan(config).as_json()):
        pass
    config.write_text(CONFIG.replace("epochs = 2", "epochs = 3"))
    with pytest.raises(GameError, match="another config: epochs was 2 and is 3; name another"):
        Training(read_plan(config), tmp_path / "out", 1).run(no_bar, print)


def test_a_folder_belongs_to_one_running_training(config: Path, tmp_path: Path) -> None:
    """Two wrote the same games into the same file."""
    plan = read_plan(config)
    with (
        claimed(tmp_path / "out", plan.as_json()),
        pytest.raises(GameError, match="out is in use by another training; wait, or name"),
    ):
        Training(plan, tmp_path / "out", 1).run(no_bar, print)


def test_a_plan_that_was_cut_off_is_not_called_another_config(config: Path, tmp_path: Path) -> None:
    plan = read_plan(config).as_json()
    (tmp_path / "plan.json").write_text("")  # no disk, or stopped right there
    with claimed(tmp_path, plan):
        pass
    (tmp_path / "plan.json").write_text('{"generations": [')
    with (
        pytest.raises(GameError, match=r"plan\.json is damaged; name another folder"),
        claimed(tmp_path, plan),
    ):
        pass


def test_a_folder_with_games_of_nobody_is_refused(config: Path, tmp_path: Path) -> None:
    (tmp_path / "model-1.json").write_text("{}")
    with pytest.raises(GameError, match=r"has model-1\.json but no config in plan\.json"):
        Training(read_plan(config), tmp_path, 1).run(no_bar, print)


@pytest.mark.parametrize("line", ["garbage", "{}", "[2, 3, [1, 2]]", '[2, 0, ["a"], [0]]', "\xff"])
def test_a_damaged_line_of_games_is_named(line: str, tmp_path: Path) -> None:
    file = tmp_path / "games-1.jsonl"
    good = PlayedGame(2, 0, (1, 2), (0,)).line()
    file.write_text(f"{good}\n{line}\n", encoding="latin-1")
    with pytest.raises(GameError, match=r"games-1\.jsonl is damaged: line 2 is not a game"):
        GamesFile(file)


@pytest.mark.parametrize("change", ["move", "end", "winner", "players"])
def test_games_that_the_rules_do_not_allow_are_no_samples(change: str, tmp_path: Path) -> None:
    """They were replayed as they were: illegal moves, or half a game that nobody had won."""
    rules = game("secrets")
    played = play_task(tasks("secrets", 4, 1)[0])
    file = GamesFile(tmp_path / "games.jsonl")
    file.add(played)
    file.check(rules)
    moves = played.moves
    file.add(
        {
            "move": replace(played, moves=(*moves[:20], 10_000, *moves[21:])),
            "end": replace(played, moves=moves[:-1]),
            "winner": replace(played, winners=()),
            "players": replace(played, players=2),
        }[change]
    )
    with pytest.raises(GameError, match="has a game that the rules do not allow"):
        GamesFile(file.file).check(rules)


# ---- trainings that are stopped -----------------------------------------------------------------


LONG = """
players = "2"
hidden = [3, 2]
generations = [{games = 100000, iterations = 4}]
"""


@contextmanager
def a_long_training(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """One that is playing games in two workers."""
    (tmp_path / "long.toml").write_text(LONG)
    words = ["train", "long.toml", "--out", "out", "--workers", "2"]
    command = [sys.executable, "-m", "arena", *words]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as training:
        try:
            games = tmp_path / "out" / "games-1.jsonl"
            deadline = monotonic() + 100
            while not games.exists() and training.poll() is None and monotonic() < deadline:
                sleep(0.01)
            assert games.exists()
            assert training.poll() is None
            yield training
        finally:
            training.kill()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, TERMINATED), (signal.SIGINT, INTERRUPTED)]
)
def test_a_signal_stops_a_training_in_order(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    """SIGTERM, by which clusters end jobs, left warnings of Python's own behind."""
    with a_long_training(tmp_path) as training:
        training.send_signal(number)
        words = training.communicate(timeout=100)[1]
    assert training.returncode == code
    assert "Stopped. To resume, give the same command again" in words
    assert "Warning" not in words
    for line in (tmp_path / "out" / "games-1.jsonl").read_text().splitlines():
        assert json.loads(line)[0] == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_killed_worker_is_one_sentence(tmp_path: Path) -> None:
    """As the system kills one that takes too much memory."""
    with a_long_training(tmp_path) as training:
        children = Path(f"/proc/{training.pid}/task/{training.pid}/children")
        worker = next(
            int(pid)
            for pid in children.read_text().split()
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
        )
        os.kill(worker, signal.SIGKILL)
        words = training.communicate(timeout=100)[1]
    assert training.returncode == INVALID
    assert "arena: a worker process was killed, perhaps for lack of memory" in words
    assert "Traceback" not in words


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("epochs = 2", "epoch = 2", "there is no key 'epoch'"),
        ("epochs = 2", "epochs = 0", "epochs must be a whole number from 1 to 1000, not 0"),
        ("hidden = [3, 2]", "hidden = [3]", "hidden must be two sizes from 1 to 256"),
        (
            "players = [2, 3]",
            "players = [2, 9]",
            "small.toml: players: Hidden Leaders is for 2 to 6 players, not 9",
        ),
        ("games = 3", "games = 1", "generations need 2 games in the first of them: the first game"),
        ("games = 3, ", "", "must be tables [[generations]], each with games and iterations"),
        ("games = 3", "games = 0", "need games from 1 to 10000000, not 0"),
        ("generations", "game = 'chess'\ngenerations", "there is no game 'chess'"),
    ],
)
def test_a_bad_config_is_refused(old: str, new: str, problem: str, config: Path) -> None:
    config.write_text(CONFIG.replace(old, new))
    with pytest.raises(GameError) as refused:
        read_plan(config)
    assert problem in str(refused.value)


def test_bundled_trainings_can_be_read() -> None:
    for name in (*game_names(), "quick"):
        assert read_plan(find_plan(name)).generations
    with pytest.raises(GameError, match=r"there is no training file 'quik'.*quick"):
        find_plan("quik")


@pytest.mark.parametrize("name", game_names())
def test_bundled_models_come_from_the_bundled_configs(name: str) -> None:
    trained = read_model(bundled_model(name)).trained
    assert trained["config"] == read_plan(find_plan(name)).as_json()
