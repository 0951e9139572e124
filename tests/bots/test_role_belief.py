"""Belief: others' play speaks for the roles that gain by it, and worlds are drawn accordingly."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.match.referee import play_game
from bots.ismcts.role_belief import RoleBelief
from bots.ismcts.tree import Search
from bots.runtime.loading import load_bot
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import LEADERS
from games.hidden_leaders.rules.constants import LEADER_COUNT
from games.registry import game
from games.state import Rng
from tests.support.scenario import given, markers, player
from tests.support.views import follow, seen

RULES = game("hidden-leaders")


def credence_of_the_truth(bot: str, seed: int, sharpness: float) -> float:
    """How much seat A believes at the end in the true leader of B; 1/5 would be no opinion."""
    played = play_game(RULES, [load_bot(bot)] * 4, seed).replay
    state = played.new(record=True)
    view = RULES.view(0, 4)
    belief = RoleBelief(0, 4)
    before_the_end: list[float] = []
    for move in played.moves:
        for event in state.take_events(0):
            view.observe(event)
            belief.update(view)
        before_the_end = belief.prior(LEADER_COUNT, sharpness)
        state.play(move)
    own, others = state.role(0), before_the_end[LEADER_COUNT : 2 * LEADER_COUNT]
    others[own] = 0.0
    return others[state.role(1)] / sum(others)


def test_players_who_pursue_their_aims_give_themselves_away() -> None:
    found = [credence_of_the_truth("greedy", seed, 0.3) for seed in range(12)]
    assert sum(found) / len(found) > 0.3


def test_without_sharpness_there_is_no_opinion() -> None:
    assert credence_of_the_truth("greedy", 1, 0.0) == pytest.approx(0.2)


def test_a_marker_moved_speaks_for_those_who_gain() -> None:
    story = given(
        markers(4, 4),
        player(0, hand=["Keen Koi"], leader="Enned"),
        player(1, hand=["Short-Sighted Soldier", "Leery Lizard"], leader="Xiadul"),
        turn=1,
    )
    view = seen(story, 0)
    belief = RoleBelief(0, 2)
    belief.update(view)
    story.play("Short-Sighted Soldier")
    follow(view, story)
    belief.update(view)
    credence = belief.prior(LEADER_COUNT, 1.0)[LEADER_COUNT:]
    assert max(credence) == 1.0
    assert min(credence) < 1.0
    assert credence[story.state.leader(1)] == 1.0


def fresh(players: int) -> tuple[HiddenLeadersView, Rng]:
    """The first decision of a game as the seat sees it that has to make it."""
    state = RULES.new(players, record=True)
    rng = Rng(3)
    while state.actor < 0:
        state.sample_chance(rng)
    view = RULES.view(state.actor, players)
    for event in state.take_events(state.actor):
        view.observe(event)
    assert isinstance(view, HiddenLeadersView)
    return view, rng


def drawn_leaders(credence: list[float], draws: int) -> tuple[Counter[int], Search]:
    """Leaders of the seat after the own one, in worlds drawn with that credence."""
    view, rng = fresh(2)
    other = 1 - view.seat
    search = Search(view.seat, 2, view.sample(rng).move_limit)
    search.set_prior(LEADER_COUNT, [*credence, *credence])
    return Counter(search.determinize(view, rng).role(other) for _ in range(draws)), search


def test_worlds_are_drawn_as_credible_as_they_are() -> None:
    view, _ = fresh(2)
    left = [leader for leader in range(LEADER_COUNT) if leader != view.leader]
    credence = [0.0] * LEADER_COUNT
    credence[left[0]], credence[left[1]] = 1.0, 0.5
    found, search = drawn_leaders(credence, 3000)
    assert found[left[0]] / 3000 == pytest.approx(2 / 3, abs=0.06)
    assert found[left[1]] / 3000 == pytest.approx(1 / 3, abs=0.06)
    assert search.effective_share() == pytest.approx((1.5 / 5) ** 2 / (1.25 / 5), abs=0.05)


def test_without_a_leaning_every_world_counts() -> None:
    found, search = drawn_leaders([1.0] * LEADER_COUNT, 50)
    assert search.effective_share() == pytest.approx(1.0)
    assert sum(found.values()) == search.drawn == 50


def test_if_nothing_is_credible_worlds_are_drawn_all_the_same() -> None:
    found, _ = drawn_leaders([0.0] * LEADER_COUNT, 20)
    assert sum(found.values()) == 20


def test_the_bot_says_how_many_worlds_count() -> None:
    factories = [
        load_bot("ismcts:iterations=64,suspicion=0.5"),
        load_bot("greedy"),
        load_bot("greedy"),
    ]
    reasons = play_game(RULES, factories, 1).reasons
    assert any("of the worlds count" in reason for reason in reasons.values())


def test_belief_keeps_a_game_a_function_of_its_seed() -> None:
    factories = [
        load_bot("ismcts:iterations=64,suspicion=0.5"),
        load_bot("greedy"),
        load_bot("greedy"),
    ]
    assert play_game(RULES, factories, 4).replay == play_game(RULES, factories, 4).replay


def test_what_is_believed_goes_into_the_replay() -> None:
    factories = [load_bot("ismcts:iterations=16"), load_bot("greedy"), load_bot("greedy")]
    notes = play_game(RULES, factories, 4).replay.notes
    beliefs = [note.belief for note in notes.values() if note.belief]
    assert beliefs
    assert set(beliefs[-1]) <= {f"{seat} is {leader.name}" for seat in "BC" for leader in LEADERS}
    assert all(0.2 <= chance <= 1.0 for chance in beliefs[-1].values())


def test_without_suspicion_there_is_no_belief() -> None:
    factories = [
        load_bot("ismcts:iterations=16,suspicion=0"),
        load_bot("greedy"),
        load_bot("greedy"),
    ]
    assert not any(note.belief for note in play_game(RULES, factories, 4).replay.notes.values())
