"""Equilibria: known values, exact proofs, agreement with brute force, and what is refused."""

import random
from fractions import Fraction
from itertools import product

import pytest

from games.engine import COMPILED
from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.positions.worlds import seen_by
from games.hidden_leaders.rules.cards import CARD_NUMBER
from games.registry import game
from games.state import CHANCE, State
from solver import solve_for_equilibrium
from solver.core.budget import NodeBudget
from solver.core.question import BadQuestion, Question, deny, win
from solver.equilibrium.solve import Equilibrium, prove_bounds, solve_equilibrium
from solver.reference.brute_equilibrium import brute_equilibrium, matrix_game
from solver.reference.brute_force import brute_values
from solver.reference.equilibrium_cross_check import cross_check_equilibria, mixes
from tests.support.layered_game import Layers, LayerState
from tests.support.volume import IS_FULL, volume

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
COUNT = volume(10, 4)
NODES, WORLDS = (2000, 30) if COMPILED else (300, 8)
"""The pure engine is slower; `benchmarks/equilibrium_agreement.py` compares hundreds."""

MIXED = (
    "threshold 3; red 7; green 9; deck DoPr SaTr ArSk LoLo ShSo RoOr LeLi UnMe; "
    "A leader ? hand DoPr SaTr open ArSk LoLo hidden ?; B leader ? open ShSo RoOr"
)
"""Its value is no multiple of a world's probability, so pure plans do not reach it."""


def nothing(state: State, seat: int) -> int:
    """Nothing is seen at the start."""
    return 0


def first_choice(state: State, seat: int) -> int:
    """Seat 0 sees what was chosen before the start, seat 1 does not."""
    assert isinstance(state, LayerState)
    return state.path[0] if seat == 0 else -1


QUESTION = Question(0, win(0, "A"))


def pennies(odds: tuple[int, int] = (1, 0)) -> LayerState:
    """Both choose in secret. If both take 0, A wins; if both take 1, with these odds."""
    ends = dict.fromkeys(product((0, 1), repeat=3), 1)
    ends |= {(0, 0, 0): 0, (0, 0, 1): 0, (1, 1, 0): 0}
    hidden = (True, True, True)
    return LayerState(Layers(2, (0, 1, CHANCE), hidden, ((1, 1), (1, 1), odds), ends))


def solved(*worlds: State) -> Equilibrium:
    return solve_equilibrium(QUESTION, worlds, nothing, NodeBudget())


# ---- known values -----------------------------------------------------------------------------


# If pennies are uneven, B is indifferent if A takes 0 with p = (1 - p) / 2.
@pytest.mark.parametrize(("odds", "value"), [((1, 0), HALF), ((1, 1), THIRD)])
def test_pennies_are_mixed_in_proportion(odds: tuple[int, int], value: Fraction) -> None:
    found = solved(pennies(odds))
    (holding,) = found.holdings
    assert found.exact
    assert found.value == (value, value)
    assert found.mine.shares == found.theirs.shares == [[value, 1 - value]]
    assert [(one.share, one.value) for one in holding.moves] == [(value, value), (1 - value, value)]


def test_choosing_in_the_open_loses_at_pennies() -> None:
    rules = pennies().rules
    seen = Layers(2, rules.actors, (False, True, True), rules.weights, rules.ends)
    assert solved(LayerState(seen)).value == (Fraction(0), Fraction(0))


def test_who_sees_the_world_uses_it_and_who_does_not_must_guess() -> None:
    # Luck has chosen 0 or 1; A wins by naming it. B never has a choice.
    ends = {path: int(path[0] != path[1]) for path in product((0, 1), repeat=2)}
    rules = Layers(2, (CHANCE, 0), (True, True), ((1, 1), (1, 1)), ends)
    worlds = [LayerState(rules, (0,)), LayerState(rules, (1,))]
    knowing = solve_equilibrium(QUESTION, worlds, first_choice, NodeBudget())
    assert knowing.value == (Fraction(1), Fraction(1))
    assert [holding.worlds for holding in knowing.holdings] == [(0,), (1,)]
    shares = [[one.share for one in holding.moves] for holding in knowing.holdings]
    assert shares == [[1, 0], [0, 1]]
    guessing = solved(*worlds)
    assert guessing.value == (HALF, HALF)
    assert [holding.worlds for holding in guessing.holdings] == [(0, 1)]


