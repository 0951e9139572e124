"""Twin games: what one seat cannot tell apart must look the same to it, whatever the game.

From a moment in a real game a twin is drawn that the seat cannot tell from it. Both go on with
corresponding moves and luck. Until the seat may see something that differs on the two tables, which
a subclass reads off the tables themselves, it must get the same events, hold the same View, have
the same moves and be told them in the same words; anything else is a Leak.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar, cast

from games.registry import Game
from games.state import CHANCE, NOBODY, Rng, State
from games.view import EventTuple

S = TypeVar("S", bound=State)

News = list[list[EventTuple]]
"""By seat: the events of one ply."""
Referee = Callable[[News, int, int], list[EventTuple]]
"""News, who has acted, observer -> what the observer is told."""

LATEST = 80
"""Decisions of the real game before its twin is drawn, at most: late worlds take long to draw."""


class Leak(AssertionError):
    """A seat could tell twins apart by something it is not entitled to."""


def honest(news: News, _actor: int, observer: int) -> list[EventTuple]:
    return news[observer]


def telling(kind: int) -> Referee:
    """A broken referee: everybody gets the actor's own account of that kind of event."""

    def tell(news: News, actor: int, observer: int) -> list[EventTuple]:
        if actor == CHANCE:
            return news[observer]
        full = [event for event in news[actor] if event[0] == kind]
        return [full.pop(0) if event[0] == kind else event for event in news[observer]]

    return tell


class Twins(ABC, Generic[S]):
    """Two games that look the same to one seat, and what it is told of either."""

    def __init__(self, rules: Game, real: S, seat: int, seen: list[EventTuple], rng: Rng) -> None:
        self.rules = rules
        self.seat = seat
        self.views = [rules.view(seat, real.players) for _ in range(2)]
        for view in self.views:
            for event in seen:
                view.observe(event)
        self.games = [cast("S", real.copy()), cast("S", self.views[0].sample(rng))]
        for game in self.games:
            game.record()

    # ---- what a game must say -------------------------------------------------------------

    @abstractmethod
    def twin_move(self, move: int, dice: random.Random) -> int:
        """What corresponds to the move in the second game; need not be legal there."""

    @abstractmethod
    def about_to_differ(self, move: int, twin_move: int) -> bool:
        """Whether the move lets the seat see something that is not the same on both tables."""

    def entitled(self, _game: S) -> object:
        """What lies open to the seat, if what a move brought to light is seen only after it."""
        return None

    @classmethod
    def pick(cls, state: S, dice: random.Random) -> int:
        """A move or an outcome to go on with."""
        return dice.choice(state.moves())

    # ---- playing --------------------------------------------------------------------------

    def differ(self) -> bool:
        return self.games[0].key() != self.games[1].key()

    def play(self, move: int, referee: Referee, dice: random.Random) -> bool:
        """Play both on; False once what the seat may see differs. Raises Leak."""
        a, b = self.games
        actor = a.actor
        other = self.twin_move(move, dice)
        if other not in b.moves() or self.about_to_differ(move, other):
            return False
        a.play(move)
        b.play(other)
        if self.entitled(a) != self.entitled(b):
            return False
        if a.actor != b.actor:
            raise Leak(f"seat {a.actor} decides in one game and seat {b.actor} in the other")
        if a.actor == NOBODY:
            return False
        self.compare_news(referee, actor)
        if a.actor == self.seat:
            self.compare_moves()
        return True

    def compare_news(self, referee: Referee, actor: int) -> None:
        told: list[list[EventTuple]] = []
        for game, view in zip(self.games, self.views, strict=True):
            news = [game.take_events(seat) for seat in range(game.players)]
            told.append(referee(news, actor, self.seat))
            for event in told[-1]:
                view.observe(event)
        if told[0] != told[1]:
            raise Leak(f"{told[0]} is not {told[1]}")
        if self.views[0].key() != self.views[1].key():
            raise Leak("the views differ")

    def compare_moves(self) -> None:
        a, b = self.games
        view = self.views[1]
        if not a.moves() == b.moves() == view.moves:
            raise Leak("the moves differ")
        for move in a.moves():
            words = {self.rules.text.move(game, move) for game in self.games} | {view.text(move)}
            if len(words) > 1:
                raise Leak(f"the words differ: {words}")


def play_twins(kind: type[Twins[S]], rules: Game, seed: int, referee: Referee = honest) -> int:
    """One pair of twins: plies played while alike to the seat, yet different."""
    dice = random.Random(seed)
    rng = Rng(seed)
    players = dice.choice(rules.player_counts)
    state = cast("S", rules.new(players, record=True))
    seat = dice.randrange(players)
    seen: list[EventTuple] = []
    wait = dice.randrange(min(LATEST, rules.new(players).playout(Rng(seed))))
    while wait >= 0 and state.actor != NOBODY:
        if state.actor == CHANCE:
            state.sample_chance(rng)
            continue
        seen += state.take_events(seat)
        if wait:
            state.play(kind.pick(state, dice))
        wait -= 1
    if state.actor == NOBODY:
        return 0
    twins = kind(rules, state, seat, seen, rng)
    plies = 0
    a = twins.games[0]
    while a.actor != NOBODY and twins.play(kind.pick(a, dice), referee, dice):
        plies += twins.differ()
    return plies


def leaks(kind: type[Twins[S]], rules: Game, seeds: Iterable[int], referee: Referee) -> int:
    """How many of these twins such a referee lets the seat tell apart."""
    noticed = 0
    for seed in seeds:
        try:
            play_twins(kind, rules, seed, referee)
        except Leak:
            noticed += 1
    return noticed
