"""RoleBelief: play is evidence for the roles that gain by it, and worlds are weighted by it."""

from __future__ import annotations

from collections import Counter

import pytest

from arena import play_game
from bots.ismcts.role_belief import RoleBelief
from bots.ismcts.tree import Search
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import LEADERS
from games.hidden_leaders.rules.constants import Limit
from games.registry import game
from games.state import Rng
from tests.support.scenario import given, markers, player
from tests.support.views import follow, seen

RULES = game("hidden-leaders")


def belief_in_the_truth(bot: str, seed: int, sharpness: float) -> float:
    """The probability seat A gives to B's true leader before the last move; 1/5 is no opinion."""
    played = play_game([bot] * 4, seed=seed).replay
    state = played.new(record=True)
    view = RULES.view(0, 4)
    belief = RoleBelief(0, 4)
    before_the_end: list[float] = []
    for move in played.moves:
        for event in state.take_events(0):
            view.observe(event)
            belief.update(view)
        before_the_end = belief.prior(Limit.LEADERS, sharpness)
        state.play(move)
    own, others = state.role(0), before_the_end[Limit.LEADERS : 2 * Limit.LEADERS]
    others[own] = 0.0
    return others[state.role(1)] / sum(others)


@pytest.mark.slow
@pytest.mark.compiled
def test_bots_that_pursue_their_aims_reveal_their_leader() -> None:
    beliefs = [belief_in_the_truth("greedy", seed, 0.3) for seed in range(12)]
    assert sum(beliefs) / len(beliefs) > 0.3


def test_without_sharpness_there_is_no_opinion() -> None:
    assert belief_in_the_truth("greedy", 1, 0.0) == pytest.approx(0.2)


def test_moving_a_marker_is_evidence_for_the_leaders_that_gain() -> None:
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
    prior = belief.prior(Limit.LEADERS, 1.0)[Limit.LEADERS :]
    assert max(prior) == 1.0
    assert min(prior) < 1.0
    assert prior[story.state.leader(1)] == 1.0


def fresh() -> tuple[HiddenLeadersView, Rng]:
    """The View of the seat that makes the first decision of a game of two."""
    state = RULES.new(2, record=True)
    rng = Rng(3)
    while state.actor < 0:
        state.sample_chance(rng)
    view = RULES.view(state.actor, 2)
    for event in state.take_events(state.actor):
        view.observe(event)
    assert isinstance(view, HiddenLeadersView)
    return view, rng


def drawn_leaders(prior: list[float], draws: int) -> tuple[Counter[int], Search]:
    """Leaders of the other seat, in worlds drawn with that prior."""
    view, rng = fresh()
    other = 1 - view.seat
    search = Search(view.seat, 2, view.sample(rng).move_limit)
    search.set_prior(Limit.LEADERS, [*prior, *prior])
    return Counter(search.determinize(view, rng).role(other) for _ in range(draws)), search


def test_worlds_are_drawn_in_proportion_to_their_weight() -> None:
    view, _ = fresh()
    left = [leader for leader in range(Limit.LEADERS) if leader != view.leader]
    prior = [0.0] * Limit.LEADERS
    prior[left[0]], prior[left[1]] = 1.0, 0.5
    leaders, search = drawn_leaders(prior, 3000)
    assert leaders[left[0]] / 3000 == pytest.approx(2 / 3, abs=0.06)
    assert leaders[left[1]] / 3000 == pytest.approx(1 / 3, abs=0.06)
    assert search.effective_share() == pytest.approx((1.5 / 5) ** 2 / (1.25 / 5), abs=0.05)


@pytest.mark.parametrize("likelihood", [0.0, 1.0])
def test_worlds_are_drawn_whatever_a_uniform_prior(likelihood: float) -> None:
    leaders, search = drawn_leaders([likelihood] * Limit.LEADERS, 50)
    assert leaders.total() == 50
    if likelihood:
        assert search.drawn == 50
        assert search.effective_share() == pytest.approx(1.0)


def test_the_replay_holds_the_belief_and_is_deterministic() -> None:
    bots = ["ismcts:iterations=16,suspicion=0.5", "greedy", "greedy"]
    played = play_game(bots, seed=4)
    assert any("of the worlds count" in reason for reason in played.reasons.values())
    assert played.replay == play_game(bots, seed=4).replay
    for belief in [note.belief for note in played.replay.notes.values() if note.belief]:
        assert set(belief) == {"B", "C"}
        for roles in belief.values():
            assert isinstance(roles, dict)
            assert set(roles) <= {leader.name for leader in LEADERS}
            assert sum(roles.values()) == pytest.approx(1, abs=0.001)


def test_a_belief_excludes_what_the_cards_rule_out() -> None:
    """Leaders differ, so nobody else has its own; in a game of two the rest is open at first."""
    played = play_game(["ismcts:iterations=60,suspicion=0.5", "random"], seed=4)
    own = LEADERS[played.replay.state().role(0)].name
    beliefs = [note.belief["B"] for note in played.replay.notes.values() if note.belief]
    assert all(isinstance(roles, dict) and own not in roles for roles in beliefs)
    first = beliefs[0]
    assert isinstance(first, dict)
    assert len(first) == Limit.LEADERS - 1


@pytest.mark.compiled
def test_candidates_are_legal_and_the_most_visited_was_played() -> None:
    for name in ("ismcts:iterations=40", "ismcts:iterations=40,searches=2"):
        replay = play_game([name, "greedy"], seed=2).replay
        state, seen = replay.new(), 0
        for ply, move in enumerate(replay.moves):
            if state.actor == 0 and (note := replay.notes.get(ply)):
                seen += 1
                moves = [candidate.move for candidate in note.candidates]
                assert move == moves[0]
                assert set(moves) <= set(state.moves())
                assert all(0 <= value <= 1 for _, _, value in note.candidates)
            state.play(move)
        assert seen > 10


def test_without_suspicion_there_is_no_belief() -> None:
    replay = play_game(["ismcts:iterations=16,suspicion=0", "greedy", "greedy"], seed=4).replay
    assert not any(note.belief for note in replay.notes.values())
