"""Seats that see only their own cards, with more worlds than can be gone through.

The values are compared with those of plans that were searched world by world.
"""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from bots.runtime.mid_game import bot_policy
from games.engine import COMPILED
from games.hidden_leaders.knowledge.unseen_parties import UnseenParties
from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.positions.position import Position
from games.hidden_leaders.positions.small_endings import secretive_position
from games.hidden_leaders.positions.worlds import PosedTable, world_count
from games.registry import game
from games.state import Rng
from solver.answer import solve_open
from solver.ask import Query, Solution, question_of, solve_query
from solver.core.budget import NodeBudget
from solver.core.question import BadQuestion, Others, Question, win
from solver.estimates import ESTIMATE_CONFIDENCE, divergence, margin, upper_mean
from solver.reference.cross_check import own_check
from solver.search.alpha_beta import ANYTHING, ONE, ZERO
from solver.search.blind_turn import BlindTurn, Chance, Worth
from tests.support.volume import volume

GAME = game("hidden-leaders")
MOST_WORLDS = 400
EXACT = Fraction(1, 10**9)

FUSION = {
    "a leader": "threshold 3; red 4; green 4; deck ShSo PiPi RoOr AcFi BoGo; "
    "A leader Pavyr hand RoOr open ShSo PiPi; B leader ? open AcFi BoGo",
    "two leaders": "threshold 3; red 4; green 4; deck ShSo PiPi RoOr AcFi BoGo; "
    "A leader Pavyr hand RoOr open ShSo PiPi; B leader ? open AcFi; C leader ? open BoGo",
    "both markers": "threshold 3; red 5; green 5; deck PiPi ShSo ArSk AcFi BoGo; "
    "A leader Pavyr hand ArSk open PiPi ShSo; B leader ? open AcFi BoGo",
    "hidden heroes": "threshold 5; red 4; green 4; harbor ?; "
    "deck ShSo FlKn PiPi WaWi RoOr AcFi BoGo UnMe GrGu ArSk; "
    "A leader Pavyr hand RoOr open ShSo FlKn PiPi WaWi; "
    "B leader Xiadul open AcFi hidden ?; C leader Lemron open BoGo hidden ?",
    "which hero to play": "red 6; green 8; limit 1; threshold 2; wilderness PoPr; "
    "deck SaTr PoPr DoPr CaCh AnPr SlSl TeOr; "
    "A leader Lemron hand SlSl TeOr open CaCh hidden DoPr; B leader ? hand ?",
}
"""A decides which of two factions wins, and the right one depends on what A does not know. By
position: what A can reach, and what it could if it saw everything."""
FUSED = {
    "a leader": ("3/5", "1"),
    "two leaders": ("3/5", "4/5"),
    "both markers": ("3/5", "1"),
    "hidden heroes": ("2/3", "5/6"),
    "which hero to play": ("3/5", "1"),
}


def both_ways(position: Position) -> tuple[Solution, Solution]:
    """The same question, world by world and without going through the worlds."""
    whole = Query(GAME, PosedTable(position), sight="own", most_worlds=MOST_WORLDS)
    by_world = solve_query(whole, NodeBudget(200_000), every_world=True)
    return by_world, solve_query(replace(whole, most_worlds=0), NodeBudget(20_000))


def best_value(solution: Solution) -> Fraction:
    return max(value.likely[0] for value in solution.answer.values)


@pytest.mark.slow
def test_values_are_those_of_plans_searched_world_by_world() -> None:
    result = own_check(GAME, 0, volume(40, 4))
    assert result.disagreements == []
    assert result.open <= result.cases // 10
    assert result.chancy > result.cases // 20 or not COMPILED


@pytest.mark.parametrize("name", FUSION)
def test_a_seat_cannot_choose_by_what_it_does_not_know(name: str) -> None:
    by_world, blind = both_ways(read(FUSION[name]))
    assert blind.exact
    assert [(value.likely, value.sure) for value in blind.answer.values] == [
        (value.likely, value.sure) for value in by_world.answer.values
    ]
    assert (str(best_value(blind)), str(fused(by_world))) == FUSED[name]


