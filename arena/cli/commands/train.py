"""`arena train`: trains a model for `champion` from games of its search against itself."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.console import progress_bar, show_json, show_report, wrap
from arena.cli.exit_codes import INTERRUPTED, TERMINATED
from arena.cli.options import json_option, workers_option
from arena.cli.stop_signals import leaving_on
from arena.cli.verbosity import note, output_options
from games.errors import GameError
from games.extras import how_to_install
from games.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from arena.training.plan import TrainingPlan


@click.command("train")
@click.argument("config")
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the training; default: the config's name with .training.",
)
@workers_option("they do not change the result")
@json_option
@output_options
def train_command(config: str, folder: Path | None, worker_count: int, as_json: bool) -> int:
    """Train a model for the bot champion.

    CONFIG is a TOML file, or the name of a bundled one. Each generation plays games against itself
    with the model before it, and a new model is fitted to the games. Games and models are saved in
    a folder; after a stop, the same command resumes there. Needs numpy, which comes with
    pip install 'hidden-leaders-arena[training]'.

    \b
    Examples:
      arena train quick
      arena train my_training.toml --out my_model
      arena match champion:model=my_model/model-2.json greedy
    """
    # One thread: sums in another order would give other last digits, and so another model.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        from arena.training.run import Training  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise GameError(f"training needs numpy; {how_to_install('training')}") from None
    from arena.training.plan import find_plan, read_plan  # noqa: PLC0415

    path = find_plan(config)
    training = Training(read_plan(path), folder or Path(f"{path.stem}.training"), worker_count)
    try:
        with leaving_on(signal.SIGTERM):
            model = training.run(progress_bar, note)
    except (KeyboardInterrupt, SystemExit) as stopped:
        kept = f"what is done is kept in {training.folder}"
        click.echo(wrap(f"Stopped. To resume, give the same command again: {kept}."), err=True)
        return INTERRUPTED if isinstance(stopped, KeyboardInterrupt) else TERMINATED
    trained = training.trained()
    if as_json:
        show_json("train", {"model": str(model), "generations": trained})
        return 0
    last = trained[-1]
    losses = ", ".join(f"{n} players {loss}" for n, loss in last["loss"].items())
    show_report(
        f"{model}: generation {last['generation']}, trained on {last['games']} games\n"
        f"log loss on games held out: {losses}\n\n"
        f"next: {_next_command(training.plan, model)}"
    )
    return 0


def _next_command(plan: TrainingPlan, model: Path) -> str:
    """How to find out what the model is worth."""
    from bots.champion.model import bundled_model  # noqa: PLC0415

    rival = "champion" if bundled_model(plan.game).is_file() else "ismcts"
    of_game = "" if plan.game == DEFAULT_GAME else f" --game {plan.game}"
    words = f"champion:model={shlex.quote(str(model))} {rival}{of_game}"
    return f"arena compare {words} --players {plan.players[0]}"
