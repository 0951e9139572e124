"""Games of a search against itself, kept as lines of a file: a game's moves are all it takes.

To be quick, the seats of these games see each other's cards, which saves keeping track of what each
can know. They do not see each other's roles: every world that is searched deals them anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.seeds import derive_seed
from arena.worker_processes import worker_pool
from bots.champion.model import read_model
from bots.champion.search import ValueSearch
from bots.ismcts.root_parallel import SearchConfig
from bots.ismcts.tree import Search
from games.registry import game as find_game
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View

CLASSIC: Final = SearchConfig(0.7, tree_per_seat=False, eager_rollouts=True, horizon=24)
"""How the first generation searches, which has no model yet."""

STRAY: Final = 10
"""One decision in this many is drawn in proportion to its visits, so that games differ more."""


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: its number of players, its moves and chance outcomes, and who won."""

    players: int
    number: int
    moves: tuple[int, ...]
    winners: tuple[int, ...]

    def line(self) -> str:
        return json.dumps([self.players, self.number, list(self.moves), list(self.winners)])


@dataclass(frozen=True)
class GameTask:
    """A game to be played."""

    game: str
    model: str
    """The model's file; empty for the first generation."""
    iterations: int
    players: int
    number: int
    seed: int


class OpenCards(View):
    """A seat that sees all cards, but not the roles of the others."""

    def __init__(self, state: State) -> None:
        super().__init__(int(state.actor), int(state.players))
        self.state = state
        self.roles = [state.role(seat) for seat in range(self.players)]
        dealt = range(state.roles) if not state.roles_move else ()
        self.unseen = [role for role in dealt if role != self.roles[self.seat]]

    def sample(self, rng: Rng) -> State:
        world = self.state.copy()
        left = self.unseen[:]
        if left:
            for seat in range(self.players):
                if seat != self.seat:
                    world.assume_role(seat, left.pop(rng.below(len(left))))
        return world


def play_task(task: GameTask) -> PlayedGame:
    """Play one game."""
    rng = Rng(derive_seed(task.seed, "training", task.players, task.number))
    state = find_game(task.game).new(task.players)
    moves: list[int] = []
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            moves.append(state.sample_chance(rng))
            continue
        move = int(state.legal[0]) if state.count == 1 else searched_move(state, task, rng)
        moves.append(move)
        state.play(move)
    return PlayedGame(task.players, task.number, tuple(moves), state.winners())


def searched_move(state: State, task: GameTask, rng: Rng) -> int:
    """The move most visited by a search; now and then another that was visited."""
    view = OpenCards(state)
    search = new_search(view, int(state.move_limit), task.model)
    search.run(view, rng, task.iterations, 0.0)
    if rng.below(STRAY):
        return search.best(state.moves())
    rows = search.table()
    aim = rng.below(sum(visits for _, visits, _ in rows))
    for move, visits, _ in rows:
        aim -= visits
        if aim < 0:
            return move
    raise AssertionError("the visits do not add up")


def new_search(view: View, move_limit: int, model: str) -> Search:
    if not model:
        return CLASSIC.search(view, move_limit)
    found = _model_search(model, view.players)
    return found(view.seat, move_limit)


@cache
def _model_search(model: str, players: int) -> Callable[[int, int], Search]:
    """What makes searches with the model in that file, read once per process."""
    network = read_model(Path(model)).network(players)

    def make(seat: int, move_limit: int) -> Search:
        search = ValueSearch(seat, players, move_limit, network)
        search.exploration = 0.4
        return search

    return make


class GamesFile:
    """The games played so far; a line that was cut off by a stop is dropped."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.games: dict[tuple[int, int], PlayedGame] = {}
        if file.exists():
            whole = file.read_bytes().rpartition(b"\n")[0]
            for line in whole.decode().splitlines():
                players, number, moves, winners = json.loads(line)
                self._keep(PlayedGame(players, number, tuple(moves), tuple(winners)))
            file.write_bytes(whole + b"\n" if whole else b"")

    def _keep(self, played: PlayedGame) -> None:
        self.games[played.players, played.number] = played

    def add(self, played: PlayedGame) -> None:
        with self.file.open("a", encoding="utf-8") as out:
            out.write(played.line() + "\n")
        self._keep(played)

    def in_order(self) -> list[PlayedGame]:
        """By number and players, in whatever order they were played."""
        return [self.games[key] for key in sorted(self.games, key=lambda key: (key[1], key[0]))]


def play_games(
    tasks: Sequence[GameTask], file: Path, workers: int, progress: Callable[[int], object]
) -> list[PlayedGame]:
    """Play the games that the file lacks; all of them, in a fixed order."""
    saved = GamesFile(file)
    todo = [task for task in tasks if (task.players, task.number) not in saved.games]
    progress(len(tasks) - len(todo))
    with worker_pool(workers) as pool:
        played: Iterator[PlayedGame]
        played = map(play_task, todo) if pool is None else pool.map(play_task, todo, chunksize=8)
        for result in played:
            saved.add(result)
            progress(1)
    wanted = {(task.players, task.number) for task in tasks}
    return [game for game in saved.in_order() if (game.players, game.number) in wanted]


def digest(games: Sequence[PlayedGame]) -> str:
    """The SHA-256 of the games, in their order."""
    hashed = sha256()
    for played in games:
        hashed.update(played.line().encode() + b"\n")
    return hashed.hexdigest()