def test_a_card_that_is_shown_counts_by_its_faction_even_if_nobody_supports_it() -> None:
    """The Oracle moves the markers unless the card on the wilderness is Undead."""
    position = read(
        "threshold 2; red 9; green 9; deck TeOr FuFr ArSk RoOr ShSo BoGo AcFi; wilderness ?; "
        "harbor ?x2; A leader Cyra hand TeOr open FuFr; B leader Xiadul open BoGo hidden ?"
    )
    by_world, blind = both_ways(position)
    assert best_value(by_world) == Fraction(1, 2)
    assert [one.likely for one in blind.answer.values] == [
        one.likely for one in by_world.answer.values
    ]


LUCK = {
    "a card of another hand": "red 8; deck CuLo FuFr FlKn ShSo BoGo AcFi; "
    "A leader Pavyr hand CuLo open ShSo BoGo; B leader Lemron hand FuFr FlKn; "
    "C leader ? open AcFi",
    "cards of the harbor": "red 9; deck PeWh FlKn FuFr KeKo ShSo BoGo AcFi; rest harbor; "
    "A leader Pavyr hand PeWh open ShSo BoGo; B leader Lemron; C leader ? open AcFi",
    "which hero is buried": "red 8; deck GoGo ShSo BoGo AcFi RoOr; "
    "A leader Pavyr hand GoGo open ShSo BoGo; B leader Lemron; C leader ? open AcFi RoOr",
}
"""A needs luck if C supports the Empire, and none otherwise. By what decides: what A can reach."""
LUCKY = {
    "a card of another hand": "3/4",
    "cards of the harbor": "5/6",
    "which hero is buried": "3/4",
}


@pytest.mark.parametrize("name", LUCK)
def test_where_luck_decides_the_worst_world_lies_within_its_bounds(name: str) -> None:
    by_world, blind = both_ways(read(f"threshold 3; green 5; {LUCK[name]}"))
    best = best_value(blind)
    assert str(best) == LUCKY[name]
    for true, found in zip(by_world.answer.values, blind.answer.values, strict=True):
        assert found.likely == true.likely
        assert found.sure[0] <= true.sure[0] <= found.sure[1]
    assert 0 < max(true.sure[0] for true in by_world.answer.values) < best


@pytest.mark.parametrize("others", ["random", "bot:greedy", "selfish"])
def test_what_wins_against_a_coalition_wins_against_all_others(others: str) -> None:
    """Also with hands that nobody could go through, and later turns."""
    position = read(
        "threshold 2; red 6; A leader Xiadul hand ShSo FrFr open FlKn; "
        "B leader ? hand ?x3; C leader ? hand ?x3"
    )
    for horizon in ("1", "2"):
        asked = Query(
            GAME, PosedTable(position), sight="own", most_worlds=0, others=others, horizon=horizon
        )
        values = solve_query(asked, NodeBudget(20_000), bot_policy).answer.values
        table = PosedTable(position).draw(Rng(1))
        surest = [GAME.text.move(table, value.move) for value in values if value.likely[0] == 1]
        assert surest == ["play Short-Sighted Soldier", "play Friendly Frogmage"]


def fused(solution: Solution) -> Fraction:
    """What a solver would say that lets the seat see which world is true."""
    best = []
    for world in solution.worlds:
        question = question_of(solution.query, world)
        answer = solve_open(question, world, NodeBudget(), lines=False)
        best.append(max(value.likely[0] for value in answer.values))
    return sum(best, Fraction(0)) / len(best)


def any_plan(self: BlindTurn, worth: Worth) -> Chance:
    """A planted fault: as if the best of several plans could be picked world by world."""
    ends = {end for plan in worth.plans or () for end in plan}
    found = honest_bounds(self, worth)
    if not worth.plans or len(worth.plans) == 1:
        return found
    missed = 1.0
    for end in ends:
        missed *= 1.0 - self.odds(frozenset([end])).value
    return found._replace(low=1.0 - missed, high=1.0 - missed)


