"""Samples for training: positions, choices and evidence, taken from games by replaying them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from librt.vecs import vec
from mypy_extensions import i64

from arena.seeds import derive_seed
from arena.training.selfplay import PlayedGame
from bots.champion.belief import MoveBelief
from bots.champion.model import Model
from games.features import FeatureLayout
from games.registry import Game
from games.state import MOST_MOVE_FEATURES, Rng, State
from games.view import View

Array = Any  # of numpy; its types would say little more

DECISIONS_PER_GAME = 40
"""Choices sampled of each game, for the policy."""

NEXT_SHARE = 0.9
"""How much of its aim a position takes from the next turn's aim; the rest is the chance that the
model of the generation before gave there (TD-lambda). The last aim is the result."""

HELD_OUT = 10
"""One deal number in this many is for testing only, at all numbers of players."""

MOST_WATCHED = 12_000
"""Games of which moves are sampled, for policy and belief; of all others only positions."""

LOOKS_PER_SEAT = 6
"""How often the belief about a seat is asked for in a game, at random points."""


@dataclass
class TurnStarts:
    """Turn starts of games of one player count: what a network sees, and who won in the end."""

    room: int
    """How many inputs a position has."""
    inputs: array[Any]
    """Whole numbers if they are patterns, else floats."""
    won: array[float] = field(default_factory=lambda: array("f"))
    aims: array[float] = field(default_factory=lambda: array("f"))
    """What the network should say; see `NEXT_SHARE`."""
    held: array[int] = field(default_factory=lambda: array("b"))
    """1 if the position is for testing only."""

    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """Inputs, results, aims and whether it is held out, a row for each position."""
        rows = len(self.held)
        return (
            np.array(self.inputs).reshape(rows, self.room),
            np.array(self.won).reshape(rows, -1),
            np.array(self.aims).reshape(rows, -1),
            np.array(self.held) > 0,
        )


@dataclass
class Choices:
    """Samples with one right option among several, each option a bag of features."""

    blank: int
    """A number beyond all features, so that no bag is empty."""
    features: array[int] = field(default_factory=lambda: array("i"))
    option_starts: array[int] = field(default_factory=lambda: array("i"))
    sample_starts: array[int] = field(default_factory=lambda: array("i"))
    right: array[int] = field(default_factory=lambda: array("i"))
    """The right option of each sample, counted over all samples."""
    held: array[int] = field(default_factory=lambda: array("b"))
    """1 if the sample is for testing only."""

    def add(self, bags: Iterable[Sequence[int]], right: int, held: bool) -> None:
        self.sample_starts.append(len(self.option_starts))
        self.right.append(len(self.option_starts) + right)
        self.held.append(held)
        for bag in bags:
            self.option_starts.append(len(self.features))
            self.features.append(self.blank)
            self.features.extend(bag)


@dataclass
class Samples:
    """Everything taken from a set of games."""

    positions: dict[int, TurnStarts]
    """By number of players."""
    choices: Choices
    evidence: Choices


def new_turn_starts(layout: FeatureLayout, players: int) -> TurnStarts:
    if layout.patterns is not None:
        return TurnStarts(layout.patterns.room(players, layout.claims), array("h"))
    return TurnStarts(layout.room(players), array("f"))


def sample_games(
    rules: Game, games: Sequence[PlayedGame], seed: int, model: Model | None = None
) -> Samples:
    """Replay the games; the model is that of the generation before, if there is one."""
    layout = rules.features
    assert layout is not None
    samples = Samples({}, Choices(layout.moves), Choices(layout.moves))
    stride = -(-len(games) // MOST_WATCHED)
    for index, played in enumerate(games):
        rng = Rng(derive_seed(seed, "samples", index))
        # Ten deals are watched at a time, so that one in ten of the watched is held out as well.
        watched = bool(layout.moves) and played.number // HELD_OUT % stride == 0
        _Sampling(rules, layout, played, samples, rng, watched).run(model)
    return samples


class _Sampling:
    """Replays one game and takes samples on the way."""

    def __init__(
        self,
        rules: Game,
        layout: FeatureLayout,
        played: PlayedGame,
        samples: Samples,
        rng: Rng,
        watched: bool,
    ) -> None:
        self.layout = layout
        self.watched = watched
        self.played = played
        self.held = played.number % HELD_OUT == 0
        self.samples = samples
        self.rng = rng
        self.state = rules.new(played.players, record=watched)
        # Two seats see all others: the first sees everybody but itself, the second the first.
        self.observers: list[tuple[View, MoveBelief, set[int]]] = []
        if played.players not in samples.positions:
            samples.positions[played.players] = new_turn_starts(layout, played.players)
        self.positions = samples.positions[played.players]
        self.scratch: vec[i64] = vec[i64]([0] * MOST_MOVE_FEATURES)
        self.bags: dict[int, list[list[int]]] = {}
        if watched and not self.state.roles_move:  # there the policy is all that a belief needs
            for observer in range(2):
                view = rules.view(observer, played.players)
                seats = {seat for seat in range(played.players) if (seat == 0) == (observer == 1)}
                self.observers.append((view, MoveBelief(view, layout, ()), seats - {observer}))

    def run(self, model: Model | None) -> None:
        state, played = self.state, self.played
        won = [float(seat in played.winners) for seat in range(played.players)]
        judged: list[list[float]] = []
        share = DECISIONS_PER_GAME / max(1, len(played.moves))
        turn = 0
        for move in played.moves:
            if state.actor >= 0:
                if state.turns > turn:
                    turn = state.turns
                    self.add_position(won)
                    judged.append(model.judge(state) if model else [])
                    self.look()
                is_choice = state.count > 1 and state.idle_move() < 0
                if self.watched and is_choice and self.chance(2 * share):
                    self.add_choice(move)
            state.play(move)
            if self.watched:
                self.follow()
        self.add_aims(judged, won)

    def add_position(self, won: list[float]) -> None:
        state, positions = self.state, self.positions
        if self.layout.patterns is not None:
            positions.inputs.extend(state.patterns(positions.room))
        else:
            positions.inputs.extend(state.features(positions.room))
        positions.won.extend(won)
        positions.held.append(self.held)

    def add_aims(self, judged: list[list[float]], won: list[float]) -> None:
        """The result, mixed with what the model before thought of the turns in between."""
        aims, aim = [], won
        for chances in reversed(judged):
            aims.append(aim)
            if chances:
                aim = [
                    NEXT_SHARE * a + (1 - NEXT_SHARE) * c for a, c in zip(aim, chances, strict=True)
                ]
        for each in reversed(aims):
            self.positions.aims.extend(each)

    def chance(self, share: float) -> bool:
        return int(self.rng.below(1 << 20)) < int(share * (1 << 20))

    def add_choice(self, move: int) -> None:
        """A decision of a seat, and what it chose."""
        state = self.state
        role = state.role(state.actor)
        moves = state.moves()
        bags = [self.bag(state, each, role) for each in moves]
        self.samples.choices.add(bags, moves.index(move), self.held)

    def bag(self, state: State, move: int, role: int) -> list[int]:
        count = state.move_features(move, role, self.scratch)
        return [self.scratch[i] for i in range(count)]

    def follow(self) -> None:
        """Let the observers see what has happened."""
        for view, belief, watched in self.observers:
            for event in self.state.take_events(view.seat):
                view.observe(event)
                choice = self.layout.observed_choice(event)
                if choice is None or choice[0] not in watched:
                    continue
                bags = self.bags.setdefault(choice[0], [[] for _ in range(belief.roles)])
                for bag, found in zip(bags, belief.features(*choice), strict=True):
                    bag.extend(found)

    def look(self) -> None:
        """Now and then: what a seat's moves so far say about its role."""
        state = self.state
        for _, _, watched in self.observers:
            for seat in sorted(watched):
                if seat in self.bags and self.chance(LOOKS_PER_SEAT / 24):
                    self.samples.evidence.add(self.bags[seat], state.role(seat), self.held)