def test_the_assassin_must_guess_what_was_hidden() -> None:
    # A has played Friendly Frogmage and hides a hero of Tribes, of Empire, or the Sage of Water.
    # B's only card is the Assassin: a hidden hero of the faction that B names is buried, any other
    # is turned up. Turned up, it is the second open hero, and with a third the game ends, markers
    # close together: Water wins, and with it A. If B passes, the Sage in A's hand does as much, but
    # not the Sage that was hidden. So each of the three is met by naming its faction alone (the
    # Sage by passing as well), and hiding each as often leaves B one guess in three.
    state = read(
        "threshold 3; red 6; green 6; deck FrFr SaSa WeWa BaMa AnAs; "
        "A leader Lemron hand SaSa WeWa BaMa open FrFr; B leader Xiadul hand AnAs; "
        "pending 48 -1 1 -1 -1 0 0 0 / 1944 74 1 -1 -1 0 0 0"
    ).state()
    question = Question(0, win(0, "A"), 3)
    found = solve_equilibrium(question, [state], seen_by, NodeBudget())
    (holding,) = found.holdings
    assert found.value == (1 - THIRD, 1 - THIRD)
    heroes = ("Battle Pet Master", "Well-Aged Warrior", "Saltwater Sage")
    assert {one.move for one in holding.moves} == {CARD_NUMBER[hero] for hero in heroes}
    assert [(one.share, one.value) for one in holding.moves] == [(THIRD, 1 - THIRD)] * 3


# ---- proofs -----------------------------------------------------------------------------------


def test_wrong_plans_still_prove_true_bounds() -> None:
    found = solved(pennies((1, 1)))
    low, high = prove_bounds(found.form, [[0.5, 0.5]], [[1.0, 0.0]])
    assert (low.bound, high.bound) == (Fraction(1, 4), Fraction(1))


def test_whatever_the_plans_the_value_lies_between_the_bounds() -> None:
    for seed in range(15):
        found = solved(LayerState(duel(seed)))
        dice = random.Random(seed)
        form = found.form
        plans = [
            [[dice.random() for _ in item.moves] for item in side.information_sets]
            for side in (form.mine, form.theirs)
        ]
        low, high = prove_bounds(form, *plans)
        assert low.bound <= found.value[0] <= found.value[1] <= high.bound
        for proof in (low, high):
            assert all(sum(shares) == 1 and min(shares) >= 0 for shares in proof.shares)


def test_where_fractions_are_too_long_the_answer_is_a_bound() -> None:
    many = 1_000_003
    found = solved(pennies((many, 1_000_000)))
    chance = Fraction(many, many + 1_000_000)
    value = chance / (1 + chance)
    assert not found.exact
    assert found.value[0] < value < found.value[1]
    assert found.value[1] - found.value[0] < Fraction(1, 10**9)


# ---- agreement --------------------------------------------------------------------------------


def duel(seed: int) -> Layers:
    """Two players, some luck, and about half of the choices concealed."""
    dice = random.Random(seed)
    depth = 6
    actors = (0, *(dice.choice((0, 1, 1, CHANCE)) for _ in range(depth - 1)))
    return Layers(
        2,
        actors,
        tuple(dice.random() < 0.6 for _ in actors),
        tuple((dice.randint(1, 3), dice.randint(1, 3)) for _ in actors),
        {path: dice.randint(-1, 1) for path in product((0, 1), repeat=depth)},
    )


@pytest.mark.slow
def test_on_random_trees_with_concealed_choices() -> None:
    mixed = 0
    for seed in range(24):
        world = LayerState(duel(seed))
        question = Question(0, (win(0, "A"), deny(1, "B"))[seed % 2])
        found = solve_equilibrium(question, [world], nothing, NodeBudget())
        assert found.exact, seed
        assert found.value[0] == brute_equilibrium(question, [world], nothing, 1000), seed
        mixed += mixes(found)
    assert mixed > 8


