"""Small games by options: fewer heroes dealt, variants by name, and their exact values."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest

from arena.lab.exploitability import exploitability
from bots import Bot
from games.conformance import check_game
from games.errors import BadPosition, GameError
from games.hidden_leaders.game import GAME
from games.hidden_leaders.invariants import invariants_with_deck
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.variants import VARIANTS
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View
from solver import BadQuestion, solve_whole_game


def dealt(**options: object) -> HiddenLeaders:
    """A game of two at its first decision."""
    state = GAME.new(2, **options)
    rng = Rng(3)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    assert isinstance(state, HiddenLeaders)
    return state


@pytest.mark.parametrize(
    ("count", "choices"), [(1, []), (2, ["hide"] * 2), (3, ["hide", "discard"] * 2)]
)
def test_each_seat_hides_and_discards_as_long_as_it_keeps_a_hero(
    count: int, choices: list[str]
) -> None:
    state = dealt(dealt=count, first=0)
    assert [state.size(Zone.HAND + seat) for seat in range(2)] == [count, count]
    seen = []
    while (words := GAME.text.move(state, state.moves()[0])).split()[0] in ("hide", "discard"):
        seen.append(words.split()[0])
        state.play(state.moves()[0])
    assert seen == choices
    assert [state.size(Zone.HAND + seat) for seat in range(2)] == [1, 1]
    assert state.actor == 0


def test_a_small_deck_is_dealt_before_the_tavern_is_filled() -> None:
    for variant, tavern in (("tiny", 1), ("tiny-hidden", 0)):
        state = dealt(variant=variant)
        assert state.size(Zone.TAVERN) == tavern
        assert state.size(Zone.HARBOR) == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_keep_the_contract(variant: str) -> None:
    start = GAME.new(2, variant=variant)
    assert isinstance(start, HiddenLeaders)
    counts = check_game(
        lambda: GAME.new(2, variant=variant),
        games=20,
        invariants=partial(_invariants, tuple(sorted(start.cards(Zone.HARBOR)))),
        check_events=GAME.analysis.check_events,
        move_text=GAME.text.move,
        parse_move=GAME.text.parse,
    )
    assert counts.games == 20


def _invariants(deck: tuple[int, ...], state: State) -> list[str]:
    assert isinstance(state, HiddenLeaders)
    return invariants_with_deck(state, deck)


def test_a_position_of_setup_knows_how_many_were_dealt() -> None:
    state = dealt(variant="tiny-hidden")
    text = GAME.positions.write(state)
    (again,) = GAME.positions.read(text).worlds(1)
    assert again.key() == state.key()
    with pytest.raises(BadPosition, match="has dealt 2, which only setup can have"):
        GAME.positions.read("pending 40 -1 1 -1 -1 0 0 2")


def test_options_beside_a_variant_count_more() -> None:
    assert dealt(variant="tiny", rounds=3).turn_limit == 6
    assert dealt(variant="tiny").turn_limit == 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_view_of_a_variant_samples_worlds_of_it(variant: str) -> None:
    state = GAME.new(2, record=True, variant=variant)
    views = [GAME.view(seat, 2, variant=variant) for seat in range(2)]
    rng = Rng(5)
    while state.actor != NOBODY:
        for view in views:
            for event in state.take_events(view.seat):
                view.observe(event)
        if state.actor == CHANCE:
            state.sample_chance(rng)
            continue
        world = views[state.actor].sample(rng)
        assert world.moves() == state.moves()
        assert world.turns == state.turns
        state.play(rng.choice(state.moves()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "value"),
    [
        ("tiny", Fraction(1, 12)),
        pytest.param("tiny-hidden", Fraction(-1, 15), marks=pytest.mark.compiled),
        pytest.param("tiny-long", Fraction(17, 90), marks=pytest.mark.compiled),
    ],
)
def test_the_values_are_those_of_the_page(variant: str, value: Fraction) -> None:
    """docs/learning.md; CFR+ of OpenSpiel finds them too (tests/arena/adapters)."""
    whole = solve_whole_game(variant=variant)
    assert whole.value == (value, value)
    assert whole.mixed() > 0


@pytest.mark.slow
@pytest.mark.compiled
def test_search_is_nearer_to_the_equilibrium_than_random_play() -> None:
    searched = exploitability("ismcts:iterations=50", asked=4, variant="tiny")
    assert 0 <= searched < exploitability("random", asked=4, variant="tiny")


class Illegal(Bot):
    """Plays a move that no seat has."""

    def choose(self, _view: View) -> int:
        return 777


def test_wrong_questions_about_whole_games_get_a_sentence() -> None:
    with pytest.raises(GameError, match="Illegal played 777, which is not legal here; legal are"):
        exploitability(Illegal, variant="tiny")
    with pytest.raises(GameError, match="asked must be a whole number from 1, not 0"):
        exploitability("random", asked=0, variant="tiny")
    with pytest.raises(BadQuestion, match="equilibria are for two players; leave out players"):
        solve_whole_game(variant="tiny", players=3)


def test_bad_input_gets_a_sentence() -> None:
    cases: list[tuple[str, int, dict[str, object]]] = [
        ("there is no variant 'tinny' .*did you mean 'tiny'", 2, {"variant": "tinny"}),
        ("there is no variant '3'", 2, {"variant": 3}),
        ("dealt must be a whole number from 0 to 5, not 6", 2, {"dealt": 6}),
        ("3 heroes are too few to deal 1 to each of 4 players", 4, {"variant": "tiny"}),
    ]
    for problem, players, options in cases:
        with pytest.raises(GameError, match=problem):
            GAME.new(players, **options)
    with pytest.raises(BadQuestion, match="equilibria are for two players, and Secrets is for"):
        solve_whole_game("secrets")
    with pytest.raises(BadQuestion, match="needs the whole ending to be searched"):
        solve_whole_game(variant="tiny-long", nodes=1000)
