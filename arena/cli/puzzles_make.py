"""`arena puzzles make`: new puzzles, mined from a league's games or composed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import click

from arena.lab.puzzle_difficulty import difficulty, tempting
from arena.league.database import BadRun
from arena.league.journal import Journal
from games.registry import game
from games.state import State
from solver.puzzles.files import load_puzzle, puzzle_files
from solver.puzzles.prose import slug, story, title
from solver.puzzles.quality import GAME, Ending
from solver.puzzles.search import MOST_TURNS, Collection, Wanted, composed, mined
from solver.puzzles.themes import THEMES
from solver.puzzles.writer import prepare, write_puzzle

TOO_FEW = 1
_RULES = game(GAME)


@click.command("make")
@click.option(
    "--from",
    "run",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The run file of a league, whose games are mined; else endings are composed.",
)
@click.option("--count", type=click.IntRange(1), required=True, help="How many puzzles to make.")
@click.option(
    "--players",
    type=click.IntRange(_RULES.min_players, _RULES.max_players),
    help="Only puzzles for so many; else for any number.",
)
@click.option("--theme", type=click.Choice(THEMES), help="Only puzzles of this theme.")
@click.option(
    "--turns",
    type=click.IntRange(1, MOST_TURNS),
    help="Only questions about so many turns, the present one included.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides all luck."
)
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("puzzles"),
    show_default=True,
    help="The folder they go to; what is there already is not repeated.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=Wanted.nodes,
    show_default=True,
    help="Positions that the proof of a puzzle may take, at most.",
)
def make(
    run: Path | None,
    count: int,
    players: int | None,
    theme: str | None,
    turns: int | None,
    seed: int,
    folder: Path,
    nodes: int,
) -> int:
    """Make puzzles of Hidden Leaders with a single answer that a hasty player misses.

    Looked at are the last turns of games, or endings composed by luck. A puzzle is kept if exactly
    one first move is best, the greedy bot chooses another, and the solver proves it. Then every
    card goes that the answer does not need. The difficulty says how strong a bot must be to find
    the answer. The same seed gives the same puzzles. Exit code 1 if there are fewer than asked for.

    \b
    Examples:
      arena puzzles make --count 5
      arena puzzles make --from runs/default.db --count 20 --out my-puzzles
      arena puzzles make --count 3 --theme denying --turns 3 --seed 7
    """
    counts = _RULES.player_counts if players is None else (players,)
    wanted = Wanted(count, counts, theme or "", seed, nodes, turns or 0)
    if run is None:
        prepare(folder)
        return _made(wanted, composed(wanted), folder, mining=False)
    with Journal.read(run) as journal:
        if journal.league.game != GAME:
            other = game(journal.league.game).title
            raise BadRun(f"{run} is a league of {other}: puzzles are made of {_RULES.title}")
        prepare(folder)
        return _made(wanted, mined(_tables(journal, wanted)), folder, mining=True)


def _tables(journal: Journal, wanted: Wanted) -> Iterator[tuple[State, str, int]]:
    """Every table of the run's games, one game after the other in an order the seed decides."""
    league = journal.league
    played = [one.number for one in journal.each_played() if one.players in wanted.players]
    random.Random(wanted.seed).shuffle(played)
    bots = " and ".join(league.names)
    for number in played:
        source = f"mined: game {number} of a league of {bots}, seed {league.seed}"
        for kept in journal.games(number):
            state = kept.replay.new()
            for move in kept.replay.moves:
                state.play(move)
                yield state, source, number


def _made(wanted: Wanted, endings: Iterator[Ending], folder: Path, mining: bool) -> int:
    """Write what is found, telling of each; the exit code."""
    dice = random.Random(wanted.seed)
    there = sorted(folder.glob("*.toml"))
    collection = Collection(wanted, tempting, [load_puzzle(path) for path in there])
    taken = {path.stem for path in (*there, *puzzle_files())}
    made = 0
    for found, theme in collection.gather(endings):
        name = title(found, theme, dice, taken)
        taken.add(slug(name))
        path = folder / f"{slug(name)}.toml"
        hard = write_puzzle(path, found, name, story(found, theme, dice), theme, difficulty)
        click.echo(f"made  {path} ({found.position.players} players, {theme}, difficulty {hard})")
        made += 1
    if made == wanted.count:
        click.echo(f"Made and proven: {made} puzzle{'s' * (made > 1)}, in {folder}.")
        return 0
    click.echo(
        f"found {made} of {wanted.count} puzzles among {collection.looked} endings: "
        f"{_advice(wanted, mining)}",
        err=True,
    )
    return TOO_FEW


def _advice(wanted: Wanted, mining: bool) -> str:
    """What could bring more puzzles, of what was asked for."""
    ways = ["ask for fewer"] if wanted.count > 1 else []
    if wanted.theme:
        ways.append("allow other themes")
    if wanted.players != _RULES.player_counts:
        ways.append("allow other player counts")
    if wanted.turns:
        ways.append("allow other numbers of turns")
    ways.append("play a longer league" if mining else "try another seed")
    return ", ".join([*ways, f"or let a proof take more than {wanted.nodes} --nodes"])
