"""`arena puzzles make`: new puzzles, mined from a league's games or composed at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import click

from arena.cli import colour
from arena.cli.console import show_json
from arena.cli.exit_codes import FAILED
from arena.cli.options import FILE_PATH, FOLDER_PATH, GameChoice, json_option, nodes_option
from arena.cli.verbosity import log, output_options
from arena.lab.puzzle_difficulty import puzzle_rating, tempting
from arena.league.database import BadRun
from arena.league.journal import Journal
from games.errors import GameError
from games.registry import DEFAULT_GAME, Game, game
from games.state import State
from solver.puzzles.files import load_puzzle, puzzle_files
from solver.puzzles.prose import slug, story, title
from solver.puzzles.quality import Ending
from solver.puzzles.search import MOST_TURNS, Collection, Wanted, composed, mined
from solver.puzzles.themes import all_themes, puzzle_material
from solver.puzzles.writer import prepare_folder, write_puzzle


@click.command("make")
@click.option(
    "--from",
    "run",
    type=FILE_PATH,
    help="Mine the games of this league's run file; default: compose endings at random.",
)
@click.option(
    "--game",
    "game_name",
    type=GameChoice(),
    help="The game; default: that of the run file, or Hidden Leaders.",
)
@click.option("--count", type=click.IntRange(1), required=True, help="How many puzzles to make.")
@click.option(
    "--players",
    type=click.IntRange(1),
    help="Only puzzles for this many players; default: any number.",
)
@click.option("--theme", type=click.Choice(all_themes()), help="Only puzzles of this theme.")
@click.option(
    "--turns",
    type=click.IntRange(1, MOST_TURNS),
    help="Only questions about this many turns, including the current one.",
)
@click.option(
    "--quiet-answers",
    is_flag=True,
    help="Only puzzles in which it is best to play no card: to discard, or to do nothing.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, help="The same seed gives the same puzzles."
)
@click.option(
    "--out",
    "folder",
    type=FOLDER_PATH,
    default=Path("puzzles"),
    help="Folder to write to; puzzles already in it are not repeated.",
)
@nodes_option("positions visited to prove a puzzle", default=Wanted.nodes, least=1)
@json_option
@output_options
def make_command(
    run: Path | None,
    game_name: str | None,
    count: int,
    players: int | None,
    theme: str | None,
    turns: int | None,
    quiet_answers: bool,
    seed: int,
    folder: Path,
    nodes: int,
    as_json: bool,
) -> int:
    """Make puzzles.

    Searches the last turns of a league's games, or random endings. A puzzle is kept if exactly one
    first move is best, a glance or random playouts suggest another, and the solver proves it. Then
    every card that the answer does not need is removed. `arena puzzles rate` says how the
    difficulty is measured. Exit code 1 if fewer puzzles were found than requested.

    \b
    Examples:
      arena puzzles make --count 5
      arena puzzles make --from runs/default.db --count 20 --out my-puzzles
      arena puzzles make --count 3 --theme denying --turns 3 --seed 7
      arena puzzles make --game secrets --count 5
    """
    if run is None:
        rules = game(game_name or DEFAULT_GAME)
        wanted = _wanted(rules, count, players, theme, turns, seed, nodes, quiet_answers)
        return _make(wanted, composed(wanted), folder, as_json, mining=False)
    with Journal.read(run) as journal:
        rules = game(journal.league.game)
        if game_name not in (None, rules.name):
            raise BadRun(f"{run} is a league of {rules.title}; leave out --game {game_name}")
        wanted = _wanted(rules, count, players, theme, turns, seed, nodes, quiet_answers)
        endings = mined(rules, _tables(journal, wanted))
        return _make(wanted, endings, folder, as_json, mining=True)


def _wanted(
    rules: Game,
    count: int,
    players: int | None,
    theme: str | None,
    turns: int | None,
    seed: int,
    nodes: int,
    quiet: bool,
) -> Wanted:
    """What is asked for; GameError if the game has no such players or theme."""
    puzzle_material(rules)
    if players is not None:
        rules.check_players(players)
    if theme is not None and theme not in rules.puzzle_themes:
        known = ", ".join(rules.puzzle_themes)
        raise GameError(f"{rules.title} has no theme '{theme}' (known: {known})")
    counts = rules.player_counts if players is None else (players,)
    return Wanted(rules, count, counts, theme or "", seed, nodes, turns or 0, quiet)


def _tables(journal: Journal, wanted: Wanted) -> Iterator[tuple[State, str, int]]:
    """Every state of the run's games, game by game in an order that the seed decides."""
    league = journal.league
    played = [each.number for each in journal.each_played() if each.players in wanted.players]
    random.Random(wanted.seed).shuffle(played)
    bots, seed = " and ".join(league.names), journal.public_seed()
    for number in played:
        source = f"mined: game {number} of a league of {bots}"
        source += "" if seed is None else f", seed {seed}"
        for kept in journal.games(number):
            state = kept.replay.new()
            for move in kept.replay.moves:
                state.play(move)
                yield state, source, number


def _make(
    wanted: Wanted, endings: Iterator[Ending], folder: Path, as_json: bool, *, mining: bool
) -> int:
    """Write the puzzles found, with a line about each; the exit code."""
    prepare_folder(folder)
    rng = random.Random(wanted.seed)
    existing = sorted(folder.glob("*.toml"))
    known = [load_puzzle(path) for path in existing]
    collection = Collection(wanted, tempting, known)
    stories = {puzzle.story for puzzle in known}
    taken = {path.stem for path in (*existing, *puzzle_files())}
    made: list[dict[str, object]] = []
    for candidate, theme in collection.gather(endings):
        name, tale = title(candidate, rng, taken), story(candidate, rng, stories)
        stories.add(tale)
        taken.add(slug(name))
        path = folder / f"{slug(name)}.toml"
        level = write_puzzle(path, candidate, name, tale, theme, puzzle_rating)
        players = candidate.position.players
        made.append({"file": str(path), "players": players, "theme": theme, "difficulty": level})
        log.info("%d of %d puzzles after %d endings", len(made), wanted.count, collection.looked)
        if not as_json:
            click.echo(f"made  {path} ({players} players, {theme}, difficulty {level})")
    if as_json:
        show_json(
            "puzzles-make",
            {"requested": wanted.count, "endings": collection.looked, "made": made},
        )
    if len(made) == wanted.count:
        if not as_json:
            click.echo(f"Made and proved {len(made)} puzzle{'s' * (len(made) > 1)} in {folder}.")
        return 0
    counts = f"found {len(made)} of {wanted.count} puzzles in {collection.looked} endings"
    colour.error(f"{counts}; {_advice(wanted, mining)}")
    return FAILED


def _advice(wanted: Wanted, mining: bool) -> str:
    """What would find more puzzles."""
    ways = ["request fewer"] if wanted.count > 1 else []
    if wanted.theme:
        ways.append("allow other themes")
    if wanted.players != wanted.game.player_counts:
        ways.append("allow other player counts")
    if wanted.turns:
        ways.append("allow other numbers of turns")
    ways.append("play a longer league" if mining else "try another seed")
    return ", ".join([*ways, f"or raise --nodes above {wanted.nodes}"])
