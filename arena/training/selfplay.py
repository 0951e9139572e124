"""Games of a search against itself, kept as lines of a file: a game's moves are all it takes.

To be quick, the seats of these games see each other's cards, which saves keeping track of what each
can know. They do not see each other's roles: every world that is searched deals them anew, from the
second generation on by the belief of the model that plays. Where roles move, who knows what is the
game, so there every seat has a View and searches only what that allows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from arena.files import write_errors
from arena.seeds import derive_seed
from arena.worker_processes import results_in_order, worker_pool
from bots.champion.belief import likely_assignments
from bots.champion.model import Model, read_model
from bots.champion.search import ValueSearch
from bots.ismcts.root_parallel import SearchConfig
from bots.ismcts.tree import Search
from games.errors import GameError
from games.registry import Game
from games.registry import game as find_game
from games.state import CHANCE, MOST_MOVE_FEATURES, NOBODY, Rng, State
from games.view import View
from games.world_belief import WorldBelief

CLASSIC: Final = SearchConfig(0.7, tree_per_seat=False, eager_rollouts=True, horizon=24)
"""How the first generation searches, which has no model yet."""

WORLDS: Final = 32
"""Worlds drawn for each decision of a search with a model."""

TREE_ROOM: Final = 512
"""Nodes for which a tree has room at first; these are small."""

TRUST: Final = 0.5
"""The constant of PUCT in these searches."""

INFERENCE: Final = 1.0
"""The sharpness of beliefs about worlds in these games."""

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
    generation: int = 1
    """Every generation has deals of its own."""


class OpenCards(View):
    """A seat that sees all cards, but not the roles of the others.

    Its worlds get roles at random, or keep the true ones for a search that assigns them itself.
    """

    def __init__(self, state: State, deal: bool = True) -> None:
        super().__init__(int(state.actor), int(state.players))
        self.state = state
        own = state.role(self.seat)
        dealt = range(state.roles) if deal and not state.roles_move else ()
        self.unseen = [role for role in dealt if role != own]

    def sample(self, rng: Rng) -> State:
        world = self.state.copy()
        left = self.unseen[:]
        if left:
            for seat in range(self.players):
                if seat != self.seat:
                    world.assume_role(seat, left.pop(rng.below(len(left))))
        return world


class Player:
    """Chooses the moves of all seats of one game."""

    def __init__(self, task: GameTask, state: State) -> None:
        self.task = task
        self.state = state
        where = (task.generation, task.players, task.number)
        self.rng = Rng(derive_seed(task.seed, "training", *where))
        self.model = _model(task.model) if task.model else None
        self.views: list[View] = []
        """Where roles move: what every seat has really seen, and what it makes of that."""
        self.beliefs: list[WorldBelief | None] = []
        self.kept: ValueSearch | None = None
        """The search of the last decision, as long as no other seat decides."""
        self.scratch: vec[i64] = vec[i64]([0] * MOST_MOVE_FEATURES)
        self.scores = [[0.0] * int(state.roles) for _ in range(task.players)]
        """Evidence by seat and role, as `MoveBelief` has it."""

    def choose(self) -> int:
        """The move most visited by a search; now and then another that was visited."""
        state, rng = self.state, self.rng
        if state.count == 1:
            return int(state.legal[0])
        if state.idle_move() >= 0:
            return int(state.idle_move())
        search = self.searched()
        moves = state.moves()
        # A tree that is reused may have moves that are not legal now.
        rows = [(move, visits) for move, visits, _ in search.table() if move in moves]
        total = sum(visits for _, visits in rows)
        if rng.below(STRAY) == 0 and total:
            aim = rng.below(total)
            for move, visits in rows:
                aim -= visits
                if aim < 0:
                    return move
        return search.best(moves)

    def watch(self, views: list[View]) -> None:
        """Search what these Views allow, not a table of open cards."""
        self.views = views
        if self.model is not None:
            self.beliefs = [self.model.watch_worlds(view, INFERENCE) for view in views]

    def look(self) -> None:
        """Let the Views see what has happened."""
        for view in self.views:
            belief = self.beliefs[view.seat] if self.beliefs else None
            for event in self.state.take_events(view.seat):
                view.observe(event)
                if belief is not None:
                    belief.observe(event)

    def searched(self) -> Search:
        """A search of this decision; within a turn, it goes on in the tree of the last."""
        state, iterations = self.state, self.task.iterations
        inferred = self.model is not None and bool(self.model.belief)
        view = self.views[state.actor] if self.views else OpenCards(state, deal=not inferred)
        if self.model is None:
            classic = CLASSIC.search(view, int(state.move_limit))
            classic.run(view, self.rng, iterations, 0.0)
            return classic
        search = self.kept
        if search is None:
            search = value_search(view, state, self.model)
            search.belief = self.beliefs[state.actor] if self.beliefs else None
        else:
            iterations = max(1, iterations // 3)
            search.stand_at(state.moment())
        if inferred:
            known = [-1] * view.players
            known[view.seat] = int(state.role(view.seat))
            search.set_belief(*likely_assignments(known, self.scores))
        search.draw_worlds(view, self.rng, min(WORLDS, iterations))
        search.run(view, self.rng, iterations, 0.0)
        self.kept = search
        return search

    def observe(self, move: int) -> None:
        """Account for a move that is about to be played, as far as the others see it."""
        state = self.state
        if self.kept is not None and self.kept.seat != state.actor:
            self.kept = None
        elif self.kept is not None and state.idle_move() >= 0:
            pass  # a tree has no nodes for it
        elif self.kept is not None and (state.count > 1 or self.kept.policy is None):
            self.kept.follow(move)  # with a policy, a tree has no nodes for forced moves
        if self.model is None or not self.model.belief or state.observed_move(move) != move:
            return
        seat, weights = int(state.actor), self.model.belief
        for role in range(int(state.roles)):
            for i in range(int(state.move_features(move, role, self.scratch))):
                self.scores[seat][role] += weights[self.scratch[i]]


def play_task(task: GameTask) -> PlayedGame:
    """Play one game."""
    rules = find_game(task.game)
    state = rules.new(task.players)
    if state.roles_move:
        state.record()
    player = Player(task, state)
    if state.roles_move:
        player.watch([rules.view(seat, task.players) for seat in range(task.players)])
    moves: list[int] = []
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            moves.append(state.sample_chance(player.rng))
            continue
        player.look()
        move = player.choose()
        player.observe(move)
        moves.append(move)
        state.play(move)
    return PlayedGame(task.players, task.number, tuple(moves), state.winners())


def value_search(view: View, state: State, model: Model) -> ValueSearch:
    """A search with the model, without a belief."""
    network = model.network(view.players)
    search = ValueSearch(view.seat, view.players, state.move_limit, state.roles, network, TREE_ROOM)
    search.exploration = 0.4
    if model.policy:
        search.policy = model.move_policy
        search.trust = TRUST
    if state.roles_move:
        search.modelled, search.reach = True, 1
    return search


@cache
def _model(file: str) -> Model:
    """Read once per process."""
    return read_model(Path(file))


class GamesFile:
    """The games played so far; a line that was cut off by a stop is dropped."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.games: dict[tuple[int, int], PlayedGame] = {}
        if file.exists():
            whole = file.read_bytes().rpartition(b"\n")[0]
            for number, line in enumerate(whole.splitlines(), start=1):
                self._keep(self._read(line, number))
            file.write_bytes(whole + b"\n" if whole else b"")

    def _read(self, line: bytes, number: int) -> PlayedGame:
        try:
            players, deal, moves, winners = json.loads(line)
            numbers = [players, deal, *moves, *winners]
        except (ValueError, TypeError):
            numbers = []
        if not numbers or any(type(each) is not int for each in numbers):
            raise GameError(
                f"{self.file} is damaged: line {number} is not a game; delete that line, and its "
                "game is played again"
            )
        return PlayedGame(players, deal, tuple(moves), tuple(winners))

    def check(self, rules: Game) -> None:
        """Raise GameError unless every game can be played by the rules as they are now."""
        for played in self.games.values():
            if not follows_rules(played, rules):
                raise GameError(
                    f"{self.file} has a game that the rules do not allow: "
                    f"{played.line()[:40]}...; it is damaged or from another version of the rules: "
                    "delete it, and its games are played again"
                )

    def _keep(self, played: PlayedGame) -> None:
        self.games[played.players, played.number] = played

    def add(self, played: PlayedGame) -> None:
        with write_errors(self.file), self.file.open("a", encoding="utf-8") as out:
            out.write(played.line() + "\n")
        self._keep(played)

    def missing(self, tasks: Sequence[GameTask]) -> list[GameTask]:
        return [task for task in tasks if (task.players, task.number) not in self.games]

    def of(self, tasks: Sequence[GameTask]) -> list[PlayedGame]:
        """The games of these tasks by number and players, in whatever order they were played."""
        keys = sorted({(task.number, task.players) for task in tasks})
        return [self.games[players, number] for number, players in keys]


def play_games(
    tasks: Sequence[GameTask], saved: GamesFile, workers: int, progress: Callable[[int], object]
) -> list[PlayedGame]:
    """Play the games that the file lacks; all of them, in a fixed order."""
    todo = saved.missing(tasks)
    progress(len(tasks) - len(todo))
    try:
        with worker_pool(workers) as pool:
            for result in results_in_order(pool, play_task, todo):
                saved.add(result)
                progress(1)
    except BrokenProcessPool:
        raise GameError(
            "a worker process was killed, perhaps for lack of memory; the games so far are kept: "
            "give the same command again, if need be with fewer --workers"
        ) from None
    return saved.of(tasks)


def follows_rules(played: PlayedGame, rules: Game) -> bool:
    """Whether all moves are legal, and lead to that end."""
    if played.players not in rules.player_counts:
        return False
    state = rules.new(played.players)
    for move in played.moves:
        if move not in state.moves():
            return False
        state.play(move)
    return state.actor == NOBODY and state.winners() == played.winners


def digest(games: Sequence[PlayedGame]) -> str:
    """The SHA-256 of the games, in their order."""
    hashed = sha256()
    for played in games:
        hashed.update(played.line().encode() + b"\n")
    return hashed.hexdigest()
