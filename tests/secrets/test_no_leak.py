"""A seat of Secrets learns nothing it is not entitled to: twin worlds look the same to it.

From a moment in a real game a twin is drawn that the seat cannot tell from it. Both go on with
corresponding moves and luck, secret choices of others going either way. Until the seat may see
something that differs on the two tables, which is read off the tables, it must get the same events,
hold the same View, have the same moves and be told them in the same words.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from games.engine import COMPILED
from games.secrets.state import Secrets, new_game
from games.secrets.text import move_text
from games.secrets.view import SecretsView
from games.secrets.words import (
    ACCEPT,
    CENTRE,
    DIPLOMAT,
    DOUBLE_AGENT,
    E_CHOSE,
    E_GIVEN,
    E_LOOK,
    INTERRUPT,
    JOURNALIST,
    P_ANSWER,
    P_BULLET,
    P_CHOOSE,
    P_LOOK,
    P_NEIGHBOUR,
    P_PASS_ON,
    P_UN,
    PLACE,
    REFUSE,
)
from games.state import CHANCE, NOBODY, Rng
from tests.secrets.table import Event

TWINS = 2000 if COMPILED else 80

News = list[list[Event]]
Referee = Callable[[News, int, int], list[Event]]
"""News by seat, who has acted, observer -> what the observer is told."""


class Leak(AssertionError):
    """A seat could tell twins apart by something it is not entitled to."""


def honest(news: News, actor: int, observer: int) -> list[Event]:
    return news[observer]


def telling(kind: int) -> Referee:
    """A broken referee: everybody gets the actor's own account of that kind of event."""

    def tell(news: News, actor: int, observer: int) -> list[Event]:
        if actor == CHANCE:
            return news[observer]
        full = [event for event in news[actor] if event[0] == kind]
        return [full.pop(0) if event[0] == kind else event for event in news[observer]]

    return tell


def about_to_differ(a: Secrets, b: Secrets, move: int, seat: int) -> bool:
    """Whether the move lets the seat see something that is not the same on both tables."""

    def differ(place: int) -> bool:
        return a.token(place) != b.token(place)

    if a.phase == P_LOOK:
        return a.taker == seat and differ(move - PLACE)
    if a.phase == P_PASS_ON:
        return a.taker == seat and differ(move - PLACE)
    if a.phase == P_BULLET:
        return a.taker == seat and a.pile != b.pile
    if move not in (ACCEPT, REFUSE, INTERRUPT) or a.phase not in (P_UN, P_ANSWER):
        return False
    if a.offered != b.offered:
        return True
    taker = a.un if move == INTERRUPT else a.target if move == ACCEPT else a.player
    if a.offered == DOUBLE_AGENT:
        return taker == seat and differ(CENTRE)
    if a.offered == JOURNALIST:
        return taker != seat and differ(taker)
    return a.offered == DIPLOMAT and differ(CENTRE)


class Twins:
    """Two games that look the same to one seat, and what it is told of either."""

    def __init__(self, a: Secrets, seat: int, seen: list[Event], rng: Rng) -> None:
        self.seat = seat
        self.views = [SecretsView(seat, a.players), SecretsView(seat, a.players)]
        for view in self.views:
            for event in seen:
                view.observe(event)
        self.games = [a.copy(), self.views[0].sample(rng)]
        for game in self.games:
            game.record()

    def differ(self) -> bool:
        return self.games[0].key() != self.games[1].key()

    def twin_move(self, move: int, dice: random.Random) -> int:
        """What corresponds to the move in the second game."""
        a, b = self.games
        secret = a.actor != self.seat and a.phase in (P_CHOOSE, P_NEIGHBOUR)
        bullet = a.phase == P_BULLET and move not in b.moves()
        return dice.choice(b.moves()) if secret or bullet else move

    def play(self, move: int, referee: Referee, dice: random.Random) -> bool:
        """Play both on; False once what the seat may see differs. Raises Leak."""
        a, b = self.games
        actor = a.actor
        if about_to_differ(a, b, move, self.seat):
            return False
        b.play(self.twin_move(move, dice))
        a.play(move)
        if NOBODY in (a.actor, b.actor):
            assert a.actor == b.actor
            return False
        told: list[list[Event]] = []
        for game, view in zip(self.games, self.views, strict=True):
            news = [game.take_events(seat) for seat in range(game.players)]
            told.append(referee(news, actor, self.seat))
            for event in told[-1]:
                view.observe(event)
        if told[0] != told[1]:
            raise Leak(f"{told[0]} is not {told[1]}")
        if self.views[0].key() != self.views[1].key():
            raise Leak("the views differ")
        if a.actor == self.seat:
            self.compare_moves()
        return True

    def compare_moves(self) -> None:
        a, b = self.games
        view = self.views[1]
        assert a.moves() == b.moves() == view.moves
        for move in a.moves():
            assert move_text(a, move) == move_text(b, move) == view.text(move)


def play_twins(seed: int, referee: Referee) -> int:
    """One pair of twins: plies played while alike to the seat, yet different."""
    dice = random.Random(seed)
    rng = Rng(seed)
    players = dice.choice([4, 5, 6, 7, 8])
    state = new_game(players, record=True)
    seat = dice.randrange(players)
    seen: list[Event] = []
    wait = dice.randrange(40)
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            state.roll(rng)
            continue
        seen += state.take_events(seat)
        if wait == 0:
            break
        wait -= 1
        state.play(dice.choice(state.moves()))
    if state.actor == NOBODY:
        return 0
    twins = Twins(state, seat, seen, rng)
    plies = 0
    a = twins.games[0]
    while a.actor != NOBODY:
        move = a.copy().roll(rng) if a.actor == CHANCE else dice.choice(a.moves())
        if not twins.play(move, referee, dice):
            break
        plies += twins.differ()
    return plies


@pytest.mark.parametrize("part", range(4))
def test_twins_look_the_same(part: int) -> None:
    alike = sum(play_twins(seed, honest) for seed in range(part, TWINS, 4))
    assert alike > TWINS


@pytest.mark.parametrize("kind", [E_CHOSE, E_GIVEN, E_LOOK])
def test_a_leak_is_noticed(kind: int) -> None:
    noticed = 0
    for seed in range(400):
        try:
            play_twins(seed, telling(kind))
        except Leak:
            noticed += 1
    assert noticed > 2