def test_on_random_trees_of_which_one_seat_knows_the_start() -> None:
    knowing = 0
    for seed in range(30):
        rules = duel(seed)
        if rules.actors[1] != 0:
            continue
        worlds = [LayerState(rules, (0,)), LayerState(rules, (1,))]
        values = []
        for sight in (nothing, first_choice):
            found = solve_equilibrium(QUESTION, worlds, sight, NodeBudget())
            values.append(brute_equilibrium(QUESTION, worlds, sight, 1000))
            assert found.value == (values[-1], values[-1]), seed
        assert values[0] <= values[1]
        knowing += values[0] < values[1]
    assert knowing


def test_with_nothing_concealed_it_is_the_value_against_a_coalition() -> None:
    for seed in range(15):
        rules = duel(seed)
        openly = Layers(2, rules.actors, (False,) * 6, rules.weights, rules.ends)
        world = LayerState(openly)
        best = max(brute_values(QUESTION, world).values())
        assert solved(world).value == (best, best), seed


@pytest.mark.slow
def test_on_random_endings_of_the_game() -> None:
    result = cross_check_equilibria(game("hidden-leaders"), 1, COUNT, NODES, WORLDS)
    assert result.disagreements == []
    assert result.cases == result.exact == COUNT
    if IS_FULL:
        assert result.between > COUNT // 3


@pytest.mark.slow
@pytest.mark.compiled
def test_on_an_ending_that_takes_a_mixed_plan() -> None:
    balanced = solve_for_equilibrium(MIXED)
    found, worlds = balanced.equilibrium, list[State](balanced.worlds)
    assert found.exact
    assert (found.value[0] * len(worlds)).denominator > 1
    assert found.value[0] == brute_equilibrium(found.form.question, worlds, seen_by, 50_000)


def test_brute_force_solves_matrix_games() -> None:
    for seed in range(100):
        dice = random.Random(seed)
        rows, columns = range(dice.randint(1, 6)), range(dice.randint(1, 6))
        payoffs = [
            [Fraction(dice.randint(0, 4), dice.randint(4, 7)) for _ in columns] for _ in rows
        ]
        value, mine, theirs = matrix_game(payoffs)
        assert sum(mine) == sum(theirs) == 1
        assert min(*mine, *theirs) >= 0
        assert value == min(sum(mine[i] * payoffs[i][j] for i in rows) for j in columns)
        assert value == max(sum(theirs[j] * payoffs[i][j] for j in columns) for i in rows)


# ---- who knows what ---------------------------------------------------------------------------


def test_a_seat_sees_its_own_unknown_cards_and_open_ones_and_no_others() -> None:
    position = (
        "threshold 3; deck DoPr SaTr CuTr BoGo RoOr ArSk KeKo; wilderness ?; "
        "A leader Cyra hand DoPr hidden ?; B leader Myrad open RoOr hidden ?"
    )
    balanced = solve_for_equilibrium(position)
    # Five cards are left for three places: each of A's five cards is one holding.
    assert len(balanced.worlds) == 60
    assert [len(one.worlds) for one in balanced.equilibrium.holdings] == [12] * 5


# ---- what is refused --------------------------------------------------------------------------


def test_what_cannot_be_solved_is_refused() -> None:
    three = LayerState(Layers(3, (0,), (True,), ((1, 1),), {(0,): 0, (1,): 0}))
    with pytest.raises(BadQuestion, match="for two players, not 3"):
        solved(three)
    with pytest.raises(BadQuestion, match="whole ending to be searched, but the limit of 5 pos"):
        solve_equilibrium(QUESTION, [pennies()], nothing, NodeBudget(5))


def test_worlds_with_different_moves_must_look_different() -> None:
    worlds = [
        read(f"A leader Cyra hand {card}; B leader Myrad").state() for card in ("CrCa", "KeKo")
    ]
    with pytest.raises(BadQuestion, match="tell apart worlds in which its moves differ"):
        solve_equilibrium(Question(0, win(0, "A"), 1), worlds, nothing, NodeBudget())
