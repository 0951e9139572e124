"""Unknown hands are left out where nothing depends on them, and only there."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from games.engine import COMPILED
from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.positions.position import UNKNOWN, Position, Seat
from games.hidden_leaders.positions.worlds import PRYING, PosedTable, world_count, worlds
from games.hidden_leaders.rules.cards import CARD_NUMBER, HEROES, RETAIL
from games.hidden_leaders.text.cards import hero_sentence
from games.state import State
from solver import solve
from solver.answer import solve_hidden
from solver.core.budget import NodeBudget
from solver.core.question import MOST_WORLDS


def test_every_hero_that_looks_into_hands_or_harbor_is_known_to_pry() -> None:
    # The words "your hand" say nothing about others; Saber-Toothed Troll takes an open hero.
    for card, hero in enumerate(HEROES):
        said = hero_sentence(card).replace("your hand", "")
        assert (card in PRYING) == ("hand" in said or "harbor" in said), hero.name


def small(seed: int) -> Position:
    """A plays; B's hand and hidden hero are two of four cards."""
    dice = random.Random(seed)
    cards = dice.sample(sorted(set(RETAIL) - PRYING), 9)
    if seed % 3 == 0:
        cards[0] = dice.choice(sorted(PRYING))
    return Position(
        red=dice.randint(5, 9),
        green=dice.randint(5, 9),
        threshold=2,
        deck=tuple(sorted(cards)),
        tavern=(cards[4], -1, -1),
        seats=(
            Seat(dice.choice((0, 2, 4)), (cards[0], cards[1]), (cards[2],)),
            Seat(dice.choice((1, 3, 5)), (UNKNOWN,), (cards[3],), (UNKNOWN,)),
        ),
    )


@pytest.mark.slow
def test_the_answer_is_that_of_filling_in_every_hand() -> None:
    idle = telling = 0
    count = 60 if COMPILED else 8
    for seed in range(count):
        position = small(seed)
        solved = solve(PosedTable(position))
        full = worlds(position, MOST_WORLDS)
        assert len(full) == world_count(position) == 12
        assert len(solved.worlds) == (4 if solved.idle else 12)
        idle += solved.idle
        question = replace(solved.answer.question, watch=None)
        every = solve_hidden(question, list[State](full), NodeBudget())
        found = [(one.move, one.likely, one.sure) for one in solved.answer.values]
        assert found == [(one.move, one.likely, one.sure) for one in every.values], seed
        telling += len({one[1] for one in found}) > 1
        assert not (solved.idle and {*position.seats[0].hand} & PRYING)
    assert count > idle > count // 2
    assert telling


def test_the_last_turn_of_six_with_all_hands_unknown_is_exact() -> None:
    # The Frog makes Tribes win. A has four of them and five heroes. B has three and may have a
    # fourth face down: then it has as many with fewer heroes, and wins if it leads Tribes. One of
    # two leaders left does, and of the 67 cards not seen 13 count for Tribes, the Emperor included.
    position = read(
        "players 6; red 6; green 6; threshold 5; rest harbor; "
        "A leader Myrad hand ShSo UnMe FuFr open DeDr BlCo LoLo SpSh; "
        "B leader ? hand ?x3 open CuTr GrGu JoCh hidden ?; C leader ? hand ?x3; "
        "D leader Lemron hand ?x3; E leader Cyra hand ?x3; F leader Xiadul hand ?x3"
    )
    solved = solve(PosedTable(position))
    (best,) = solved.answer.best
    assert solved.idle
    assert len(solved.worlds) == 2 * 67
    assert best.move == CARD_NUMBER["Furious Frog"]
    assert best.likely[0] == best.likely[1] == 1 - Fraction(13, 2 * 67)
    assert solved.answer.exact
    assert "do not matter this turn" in solved.answer.sight


def test_a_hero_that_pries_makes_hands_count_again() -> None:
    position = read("A leader Cyra hand CuLo; B leader Myrad hand ?x3; threshold 1")
    assert not solve(PosedTable(position)).idle
