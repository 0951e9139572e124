"""Runs a training, generation by generation, in a folder from which it can be resumed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from arena.files import write_errors
from arena.lab.compare import compare
from arena.training.fit import BELIEF, POLICY, ChoiceNet, fit_value
from arena.training.folder import claimed
from arena.training.nets import new_net
from arena.training.plan import TrainingPlan
from arena.training.samples import Samples, sample_games
from arena.training.selfplay import GamesFile, GameTask, PlayedGame, digest, play_games
from bots.champion.model import Model, read_model, write_model
from games.registry import game

RATE: Final = 0.004
"""How fast the value network learns at first."""

TrainingProgress = Callable[[int, str], AbstractContextManager[Callable[[int], object]]]
"""Opens a progress bar of that length and with that label."""


class Training:
    """A training in a folder: the games and the model of every generation are files there."""

    def __init__(self, plan: TrainingPlan, folder: Path, workers: int) -> None:
        self.plan = plan
        self.folder = folder
        self.workers = workers
        self.rules = game(plan.game)

    def model_file(self, generation: int) -> Path:
        """Where the model of a generation lies, counted from 1."""
        return self.folder / f"model-{generation}.json"

    def run(self, progress: TrainingProgress, say: Callable[[str], object]) -> Path:
        """Train what is missing; the file of the last model."""
        with claimed(self.folder, self.plan.as_json()):
            for number in range(1, len(self.plan.generations) + 1):
                if self.model_file(number).exists():
                    say(f"Generation {number} is there already.")
                else:
                    self._generation(number, progress, say)
        return self.model_file(len(self.plan.generations))

    def trained(self) -> list[dict[str, Any]]:
        """What each generation was trained on, and the loss on games held out."""
        found = []
        for number in range(1, len(self.plan.generations) + 1):
            about = read_model(self.model_file(number)).trained
            last = about["value_loss"][-1]
            losses = {players: loss for players, loss in last.items() if players != "epoch"}
            kept = {key: about[key] for key in ("generation", "games", "games_sha256")}
            found.append({**kept, "loss": losses})
        return found

    def _generation(
        self, number: int, progress: TrainingProgress, say: Callable[[str], object]
    ) -> None:
        began = perf_counter()
        say(f"Generation {number}: {self.plan.generations[number - 1].words}.")
        games = self._games(number, progress)
        before = read_model(self.model_file(number - 1)) if number > 1 else None
        samples = sample_games(self.rules, games, self.plan.seed, before)
        model = self._fit(samples, say)
        trained = {
            **model.trained,
            "generation": number,
            "games": len(games),
            "games_sha256": digest(games),
        }
        if number > 1 and self.plan.test_deals:
            half = self.folder / "candidate.json"
            self._write(half, model)
            trained["against_the_last"] = self._test(number, half, say)
            half.unlink()
        self._write(self.model_file(number), replace(model, trained=trained))
        # Not in the file: the same training gives the same bytes.
        say(f"Generation {number} took {perf_counter() - began:.0f} s.")

    def _write(self, file: Path, model: Model) -> None:
        with write_errors(file):
            write_model(file, model)

    def _games(self, number: int, progress: TrainingProgress) -> list[PlayedGame]:
        """The games of all generations so far, each played by the model before it."""
        games: list[PlayedGame] = []
        for each in range(1, number + 1):
            generation = self.plan.generations[each - 1]
            model = str(self.model_file(each - 1)) if each > 1 else ""
            name, seed, iterations = self.plan.game, self.plan.seed, generation.iterations
            tasks = [
                GameTask(name, model, iterations, players, k, seed, each)
                for k in range(generation.games)
                for players in self.plan.players
            ]
            saved = GamesFile(self.folder / f"games-{each}.jsonl")
            saved.check(self.rules)
            if saved.missing(tasks):
                with progress(len(tasks), f"Playing games of generation {each}") as advance:
                    play_games(tasks, saved, self.workers, advance)
            games += saved.of(tasks)
        return games

    def _fit(self, samples: Samples, say: Callable[[str], object]) -> Model:
        plan, layout = self.plan, self.rules.features
        assert layout is not None
        net = new_net(layout, plan.hidden, plan.seed)
        curve = fit_value(net, samples.positions, plan.epochs, RATE, plan.seed, say)
        trained: dict[str, Any] = {"config": plan.as_json(), "value_loss": curve}
        model = Model(plan.game, layout.version, plan.hidden, net.flat())
        if layout.moves:
            policy, trained["policy_loss"] = ChoiceNet(samples.choices).fit(POLICY)
            model = replace(model, policy=policy)
            if samples.evidence.right:
                belief, trained["belief_loss"] = ChoiceNet(samples.evidence).fit(BELIEF)
                model = replace(model, belief=belief)
            for part in ("policy", "belief"):
                if loss := trained.get(f"{part}_loss"):
                    say(f"{part}: held-out loss {loss['loss']}, of an even guess {loss['even']}")
        return replace(model, trained=trained)

    def _test(
        self, number: int, candidate: Path, say: Callable[[str], object]
    ) -> dict[str, dict[str, object]]:
        """The new model against the last one, at every number of players."""
        found = {}
        for players in self.plan.players:
            result = compare(
                f"champion:iterations=100,model={candidate}",
                f"champion:iterations=100,model={self.model_file(number - 1)}",
                players=players,
                deals=self.plan.test_deals,
                seed=self.plan.seed,
                game=self.plan.game,
                workers=self.workers,
            )
            low, high = result.interval
            found[str(players)] = {
                "deals": result.deals,
                "difference": round(result.difference, 3),
                "interval": [round(low, 3), round(high, 3)],
            }
            say(f"{players} players: {result.difference:+.3f} wins per game against the last")
        return found
