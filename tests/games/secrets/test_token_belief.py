"""The belief about tokens: exact where moves say nothing, and Bayes' rule where they do."""

from __future__ import annotations

from collections import Counter
from math import exp

import pytest

from games.registry import game
from games.secrets.constants import CENTRE, Event, Move, Phase, Token
from games.secrets.move_features import GIVE_TO, LOOKS_AT, MOVE_FEATURES, OFFERS_CARD, TAKES
from games.secrets.state import Secrets
from games.secrets.token_belief import SLIP, TokenBelief
from games.secrets.view import SecretsView
from games.state import CHANCE, NOBODY, Rng

RULES = game("secrets")
EVEN = [0.0] * MOVE_FEATURES


class Watched:
    """A game, and what one seat sees and believes of it."""

    def __init__(self, players: int, seed: int, weights: list[float], seat: int = 0) -> None:
        self.rng = Rng(seed)
        state = RULES.new(players, record=True)
        view = RULES.view(seat, players)
        assert isinstance(state, Secrets)
        assert isinstance(view, SecretsView)
        self.state, self.view = state, view
        self.belief = TokenBelief(view, weights, 1.0)
        self.look()

    def look(self) -> None:
        while self.state.actor == CHANCE:
            self.state.sample_chance(self.rng)
        for event in self.state.take_events(self.view.seat):
            self.view.observe(event)
            self.belief.observe(event)

    def play(self, move: int) -> None:
        self.state.play(move)
        self.look()

    def play_any(self) -> None:
        self.play(self.state.legal[self.rng.below(self.state.count)])

    def believed(self, seat: int) -> list[float]:
        return self.belief.role_weights()[seat * Token.COUNT : (seat + 1) * Token.COUNT]


def watched_at(phase: int, weights: list[float], players: int = 4, own: bool = False) -> Watched:
    """A game in which another seat, or seat A itself, is about to make such a choice."""
    for seed in range(1000):
        game = Watched(players, seed, weights)
        while game.state.actor != NOBODY:
            if game.state.phase == phase and (game.state.actor == 0) == own:
                return game
            game.play_any()
    raise AssertionError("no such decision")


@pytest.mark.parametrize("players", range(4, 9))
def test_moves_that_say_nothing_leave_the_exact_odds(players: int) -> None:
    for seed in range(3):
        game = Watched(players, seed, EVEN, seat=seed)
        while game.state.actor != NOBODY:
            for seat in range(players):
                assert game.believed(seat) == pytest.approx(game.view.odds(seat))
            game.play_any()


def policy_share(odds: float, count: int) -> float:
    """Of a move with these odds among `count` moves of odds 1."""
    return (1 - SLIP) * odds / (odds + count - 1) + SLIP / count


def test_an_answer_counts_by_bayes_rule() -> None:
    weights = list(EVEN)
    for pair in range(64):
        weights[TAKES + 64 + pair] = 2.0  # Hippies like to accept whatever it is
    game = watched_at(Phase.ANSWER, weights)
    actor = game.state.actor
    before = game.believed(actor)
    game.state.play(Move.ACCEPT)
    # Only as far as the choice: what comes to light afterwards counts as well.
    event = next(each for each in game.state.take_events(0) if each[1:] == (actor, Move.ACCEPT))
    game.view.observe(event)
    game.belief.observe(event)
    likely = policy_share(exp(2), 2)
    weighted = [before[0] * 0.5, before[1] * 0.5, before[2] * likely]
    expected = [each / sum(weighted) for each in weighted]
    assert game.believed(actor) == pytest.approx(expected)
    assert expected[Token.HIPPIE] > before[Token.HIPPIE]


def test_the_card_on_offer_is_the_one_that_such_a_seat_would_choose() -> None:
    weights = list(EVEN)
    for wants in range(2):
        for other in range(8):
            for card in range(4):  # everybody prefers to offer characters with low numbers
                weights[OFFERS_CARD + wants * 64 + card * 8 + other] = 3.0
    for seed in range(200):
        game = Watched(5, seed, weights)
        while game.state.actor != NOBODY and game.state.phase != Phase.ANSWER:
            game.play_any()
        one, two = game.state.one, game.state.two
        if game.state.player != 0 and (one < 4) != (two < 4) and two >= 0:
            break
    low, offered = min(one, two), Counter[int]()
    for i in range(400):
        world = game.view.sample(game.rng)
        game.belief.spread(world, (i + 0.5) / 400)
        offered[world.offered] += 1
        assert {world.offered, world.bottom_cards()[-1]} == {one, two}
    assert offered[low] / 400 == pytest.approx(policy_share(exp(3), 2), abs=0.01)


def test_worlds_are_spread_as_believed_and_agree_with_the_view() -> None:
    weights = [((feature * 37) % 11 - 5) / 5 for feature in range(MOVE_FEATURES)]
    game = Watched(6, 3, weights)
    for _ in range(40):
        game.play_any()
    found: Counter[tuple[int, int]] = Counter()
    allowed = game.view.token_weights()
    for i in range(1000):
        world = game.view.sample(game.rng)
        game.belief.spread(world, (i + 0.5) / 1000)
        places = [*range(6), CENTRE]
        assert sum(world.token(place) << (2 * place) for place in places) in allowed
        found.update((seat, world.token(seat)) for seat in range(6))
    for seat in range(6):
        for side, chance in enumerate(game.believed(seat)):
            assert found[seat, side] / 1000 == pytest.approx(chance, abs=0.02)


def test_an_unseen_swap_goes_the_way_the_policy_says() -> None:
    weights = [((feature * 29) % 13 - 6) / 4 for feature in range(MOVE_FEATURES)]
    game = watched_at(Phase.NEIGHBOUR, weights, players=5)
    cases = len(game.belief.chances)
    game.play(Move.LEFT)
    assert len(game.belief.chances) >= cases
    assert set(game.belief.chances) == set(game.view.token_weights())
    assert sum(game.belief.chances.values()) == pytest.approx(1)
    even = [
        weight / sum(game.view.token_weights().values())
        for weight in game.view.token_weights().values()
    ]
    assert sorted(game.belief.chances.values()) != pytest.approx(sorted(even))


def test_own_moves_say_nothing() -> None:
    weights = list(EVEN)
    weights[LOOKS_AT : LOOKS_AT + 8] = [5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    weights[GIVE_TO : GIVE_TO + 12] = [float(i) for i in range(12)]
    game = watched_at(Phase.GIVE, weights, own=True)
    before = [game.believed(seat) for seat in range(4)]
    game.state.play(Move.PLACE + 1)
    for event in game.state.take_events(0):
        if event[0] == Event.CHOSE:
            game.view.observe(event)
            game.belief.observe(event)
    assert [game.believed(seat) for seat in range(4)] == before


def test_a_belief_that_missed_events_starts_afresh() -> None:
    game = Watched(5, 1, EVEN)
    for _ in range(20):
        game.state.play(game.state.legal[game.rng.below(game.state.count)])
        while game.state.actor == CHANCE:
            game.state.sample_chance(game.rng)
        for event in game.state.take_events(0):
            game.view.observe(event)  # the belief is not told
    game.belief.spread(game.view.sample(game.rng), 0.5)
    assert set(game.belief.chances) == set(game.view.token_weights())
