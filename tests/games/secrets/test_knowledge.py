"""What a seat knows in Secrets (S26, S38 to S40, Q1 to Q16), compared with brute force."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import pytest

from games.engine import COMPILED
from games.secrets.constants import CENTRE, CHARACTER_NAMES, Character, Event, Token
from games.secrets.state import Secrets, new_game
from games.secrets.table import BOTTOM, FACELESS
from games.secrets.view import BITS, SecretsView, arrangements
from games.state import CHANCE, NOBODY, UNSEEN, Rng
from tests.support.frequencies import check_frequencies
from tests.support.histories import Histories, Player, follow
from tests.support.secrets_table import given

FOUR = "CIA KGB Hippie CIA"
REST = ["Diplomat", "Journalist", "Assassin"]
SAMPLES = 20_000 if COMPILED else 1500
FULL_GAMES = {4: 12, 5: 6, 6: 3, 7: 2, 8: 2} if COMPILED else {4: 2, 5: 1}


def certain(*sides: int) -> list[float]:
    return [1.0 if side in sides else 0.0 for side in range(3)]


# ---- by situation -----------------------------------------------------------------------------


def test_q1_before_looking_nobody_knows_any_token() -> None:
    view = SecretsView(0, 4)
    assert view.side == UNSEEN
    assert view.odds(2) == view.odds(CENTRE) == [0.4, 0.4, 0.2]


@pytest.mark.parametrize(("players", "ways"), [(4, 30), (5, 90), (6, 140), (7, 560), (8, 630)])
def test_every_arrangement_of_tokens_is_considered(players: int, ways: int) -> None:
    assert len(set(arrangements(players))) == len(arrangements(players)) == ways


def test_s26_knowledge_follows_the_tokens() -> None:
    game = given(FOUR, "KGB", ["Detective", "Scientist", "Psychiatrist", "Double Agent", *REST])
    game.offer("Detective", "B", "accept", "look at C")
    assert game.view(1).tokens[2] == Token.HIPPIE
    game.offer("Psychiatrist", "A", "accept", "swap C and D")
    assert game.view(1).tokens == [UNSEEN, UNSEEN, UNSEEN, Token.HIPPIE]
    assert game.view(0).tokens == [UNSEEN] * 4


def test_s39_after_a_diplomat_the_others_have_two_cases() -> None:
    game = given(FOUR, "KGB", ["Diplomat", "Scientist", "Double Agent", "Assassin"])
    game.offer("Diplomat", "B", "accept")
    assert [game.view(seat).centre for seat in range(4)] == [Token.KGB] * 4
    game.play("swap left")
    assert game.view(1).tokens[2] == Token.KGB
    for seat in (0, 2, 3):
        view = game.view(seat)
        assert view.tokens == [UNSEEN] * 4
        for _ in range(20):
            world = view.sample(Rng(seat))
            assert Token.KGB in (world.token(0), world.token(2))
        assert view.odds(0)[Token.KGB] == pytest.approx(0.5 + 0.5 / 4)


def test_s40_a_player_may_not_know_its_own_side_and_plays_on() -> None:
    game = given(FOUR, "KGB", ["Journalist", "Scientist", "Double Agent", "Assassin"])
    game.offer("Journalist", "C", "accept")
    assert game.view(2).side == UNSEEN
    assert game.view(0).tokens[2] == Token.HIPPIE
    game.offer("Assassin", "C", "accept", "Bullet 0")
    view = game.view(2)
    assert view.moves
    assert view.imagine().heuristic(2) == 0.0
    assert view.sample(Rng(1)).moves() == view.moves


def test_q4_the_card_on_offer_is_one_of_two_to_the_others() -> None:
    game = given(FOUR, "KGB", ["Detective", "Scientist", *REST])
    game.offer("Detective", "B")
    assert game.view(0).offered == CHARACTER_NAMES.index("Detective")
    view = game.view(1)
    assert view.offered == UNSEEN
    rng = Rng(1)
    drawn = Counter(view.sample(rng).offered for _ in range(200))
    assert set(drawn) == {CHARACTER_NAMES.index("Detective"), CHARACTER_NAMES.index("Scientist")}
    assert min(drawn.values()) > 60
    assert view.imagine().offered == Character.BLANK


def test_q5_the_card_put_back_is_known_once_the_other_lies_open() -> None:
    game = given(FOUR, "KGB", ["Journalist", "Scientist", *REST])
    game.play("offer Journalist")
    scientist = CHARACTER_NAMES.index("Scientist")
    assert game.view(0).bottom[-1] == scientist
    assert game.view(3).bottom[-1] == UNSEEN
    game.play("to B", "say nothing", "accept")
    rest = [CHARACTER_NAMES.index(name) for name in ("Assassin", "Scientist")]
    assert [game.view(seat).bottom for seat in range(4)] == [rest] * 4


def test_q14_a_bullet_is_one_of_those_left_to_all_but_the_giver() -> None:
    game = given(FOUR, "KGB", ["Assassin", "Scientist", "Double Agent", "Politician"])
    game.offer("Assassin", "B", "accept", "Bullet -2", "give to D")
    assert game.view(1).bullets(3) == [-2]
    view = game.view(3)
    assert view.bullets(3) == [1]
    rng = Rng(2)
    drawn = Counter(str(SecretsView.bullets(seen(view.sample(rng)), 3)) for _ in range(400))
    assert set(drawn) == {"[0]", "[-1]", "[-2]", "[-3]"}
    assert min(drawn.values()) > 60


def seen(world: Secrets) -> SecretsView:
    """The world as a View, to read it by the same words."""
    view = SecretsView(0, world.players)
    view._board = world
    assert all(world.m[FACELESS + seat] == 0 for seat in range(world.players))
    return view


def test_q15_cards_put_back_come_in_their_order_when_the_others_are_used_up() -> None:
    game = given(FOUR, "KGB", ["Journalist", "Scientist", *REST])
    assert game.view(2).unturned == [0] * 8
    assert game.view(2).bottom == [CHARACTER_NAMES.index(name) for name in REST]
    state = new_game(4, first=0)
    rng = Rng(3)
    while state.bag:
        if state.actor == CHANCE:
            state.sample_chance(rng)
        elif state.phase == 7:
            state.play(state.moves()[0])
        else:
            state.play(state.legal[rng.below(state.count)])
        if state.actor == NOBODY:
            return
    assert state.m[BOTTOM] >= 0


def test_q16_at_the_end_everything_is_known() -> None:
    for seed in range(5):
        state, views = watched(5, seed)
        for view in views:
            assert view.sample(Rng(seed)).key() == state.key()
            assert view.actor == NOBODY


def watched(players: int, seed: int) -> tuple[Secrets, list[SecretsView]]:
    """A whole random game and what every seat made of it."""
    state = new_game(players, record=True)
    views = [SecretsView(seat, players) for seat in range(players)]
    rng = Rng(seed)
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.legal[rng.below(state.count)])
        for view in views:
            for event in state.take_events(view.seat):
                view.observe(event)
    return state, views


def test_a_view_is_pickled_as_its_events() -> None:
    for view in watched(6, 3)[1]:
        again = pickle.loads(pickle.dumps(view))  # noqa: S301
        assert again.key() == view.key()


# ---- against brute force ----------------------------------------------------------------------


@dataclass(frozen=True)
class Start:
    players: int

    def state(self) -> Secrets:
        return new_game(self.players, first=0, record=True)


Moment = tuple[Secrets, SecretsView, Histories[Secrets]]


def moments(players: int, seed: int) -> Iterator[Moment]:
    """Every decision of a random game, with the View and the beliefs of one seat."""
    dice = random.Random(seed)
    observer = dice.randrange(players)
    player = Player(Start(players))
    view = SecretsView(observer, players)
    histories = Histories(Start(players), observer)
    rng = Rng(seed)

    def pick() -> int:
        state = player.state
        return (
            state.copy().sample_chance(rng) if state.actor == CHANCE else dice.choice(state.moves())
        )

    for state in follow(player, view, histories, pick):
        yield state, view, histories


def arrangement(world: Secrets) -> int:
    places = [*range(world.players), CENTRE]
    return sum(world.token(place) << (BITS * place) for place in places)


@pytest.mark.slow
@pytest.mark.parametrize("players", FULL_GAMES)
def test_s38_sampled_worlds_agree_and_tokens_have_exact_odds(players: int) -> None:
    rng = Rng(players)
    diplomats = 0
    for seed in range(FULL_GAMES[players]):
        for state, view, histories in moments(players, seed):
            worlds = histories.odds()
            assert state.key() in worlds
            for _ in range(3):
                assert view.sample(rng).key() in worlds
            truth: dict[int, Fraction] = {}
            for world, likely in histories.worlds.values():
                case = arrangement(world)
                truth[case] = truth.get(case, Fraction(0)) + likely
            total = sum(view._weight.values())
            assert {case: Fraction(w, total) for case, w in view._weight.items()} == truth
        diplomats += sum(event[0] == Event.SWAP and event[2] == UNSEEN for event in view._events)
    assert diplomats or not COMPILED


@pytest.mark.slow
def test_s38_every_world_has_its_exact_frequency() -> None:
    """Whole worlds, tokens and offer and Bullets together, by their shares in many draws."""
    checked = 0
    for seed in range(40):
        for _, view, histories in moments(4, seed):
            odds = histories.odds()
            offer = view.offered == UNSEEN and 4 <= view.board().phase <= 7
            if not offer or not any(view.board().m[FACELESS + seat] for seat in range(4)):
                continue
            rng = Rng(seed)
            check_frequencies(odds, Counter(view.sample(rng).key() for _ in range(SAMPLES)))
            checked += 1
            break
        if checked == 3:
            return
    raise AssertionError("no such moment came up")


@pytest.mark.slow
def test_certain_tokens_are_true_and_on_the_board() -> None:
    for seed in range(4):
        for state, view, histories in moments(4, seed):
            for place in [*range(4), CENTRE]:
                known = view.board().token(place)
                sides = {world.token(place) for world, _ in histories.worlds.values()}
                assert (known == UNSEEN) == (len(sides) > 1)
                if known != UNSEEN:
                    assert known == state.token(place)
                    assert view.odds(place) == certain(known)