honest_bounds = BlindTurn.bounds


def sees_leaders(self: UnseenParties, harmless: tuple[int, ...]) -> float:
    """Another: as if a seat only had to win against some leaders of its rivals."""
    return 1.0 if honest_shares(self, harmless) > 0.0 else 0.0


honest_shares = UnseenParties._dealt_so


@pytest.mark.parametrize(
    ("part", "name", "fault", "fewest"),
    [(BlindTurn, "bounds", any_plan, 4), (UnseenParties, "_dealt_so", sees_leaders, 4)],
    ids=["plans are picked by world", "leaders are seen"],
)
def test_a_planted_strategy_fusion_is_caught(
    monkeypatch: pytest.MonkeyPatch, part: type, name: str, fault: object, fewest: int
) -> None:
    monkeypatch.setattr(part, name, fault)
    caught = 0
    for text in FUSION.values():
        by_world, blind = both_ways(read(text))
        caught += best_value(by_world) != best_value(blind)
    assert caught >= fewest


def test_more_worlds_than_allowed_are_no_reason_to_refuse() -> None:
    position = read("A leader Cyra hand CuLo; B leader Myrad hand ?x3; threshold 1")
    asked = Query(GAME, PosedTable(position), horizon="2")
    solved = solve_query(asked, NodeBudget(20_000))
    assert solved.blind
    assert not solved.exact
    assert "sampled worlds" in solved.answer.why
    assert solved.answer.confidence == ESTIMATE_CONFIDENCE
    assert all(value.estimate for value in solved.answer.values if value.likely == ANYTHING)
    assert any(value.likely == ANYTHING for value in solved.answer.values)


@pytest.mark.slow
def test_estimates_hold_the_true_value_within_two_turns() -> None:
    held = 0
    for seed in range(volume(20, 4)):
        position = secretive_position(random.Random(seed), 2 + seed % 3)
        if not 1 < world_count(position) <= 60:
            continue
        query = Query(GAME, PosedTable(position), horizon="2", most_worlds=60)
        true = solve_query(query, NodeBudget(100_000), every_world=True)
        if not true.exact:
            continue
        found = solve_query(replace(query, most_worlds=0), NodeBudget(30_000))
        for one, other in zip(true.answer.values, found.answer.values, strict=True):
            low, high = other.interval
            assert low - EXACT <= one.likely[0] <= high + EXACT, (seed, one, other)
            held += low > 0 or high < 1
    assert held


CONTESTED = (552, 611, 686)
"""Random positions in which another seat chooses, and random others do not choose the worst."""


@pytest.mark.parametrize("seed", CONTESTED)
def test_selfish_others_may_do_the_seat_a_favour(seed: int) -> None:
    """They choose by what they expect of the seat, which may reach more if it sees less."""
    position = secretive_position(random.Random(seed), 2 + seed % 3)
    query = Query(GAME, PosedTable(position), others="random", sight="own", most_worlds=60)
    by_chance = solve_query(query, NodeBudget(100_000), every_world=True)
    asked = replace(query, most_worlds=0, others="selfish")
    selfish = solve_query(asked, NodeBudget(1_000_000))
    for one, other in zip(by_chance.answer.values, selfish.answer.values, strict=True):
        assert other.interval[1] >= one.likely[0]


def test_the_search_is_about_one_turn_and_a_coalition() -> None:
    with pytest.raises(BadQuestion, match="one turn against a coalition"):
        BlindTurn(Question(0, win(0, "A"), 2), None, NodeBudget())  # type: ignore[arg-type]
    asked = Question(0, win(0, "A"), 1, Others.RANDOM)
    with pytest.raises(BadQuestion, match="one turn against a coalition"):
        BlindTurn(asked, None, NodeBudget())  # type: ignore[arg-type]


