"""A synthetic game for solver tests, in which every choice (0 or 1) is one layer of the tree.

The layer fixes who decides, the weights of chance and who sees the choice. The game ends after the
last layer, on some paths earlier. A concealed choice is seen only by the seat that makes it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product
from zlib import crc32

from games.state import CHANCE, NOBODY, UNSEEN, State
from solver.core.question import Goal, Others, Policy, Question

COVERED = 2
"""A concealed choice as the other seats observe it."""


@dataclass(frozen=True)
class Layers:
    """The rules of one such game."""

    players: int
    actors: tuple[int, ...]
    concealed: tuple[bool, ...]
    weights: tuple[tuple[int, int], ...]
    ends: dict[tuple[int, ...], int]
    """The paths that end the game -> the winner; -1 for none."""
    pace: int = 2
    """Layers per turn."""

    @staticmethod
    def random(seed: int, depth: int, first: int) -> Layers:
        dice = random.Random(seed)
        players = dice.randint(2, 4)
        deciders = [CHANCE, 0, 0, *range(players)]
        actors = (first, *(dice.choice(deciders) for _ in range(depth - 1)))
        return Layers(
            players,
            actors,
            tuple(dice.random() < 0.5 for _ in actors),
            tuple((dice.randint(1, 3), dice.randint(1, 3)) for _ in actors),
            {
                path: dice.randint(-1, players - 1)
                for layer in range(3, depth + 1)
                for path in product((0, 1), repeat=layer)
                if layer == depth or dice.random() < 0.25
            },
        )

    def actor(self, path: tuple[int, ...]) -> int:
        return NOBODY if path in self.ends else self.actors[len(path)]


class LayerState(State):
    """A position: the choices so far."""

    def __init__(self, rules: Layers, path: tuple[int, ...] = ()) -> None:
        super().__init__(rules.players)
        self.rules = rules
        self.path = path
        self.seen: list[list[tuple[int, ...]]] | None = None
        self.actor = rules.actor(path)
        self.turns = len(path) // rules.pace
        self.legal[1] = 1
        self.count, self.move_limit = 2, COVERED + 1

    def moves(self) -> list[int]:
        return [] if self.actor == NOBODY else [0, 1]

    def weights(self) -> list[int]:
        return list(self.rules.weights[len(self.path)])

    def play(self, move: int) -> None:
        layer = len(self.path)
        if self.seen is not None:
            for seat, news in enumerate(self.seen):
                hidden = self.rules.concealed[layer] and seat != self.actor
                news.append((UNSEEN if hidden else move,))
        self.path += (move,)
        self.turns = len(self.path) // self.rules.pace
        self.actor = self.rules.actor(self.path)

    def observed_move(self, move: int) -> int:
        return COVERED if self.rules.concealed[len(self.path)] else move

    def copy(self) -> LayerState:
        return LayerState(self.rules, self.path)

    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat in (self.rules.ends[self.path],) if seat >= 0)

    def key(self) -> bytes:
        return bytes(self.path)

    def record(self) -> None:
        self.seen = [[] for _ in range(self.players)]

    def take_events(self, seat: int) -> list[tuple[int, ...]]:
        assert self.seen is not None
        news, self.seen[seat] = self.seen[seat], []
        return news


def habit(state: State) -> int:
    """Stands in for a bot: an arbitrary choice, the same in equal positions."""
    return state.moves()[crc32(state.key()) % 2]


def question(goal: Goal, horizon: int, others: Others) -> Question:
    """A question of seat 0."""
    policy = Policy("habit", habit) if others is Others.BOT else None
    return Question(0, goal, horizon, others, policy=policy)
