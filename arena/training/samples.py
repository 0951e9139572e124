"""Samples for training: positions, choices and evidence, taken from games by replaying them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from librt.vecs import vec
from mypy_extensions import i64

from arena.seeds import derive_seed
from arena.training.selfplay import PlayedGame
from bots.champion.belief import MoveBelief
from games.features import FeatureLayout
from games.registry import Game
from games.state import MOST_MOVE_FEATURES, Rng, State
from games.view import View

Array = Any  # of numpy; its types would say little more

DECISIONS_PER_GAME = 40
"""Choices sampled of each game, for the policy."""

LOOKS_PER_SEAT = 6
"""How often the belief about a seat is asked for in a game, at random points."""


@dataclass
class TurnStarts:
    """Turn starts of games of one player count: features, and who won in the end."""

    inputs: list[list[float]] = field(default_factory=list)
    won: list[list[float]] = field(default_factory=list)
    game: list[int] = field(default_factory=list)

    def arrays(self) -> tuple[Array, Array, Array]:
        return (
            np.array(self.inputs, dtype=np.float32),
            np.array(self.won, dtype=np.float32),
            np.array(self.game),
        )


@dataclass
class Choices:
    """Samples with one right option among several, each option a bag of features."""

    blank: int
    """A number beyond all features, so that no bag is empty."""
    features: list[int] = field(default_factory=list)
    option_starts: list[int] = field(default_factory=list)
    sample_starts: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    """The right option of each sample, counted over all samples."""
    game: list[int] = field(default_factory=list)
    when: list[int] = field(default_factory=list)
    """Rounds played."""

    def add(self, bags: Iterable[Sequence[int]], right: int, game: int, when: int) -> None:
        self.sample_starts.append(len(self.option_starts))
        self.right.append(len(self.option_starts) + right)
        self.game.append(game)
        self.when.append(when)
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


def sample_games(rules: Game, games: Sequence[PlayedGame], seed: int) -> Samples:
    layout = rules.features
    assert layout is not None
    samples = Samples({}, Choices(layout.moves), Choices(layout.moves))
    for index, played in enumerate(games):
        rng = Rng(derive_seed(seed, "samples", index))
        _Sampling(rules, layout, played, index, samples, rng).run()
    return samples


class _Sampling:
    """Replays one game and takes samples on the way."""

    def __init__(
        self,
        rules: Game,
        layout: FeatureLayout,
        played: PlayedGame,
        index: int,
        samples: Samples,
        rng: Rng,
    ) -> None:
        self.layout = layout
        self.played = played
        self.index = index
        self.samples = samples
        self.rng = rng
        self.state = rules.new(played.players, record=bool(layout.moves))
        # Two seats see all others: the first sees everybody but itself, the second the first.
        self.observers: list[tuple[View, MoveBelief, set[int]]] = []
        self.positions = samples.positions.setdefault(played.players, TurnStarts())
        self.scratch: vec[i64] = vec[i64]([0] * MOST_MOVE_FEATURES)
        self.bags: dict[int, list[list[int]]] = {}
        if layout.moves:
            for observer in range(2):
                view = rules.view(observer, played.players)
                watched = {seat for seat in range(played.players) if (seat == 0) == (observer == 1)}
                self.observers.append((view, MoveBelief(view, layout, ()), watched - {observer}))

    def run(self) -> None:
        state, played = self.state, self.played
        won = [float(seat in played.winners) for seat in range(played.players)]
        room = self.layout.room(played.players)
        share = DECISIONS_PER_GAME / max(1, len(played.moves))
        turn = 0
        for move in played.moves:
            if state.actor >= 0:
                if state.turns > turn:
                    turn = state.turns
                    self.positions.inputs.append(state.features(room))
                    self.positions.won.append(won)
                    self.positions.game.append(self.index)
                    self.look()
                if self.layout.moves and state.count > 1 and self.chance(2 * share):
                    self.add_choice(move)
            state.play(move)
            self.follow()

    def chance(self, share: float) -> bool:
        return int(self.rng.below(1 << 20)) < int(share * (1 << 20))

    def add_choice(self, move: int) -> None:
        """A decision of a seat, and what it chose."""
        state = self.state
        role = state.role(state.actor)
        moves = state.moves()
        bags = [self.bag(state, each, role) for each in moves]
        rounds = state.turns // state.players
        self.samples.choices.add(bags, moves.index(move), self.index, rounds)

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
                    rounds = state.turns // state.players
                    role = state.role(seat)
                    self.samples.evidence.add(self.bags[seat], role, self.index, rounds)