@pytest.mark.parametrize("true", [0.0, 0.02, 0.5, 0.97])
def test_upper_bounds_fail_no_more_often_than_stated(true: float) -> None:
    dice = random.Random(7)
    risk, tries, samples = 0.05, 400, 60
    failed = 0
    for _ in range(tries):
        mean = sum(dice.random() < true for _ in range(samples)) / samples
        failed += upper_mean(mean, samples, risk) < true
    assert failed <= risk * tries


def test_bounds_narrow_with_more_samples() -> None:
    assert upper_mean(0.0, 1000, 0.01) < upper_mean(0.0, 100, 0.01) < 0.05
    assert margin(20_000, 10) < margin(1000, 10) < margin(1000, 1000)
    assert divergence(0.5, 0.5) == 0


class Clock:
    """Every look takes a second."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return float(self.looks)


@pytest.mark.parametrize("seconds", [1.0, 4.0, 8.0])
def test_the_time_limit_holds_while_odds_are_computed(seconds: float) -> None:
    """Whatever is done when time is up is not finished."""
    position = PosedTable(read(FUSION["hidden heroes"]))
    clock = Clock()
    budget = NodeBudget(10**6, seconds=seconds, clock=clock)
    solution = solve_query(Query(GAME, position, sight="own", most_worlds=0), budget)
    assert solution.answer.why == f"the limit of {seconds:g} seconds was reached"
    assert clock.looks < seconds + 20
    assert all(value.likely[0] <= value.likely[1] for value in solution.answer.values)


def test_the_node_limit_holds_while_odds_are_computed() -> None:
    """As many positions as the search itself visits are not enough for the odds as well."""
    query = Query(GAME, PosedTable(read(FUSION["hidden heroes"])), sight="own", most_worlds=0)
    free = NodeBudget()
    assert solve_query(query, free, tick=free.check_time).exact
    budget = NodeBudget(int(free.nodes))
    solution = solve_query(query, budget)
    assert solution.answer.why == f"the limit of {free.nodes} positions was reached"
    assert not solution.exact
    assert budget.nodes == free.nodes
    assert solve_query(query, NodeBudget()).exact


@pytest.mark.parametrize("others", ["random", "bot:greedy"])
def test_where_nobody_else_chooses_the_value_is_the_same_against_all(others: str) -> None:
    exact = contested = 0
    for seed in [*range(volume(60, 12)), *CONTESTED]:
        position = secretive_position(random.Random(seed), 2 + seed % 3)
        if not 1 < world_count(position) <= 60:
            continue
        query = Query(GAME, PosedTable(position), others=others, sight="own", most_worlds=60)
        true = solve_query(query, NodeBudget(100_000), bot_policy, every_world=True)
        found = solve_query(replace(query, most_worlds=0), NodeBudget(30_000), bot_policy)
        for one, other in zip(true.answer.values, found.answer.values, strict=True):
            low, high = other.likely
            assert low - EXACT <= one.likely[0] <= high + EXACT, (seed, one, other)
            assert other.sure[0] - EXACT <= one.sure[0] <= other.sure[1] + EXACT, (seed, one, other)
            exact += low == high and 0 < low < 1
            contested += low < high
    assert exact
    assert contested


def test_moves_with_many_plans_are_valued_last() -> None:
    """The Witch may look at any two heroes first: 251 plans, whose odds take long."""
    position = read(
        "threshold 2; red 5; green 5; A leader Lemron hand WaWi LeLi open AiEe hidden KrKe FuFr; "
        "B leader ? open FlKn hidden ? ?; C leader ? hidden ? ?"
    )
    query = Query(GAME, PosedTable(position), sight="own", most_worlds=0)
    whole = NodeBudget()
    moves = list(solve_query(query, whole).moves)
    assert moves.index("play Watchful Witch") < moves.index("play Leery Lizard")
    cut = solve_query(query, NodeBudget(int(whole.nodes) - 1))
    assert cut.moves["play Watchful Witch"].likely == ANYTHING
    assert cut.moves["play Leery Lizard"].likely == (ONE, ONE)
    assert cut.moves["do nothing"].likely == (ZERO, ZERO)
