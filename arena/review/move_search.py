"""Estimates of moves by search: each gets a tree of its own over the same sampled worlds.

A search that chooses between moves hardly looks at bad ones, so it values them too low. Here every
move is valued by as many worlds as any other, with the search and the model of the bot `champion`.
The worlds are those that its belief about the others' roles finds likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt
from typing import NamedTuple

from arena.match.game_view import GameView
from bots.champion.bot import HABITS, HABITS_BY_GAME, Champion
from bots.champion.model import BadModel, Model, bundled_model, load_model
from bots.champion.policy import MovePolicy
from bots.champion.search import ValueSearch
from bots.champion.watch import MoveWatch
from bots.ismcts.tree import NONE
from games.registry import Game, game
from games.state import CHANCE, NOBODY, Rng, State


class Difference(NamedTuple):
    """How much more one move is worth than another, with its standard error."""

    mean: float
    error: float


class Searched(NamedTuple):
    """What a search found out about one move."""

    chances: list[float]
    """The seat's chance to win, world by world."""
    tree: ValueSearch
    """What it expects after the move."""


class MoveSearch:
    """Values moves of one decision in a fixed list of worlds."""

    def __init__(
        self, rules: Game, worlds: Sequence[State], seed: int, to_the_end: bool = False
    ) -> None:
        """`to_the_end`: play worlds on to the end of the game instead of judging them by the model,
        which does not know of a turn limit.
        """
        self.rules = rules
        self.worlds = worlds
        self.seed = seed
        self.to_the_end = to_the_end
        self.seat = int(worlds[0].actor)

    def searched(self, move: int, first: int, last: int) -> Searched:
        """The move in the worlds from the first to before the last."""
        search = _new_search(self.rules.name, self.worlds[0])
        search.follow(move)
        rng = Rng(self.seed)
        chances = []
        for world in self.worlds[first:last]:
            following = world.copy()
            following.play(move)
            search.iterate(following, rng)
            chance = search.credit[self.seat]
            if self.to_the_end and following.actor != NOBODY:
                following.rollout(rng)
                chance = float(following.wins(self.seat))
            chances.append(chance)
        return Searched(chances, search)


def likely_worlds(shown: GameView, moves: int, seat: int, seed: int, count: int) -> list[State]:
    """Worlds that agree with what a seat knew after that many moves, as likely as it can infer.

    Which roles the others may have is inferred from all their moves so far.
    """
    view = shown.replay.view(seat)
    watch = MoveWatch(_model(shown.rules.name), view)
    for event in shown.perceived(moves, seat):
        view.observe(event)
        watch.observe(event)
    search = _new_search(shown.rules.name, view.imagine())
    watch.guide(search)
    search.draw_worlds(view, Rng(seed), count)
    return search.worlds


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def difference(one: Sequence[float], other: Sequence[float]) -> Difference:
    """Of two moves in the same worlds."""
    gaps = [a - b for a, b in zip(one, other, strict=True)]
    middle = mean(gaps)
    spread = sum((gap - middle) ** 2 for gap in gaps) / max(1, len(gaps) - 1)
    return Difference(middle, sqrt(spread / len(gaps)))


def likely_line(search: ValueSearch, state: State, move: int, seed: int) -> list[int]:
    """The move and what the search expects in the rest of the turn, from this table on."""
    rng = Rng(seed)
    turn, table, node = state.turns, state.copy(), int(search.roots[search.seat])
    line = [move]
    table.play(move)
    while table.actor != NOBODY and table.turns == turn:
        if table.actor == CHANCE:
            line.append(int(table.sample_chance(rng)))
            continue
        chosen, node = _favourite(search, table, node, rng)
        line.append(chosen)
        table.play(chosen)
    return line


def _favourite(search: ValueSearch, table: State, node: int, rng: Rng) -> tuple[int, int]:
    """The most visited of the legal moves, and its node; outside the tree a plausible move."""
    moves, idle = table.moves(), int(table.idle_move())
    if idle >= 0 or (len(moves) == 1 and search.policy is not None):
        return idle if idle >= 0 else moves[0], node  # the tree has no node for it
    if node and search.moments[node] != table.moment():
        node = int(search.child(node, search.variants + table.moment()))
    own = table.actor == search.seat
    first = int(search.first_branch(table)) if search.policy is not None else 0
    best, most, below = -1, 0, NONE
    for legal in moves:
        seen = legal if own else int(table.observed_move(legal)) + first
        child = search.child(node, seen) if node else NONE
        if child != NONE and search.visits[child] > most:
            best, most, below = legal, int(search.visits[child]), int(child)
    return (best, below) if best >= 0 else (int(table.rollout_move(rng)), NONE)


def _new_search(name: str, world: State) -> ValueSearch:
    """A search as `champion` makes one, but worlds come from outside."""
    model = _model(name)
    network = model.network(int(world.players))
    search = ValueSearch(world.actor, world.players, world.move_limit, world.roles, network)
    bot = Champion(0, Rng(0))
    search.exploration, search.trust, search.policy = bot.exploration, bot.trust, _policy(name)
    habits = HABITS_BY_GAME.get(name, HABITS)
    search.modelled, search.reach = habits.others == "policy", habits.reach
    search.contrast = 0.0
    return search


@cache
def _policy(name: str) -> MovePolicy | None:
    model = _model(name)
    return MovePolicy(list(model.policy)) if model.policy else None


def _model(name: str) -> Model:
    if not bundled_model(name).is_file():
        title = game(name).title
        raise BadModel(f"moves of {title} cannot be judged; there is no model for that game")
    return load_model(name)
