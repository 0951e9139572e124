"""Invariants of Secrets catch faults, chance is fair, options and words are checked."""

from __future__ import annotations

import pytest

from games.engine import COMPILED
from games.errors import GameError, IllegalMove, UnknownCard
from games.registry import game
from games.secrets.constants import Phase
from games.secrets.invariants import invariants
from games.secrets.moves import find_character
from games.secrets.state import Secrets, new_game
from games.secrets.table import BAG, SHOT, SIZE, TOKENS
from games.state import CHANCE, Rng

RULES = game("secrets")
GAMES = 200 if COMPILED else 6
COUNTS = pytest.mark.parametrize("players", range(4, 9))


def test_invariants_catch_what_is_wrong() -> None:
    state = new_game(5)
    rng = Rng(3)
    while state.turns < 6 or state.phase != Phase.CHOOSE:
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.legal[rng.below(state.count)])
    assert invariants(state) == []
    for at in (TOKENS, SIZE + 1, SHOT + 2, BAG):
        broken = state.copy()
        broken.m[at] += 1
        assert invariants(broken), at
    broken = state.copy()
    broken.un = 0 if state.un else 1
    assert invariants(broken)


@COUNTS
def test_chance_weighs_outcomes_by_what_is_left(players: int) -> None:
    state = new_game(players, first=0)
    rng = Rng(players)
    while state.actor == CHANCE:
        assert sum(state.weights()) in (players + 1 - state.dealt, state.bag)
        state.sample_chance(rng)


def test_chance_is_fair() -> None:
    """The first card is a Scientist in 6 of 29 games, within four standard deviations."""
    rng = Rng(5)
    games = 3000
    scientists = 0
    for _ in range(games):
        state = new_game(4)
        while state.bag == 29:
            state.sample_chance(rng)
        scientists += state.one == find_character("Scientist")
    share = 6 / 29
    assert abs(scientists - games * share) < 4 * (games * share * (1 - share)) ** 0.5


@pytest.mark.parametrize(
    ("players", "options", "complaint"),
    [
        (3, {}, "4 to 8 players, not 3"),
        (9, {}, "4 to 8 players, not 9"),
        (4, {"frist": 1}, "no option 'frist'.*did you mean 'first'"),
        (4, {"first": 4}, "from 0 to 3, not 4"),
        (4, {"first": "me"}, "from 0 to 3, not 'me'"),
    ],
)
def test_bad_options_get_one_sentence(
    players: int, options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(GameError, match=complaint):
        RULES.new(players, **options)
    with pytest.raises(GameError, match=complaint):
        RULES.view(0, players, **options)


def test_unknown_and_ambiguous_words_are_explained() -> None:
    state = new_game(4, first=0)
    rng = Rng(1)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    with pytest.raises(IllegalMove, match="could mean"):
        RULES.text.parse(state, "offer")
    with pytest.raises(IllegalMove, match="not a legal move"):
        RULES.text.parse(state, "resign")
    with pytest.raises(UnknownCard, match="did you mean 'Scientist'"):
        find_character("Sientist")
    with pytest.raises(UnknownCard, match="could be 'Double Agent' or"):
        find_character("D")


def test_the_board_of_a_seat_hides_what_it_may_not_see() -> None:
    state = new_game(4, first=0)
    rng = Rng(2)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    state.play(state.moves()[0])
    assert isinstance(state, Secrets)
    for word in ("CIA", "KGB", "on offer"):
        assert word in RULES.text.draw(state, None)
        assert word not in RULES.text.draw(state, 2)
    assert "on offer" in RULES.text.draw(state, 0)


def test_the_guide_describes_characters_and_explains_the_outcome() -> None:
    assert RULES.help.describe("offer Scientist").startswith("Scientist, +5\nS22")
    assert "S16" in RULES.help.describe("double")
    assert RULES.help.hint("offer Detective").startswith("-2. ")
    state = RULES.new(6)
    state.playout(Rng(4))
    assert "F, " in RULES.help.outcome(state)
    assert RULES.verdict(state) in ("CIA", "KGB", "Hippie", "")
