"""Twin games: positions one seat cannot tell apart must look the same to it, in any game.

At some point of a real game we sample a twin: a world the seat cannot tell from the real one. Both
continue with corresponding moves and outcomes of chance. Until the seat is entitled to see a
difference between the two tables (a subclass decides that from the tables themselves), it must get
the same events, the same View, the same moves and the same move texts. Anything else is a Leak.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar, cast

from games.registry import Game
from games.replay import Replay
from games.state import CHANCE, NOBODY, Rng, State
from games.view import EventTuple

S = TypeVar("S", bound=State)

News = list[list[EventTuple]]
"""By seat: the events of one ply."""
Referee = Callable[[News, int, int], list[EventTuple]]
"""(news, actor, observer) -> the events the observer receives."""

LATEST = 80
"""Most decisions before the twin is sampled: late worlds take long to sample."""


class Leak(AssertionError):
    """A seat could tell twins apart by something it is not entitled to see."""


def honest(news: News, _actor: int, observer: int) -> list[EventTuple]:
    return news[observer]


def telling(kind: int) -> Referee:
    """A broken referee: every seat gets the actor's version of that kind of event."""

    def tell(news: News, actor: int, observer: int) -> list[EventTuple]:
        if actor == CHANCE:
            return news[observer]
        full = [event for event in news[actor] if event[0] == kind]
        return [full.pop(0) if event[0] == kind else event for event in news[observer]]

    return tell


class Twins(ABC, Generic[S]):
    """Two games that look the same to one seat, and its View of each."""

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
        self.played: list[tuple[int, int]] = []
        """The moves in both games so far."""

    # ---- for subclasses -------------------------------------------------------------------

    @abstractmethod
    def twin_move(self, move: int, dice: random.Random) -> int:
        """The corresponding move in the second game; it need not be legal there."""

    @abstractmethod
    def about_to_differ(self, move: int, twin_move: int) -> bool:
        """Whether the move lets the seat see a difference between the tables."""

    def entitled(self, _game: S) -> object:
        """What the seat may see after a move, where the move alone does not tell."""
        return None

    @classmethod
    def pick(cls, state: S, dice: random.Random) -> int:
        """The move or outcome of chance to continue with."""
        return dice.choice(state.moves())

    # ---- playing --------------------------------------------------------------------------

    def differ(self) -> bool:
        return self.games[0].key() != self.games[1].key()

    def play(self, move: int, referee: Referee, dice: random.Random) -> bool:
        """Play both games on; False once the seat may see a difference. Raises Leak."""
        a, b = self.games
        actor = a.actor
        other = self.twin_move(move, dice)
        if other not in b.moves() or self.about_to_differ(move, other):
            return False
        a.play(move)
        b.play(other)
        self.played.append((move, other))
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
        received: list[list[EventTuple]] = []
        for game, view in zip(self.games, self.views, strict=True):
            news = [game.take_events(seat) for seat in range(game.players)]
            received.append(referee(news, actor, self.seat))
            for event in received[-1]:
                view.observe(event)
        if received[0] != received[1]:
            raise Leak(f"{received[0]} is not {received[1]}")
        if self.views[0].key() != self.views[1].key():
            raise Leak("the views differ")

    def compare_moves(self) -> None:
        a, b = self.games
        view = self.views[1]
        if not a.moves() == b.moves() == view.moves:
            raise Leak("the moves differ")
        for move in a.moves():
            texts = {self.rules.text.move(game, move) for game in self.games} | {view.text(move)}
            if len(texts) > 1:
                raise Leak(f"the move texts differ: {texts}")


def play_twins(kind: type[Twins[S]], rules: Game, seed: int, referee: Referee = honest) -> int:
    """Play one pair of twins; returns the plies for which they differed but looked the same."""
    dice = random.Random(seed)
    twins = _twins(kind, rules, seed, dice)
    if twins is None:
        return 0
    plies = 0
    a = twins.games[0]
    while a.actor != NOBODY and twins.play(kind.pick(a, dice), referee, dice):
        plies += twins.differ()
    return plies


def twin_replays(kind: type[Twins[S]], rules: Game, seed: int) -> tuple[int, list[Replay]] | None:
    """A seat, and two games from other positions that look the same to it; None if too short."""
    dice = random.Random(seed)
    twins = _twins(kind, rules, seed, dice)
    if twins is None or not twins.differ() or rules.positions is None:
        return None
    starts = [rules.positions.write(game) for game in twins.games]
    a = twins.games[0]
    while a.actor != NOBODY and twins.play(kind.pick(a, dice), honest, dice):
        pass
    same = twins.played[:-1]  # the last move may have shown a difference
    replays = [
        Replay(rules.name, a.players, tuple(pair[k] for pair in same), position=starts[k])
        for k in range(2)
    ]
    # Who joins at a position knows what lies before it, which the seat may have lost track of.
    known = [replay.known_before(twins.seat) for replay in replays]
    return (twins.seat, replays) if same and known[0] == known[1] else None


def _twins(kind: type[Twins[S]], rules: Game, seed: int, dice: random.Random) -> Twins[S] | None:
    """Twins at a random moment of a random game; None if the game ended before."""
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
        return None
    return kind(rules, state, seat, seen, rng)


def leaks(kind: type[Twins[S]], rules: Game, seeds: Iterable[int], referee: Referee) -> int:
    """How many of these twins the seat can tell apart with that referee."""
    leaked = 0
    for seed in seeds:
        try:
            play_twins(kind, rules, seed, referee)
        except Leak:
            leaked += 1
    return leaked
