"""The bot `champion`: its network, policy and belief, its search, and the models it accepts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena import play_game
from arena.match.referee import run_game
from bots import BadBot, BadModel, Model, load_bot, load_model
from bots.bot import Match
from bots.champion.bot import LEVELS, Champion
from bots.champion.model import (
    bundled_model,
    layout_sizes,
    read_model,
    weight_count,
    write_model,
)
from bots.champion.network import UNIT
from bots.champion.policy import MovePolicy
from bots.champion.search import ValueSearch
from games.engine import COMPILED
from games.errors import GameError
from games.features import FeatureLayout
from games.registry import game, game_names
from games.secrets.constants import Move, Phase
from games.secrets.state import Secrets
from games.state import CHANCE, NO_PATTERN, NOBODY, Rng, State
from games.view import View
from tests.support.paths import ROOT
from tests.support.scenario import given, markers, player
from tests.support.views import seen

ITERATIONS = 40 if COMPILED else 8


def layout_of(name: str) -> FeatureLayout:
    layout = game(name).features
    assert layout is not None
    return layout


def position(name: str, players: int, seed: int) -> State:
    """A decision in the middle of a game."""
    rng = Rng(seed)
    state = game(name).new(players)
    state.playout(rng, 25)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    return state


def random_model(name: str, hidden: tuple[int, int] = (5, 3)) -> Model:
    layout, rng = layout_of(name), Random(4)

    def weights(count: int) -> tuple[float, ...]:
        return tuple(round(rng.gauss(0, 0.3) * UNIT) / UNIT for _ in range(count))

    value = weights(weight_count(layout, hidden))
    return Model(name, layout.version, hidden, value, weights(layout.moves), weights(layout.moves))


# ---- the network --------------------------------------------------------------------------------


def plain_chances(model: Model, state: State) -> list[float]:
    """What the network should say, by the definition in its first lines."""
    layout = model.layout
    first, second = model.hidden
    weights = list(model.value)
    inputs_of = seen_patterns if layout.patterns else seen_numbers
    count = layout.patterns.count if layout.patterns else sum(layout_sizes(layout)[:3])
    rows = [weights[i * first : (i + 1) * first] for i in range(count + 1)]
    rest = weights[len(rows) * first :]
    odds = []
    for seat in range(state.players):
        total = 0.0
        for inputs in inputs_of(layout, state, seat):
            pairs = [(x, rows[i]) for i, x in (*inputs, (count, 1.0))]
            layer = [max(0.0, sum(x * row[j] for x, row in pairs)) for j in range(first)]
            biases = rest[first * second :]
            after = [
                max(0.0, biases[k] + sum(x * rest[j * second + k] for j, x in enumerate(layer)))
                for k in range(second)
            ]
            out = rest[(first + 1) * second :]
            total += exp(out[second] + sum(x * w for x, w in zip(after, out, strict=False)))
        odds.append(total)
    if layout.one_winner:
        return [each / (1 + sum(odds)) for each in odds]
    return [each / (1 + each) for each in odds]


Inputs = list[tuple[int, float]]
"""The row of weights and the number of each input of a claim."""


def seen_numbers(layout: FeatureLayout, state: State, seat: int) -> list[Inputs]:
    table, seat_size, claim, claims = layout_sizes(layout)
    vector = layout.of(state, seat)
    found = []
    for c in range(claims):
        at = table + seat_size + c * claim
        inputs = [*vector[: table + seat_size], *vector[at : at + claim]]
        if inputs[table + seat_size]:
            found.append(list(enumerate(inputs)))
    return found


def seen_patterns(layout: FeatureLayout, state: State, seat: int) -> list[Inputs]:
    assert layout.patterns is not None
    table, seat_slots, claim, claims = layout_sizes(layout)
    numbers = state.patterns(layout.patterns.room(state.players, claims))
    at = table + seat * seat_slots
    shared = [*numbers[:table], *numbers[at : at + seat_slots]]
    found = []
    for c in range(claims):
        at = table + state.players * seat_slots + (seat * claims + c) * claim
        own = numbers[at : at + claim]
        if own[0] != NO_PATTERN:
            found.append([(number, 1.0) for number in shared + own if number != NO_PATTERN])
    return found


@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 5), ("secrets", 6)])
def test_the_network_computes_what_it_says(name: str, players: int) -> None:
    model = random_model(name)
    for seed in range(5):
        state = position(name, players, seed)
        assert model.judge(state) == pytest.approx(plain_chances(model, state), rel=1e-9)


def test_bundled_models_know_who_is_about_to_win() -> None:
    near = given(
        markers(red=8, green=2),
        player(0, leader="Cyra", hand=["Keen Koi"], open=["Ace Fighter"]),
        player(1, leader="Myrad"),
        threshold=2,
    ).state
    ahead, behind = load_model("hidden-leaders").judge(near)
    assert ahead > behind


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_a_bundled_model_that_says_how_it_was_trained(name: str) -> None:
    model = read_model(bundled_model(name))
    assert model.trained["config"]["game"] == name
    assert model.trained["value_loss"]
    assert len(model.trained["games_sha256"]) == 64
    assert bundled_model(name).stat().st_size < 500_000


# ---- policy and belief --------------------------------------------------------------------------


def test_a_policy_samples_moves_as_often_as_it_says() -> None:
    model = random_model("hidden-leaders")
    state = position("hidden-leaders", 3, 2)
    shares = model.move_shares(state)
    assert sum(shares) == pytest.approx(1)
    policy, rng = MovePolicy(list(model.policy)), Rng(1)
    drawn = [int(policy.sample(state, rng)) for _ in range(4000)]
    for move, share in zip(state.moves(), shares, strict=True):
        assert drawn.count(move) / len(drawn) == pytest.approx(share, abs=0.04)


def test_belief_gives_every_seat_one_role_and_no_role_twice() -> None:
    table = given(player(0, leader="Cyra", hand=["Keen Koi"]), player(1), player(2))
    belief = load_model("hidden-leaders").watch(seen(table, 0))
    assignments, chances = belief.assignments()
    assert len(assignments) == 5 * 4
    assert sum(chances) == pytest.approx(1)
    assert all(len(set(roles)) == 3 and roles[0] == 1 for roles in assignments)
    belief.scores[1][3] = 2.0
    weights = belief.role_weights()
    assert weights[6 + 3] > 0.5
    assert sum(weights) == pytest.approx(3)


def test_belief_is_put_into_the_searched_worlds() -> None:
    table = given(player(0, leader="Cyra", hand=["Keen Koi"]), player(1), player(2))
    view = seen(table, 0)
    model = random_model("hidden-leaders")
    search = ValueSearch(0, 3, view.imagine().move_limit, 6, model.network(3))
    search.set_belief([[1, 4, 2], [1, 0, 5]], [0.75, 0.25])
    rng = Rng(3)
    search.draw_worlds(view, rng, 400)
    drawn = []
    for _ in range(400):
        world = search.determinize(view, rng)
        drawn.append(tuple(int(world.role(seat)) for seat in range(3)))
    assert set(drawn) == {(1, 4, 2), (1, 0, 5)}
    assert drawn.count((1, 4, 2)) == 300  # drawn evenly, not at random
    assert drawn[:200].count((1, 4, 2)) < 190  # and shuffled


@pytest.mark.slow
@pytest.mark.compiled
def test_the_bundled_belief_beats_an_even_guess() -> None:
    """Over games of bots it was not trained on: the true leader gets more than a fifth."""
    given_to_true: list[float] = []
    for seed in range(4):
        result = play_game(["champion:iterations=20", "greedy", "greedy"], seed=seed)
        roles = game("hidden-leaders").roles(result.replay.state())
        note = [note for note in result.replay.notes.values() if "B" in note.belief][-1]
        for seat, role in zip("BC", roles[1:], strict=True):
            shares: Any = note.belief[seat]
            given_to_true.append(shares.get(role, 0.0))
    assert sum(given_to_true) / len(given_to_true) > 0.25


def test_a_blunter_belief_keeps_the_order_and_differs_less() -> None:
    view = seen(given(player(0, leader="Cyra"), player(1), player(2)), 0)
    belief = load_model("hidden-leaders").watch(view)
    belief.scores[1][0] = 3.0
    sharp, half, none = (max(belief.assignments(sharpness)[1]) for sharpness in (1.0, 0.5, 0.0))
    assert sharp > half > none
    assert none == pytest.approx(1 / len(belief.assignments()[0]))


# ---- the bot ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 3), ("secrets", 4)])
def test_the_same_seed_gives_the_same_game(name: str, players: int) -> None:
    bots = [f"champion:iterations={ITERATIONS}", *["random"] * (players - 1)]
    games = [play_game(bots, seed=8, game=name).replay for _ in range(2)]
    assert games[0].moves == games[1].moves


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 3), ("secrets", 4)])
def test_both_engines_play_the_same_game(name: str, players: int) -> None:
    bots = ["champion:iterations=15", *["random"] * (players - 1)]
    played = f"play_game({bots}, seed=3, game={name!r}).replay.moves"
    pure = subprocess.run(
        [sys.executable, "-c", f"from arena import play_game; print({played})"],
        cwd=ROOT,
        env={**os.environ, "ARENA_PURE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert pure.stdout.strip() == str(play_game(bots, seed=3, game=name).replay.moves)


@pytest.mark.parametrize("name", game_names())
def test_it_searches_at_the_end_of_a_turn(name: str) -> None:
    """Worlds are played on to a turn's start, or to the end, before they are judged."""
    model = random_model(name)
    players = game(name).min_players
    search = ValueSearch(0, players, 1000, 8, model.network(players))
    for seed in range(20):
        world = position(name, players, seed)
        if world.actor == NOBODY:
            continue
        turn = world.turns
        search.finish_turns(world, turn + 1, Rng(seed))
        assert world.actor == NOBODY or world.turns == turn + 1


def secrets_decision(phase: int, seed: int = 0) -> tuple[Secrets, View]:
    """A decision of that kind in a game of four, and what its seat sees."""
    rng = Rng(seed)
    state = game("secrets").new(4, record=True)
    assert isinstance(state, Secrets)
    while state.actor == CHANCE or state.phase != phase:
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.legal[rng.below(state.count)])
    view = game("secrets").view(state.actor, 4)
    for event in state.take_events(state.actor):
        view.observe(event)
    return state, view


def test_it_keeps_silent_and_goes_on_in_its_tree() -> None:
    """A claim has no effect, so it takes no search, and the tree has no level for it."""
    _, view = secrets_decision(Phase.CLAIM)
    bot = load_bot("champion:iterations=8").make(view.seat, 1, None, None)
    bot.start(view)
    assert bot.choose(view) == Move.SILENCE
    assert not bot.considered()


def test_others_move_by_the_policy_and_the_tree_ends_with_the_turn() -> None:
    state, view = secrets_decision(Phase.TARGET)
    model = random_model("secrets")
    search = ValueSearch(view.seat, 4, state.move_limit, 3, model.network(4))
    search.policy, search.trust, search.modelled = model.move_policy, 1.0, True
    search.reach = 1
    rng = Rng(1)
    search.draw_worlds(view, rng, 40)
    search.run(view, rng, 40, 0.0)
    weighed = model.move_policy.decisions
    assert weighed >= 40  # the answer, at least
    deepest = 0
    for _ in range(200):
        search.iterate(search.determinize(view, rng), rng)
        deepest = max(deepest, int(search.depth))
    assert deepest <= 4  # target, UN, answer, effect


@pytest.mark.slow
@pytest.mark.compiled
def test_moves_of_seats_that_follow_the_policy_are_not_taken_for_its_own() -> None:
    """In this deal the tree comes to its own decision where another seat decided before."""
    bot = load_bot("champion:others=policy,reach=1,patience=1,iterations=2400")
    bots = [bot, load_bot("random"), bot, load_bot("random")]
    assert run_game(game("hidden-leaders"), bots, 61025).winners is not None


@pytest.mark.parametrize("modelled", [False, True])
def test_branches_are_numbered_apart(modelled: bool) -> None:
    search = ValueSearch(0, 4, 1000, 6, random_model("hidden-leaders").network(4))
    search.modelled = modelled
    firsts: dict[bool, set[int]] = {True: set(), False: set()}
    for seed in range(20):
        world = position("hidden-leaders", 4, seed)
        if world.actor != NOBODY:
            firsts[world.actor == 0].add(int(search.first_branch(world)))
    assert firsts[True] == {0}
    assert min(firsts[False]) >= 1000
    assert (len(firsts[False]) == 1) == modelled  # else a set of branches for each role


def test_a_tree_reaches_into_so_many_turns() -> None:
    world = position("hidden-leaders", 3, 2)
    seat = int(world.actor)
    deepest = {}
    for reach in (0, 1):
        search = ValueSearch(
            seat, 3, world.move_limit, 6, random_model("hidden-leaders").network(3)
        )
        search.policy, search.trust, search.reach = (
            load_model("hidden-leaders").move_policy,
            1,
            reach,
        )
        search.contrast = 0.0
        movers = set()
        rng = Rng(1)
        for _ in range(300):
            search.iterate(world.copy(), rng)
            movers |= {int(search.mover[search.path[i]]) for i in range(search.depth)}
        deepest[reach] = movers
    assert deepest[1] == {seat}
    assert len(deepest[0]) > 1


def test_it_stops_when_the_runner_up_is_too_far_behind() -> None:
    search = ValueSearch(0, 2, 1000, 6, random_model("hidden-leaders").network(2))
    for move, visits in ((1, 40), (2, 10)):
        node = search.new_node(search.roots[0], move, 0)
        search.visits[node] = visits
    for patience, settled_with in ((1.0, 29), (0.5, 59), (0.0, 10_000)):
        search.patience = patience
        assert search.is_settled(settled_with)
    search.patience = 0.5
    assert not search.is_settled(60)


@pytest.mark.parametrize(
    ("name", "options", "patience"),
    [
        ("hidden-leaders", "", 0.3),
        ("hidden-leaders", ":level=3", 1.0),
        ("hidden-leaders", ":patience=0.5", 0.5),
        ("secrets", "", 1.0),
    ],
)
def test_every_game_has_its_patience(name: str, options: str, patience: float) -> None:
    rules = game(name)
    bot = load_bot(f"champion{options}").make(0, 1, None, None)
    assert isinstance(bot, Champion)
    bot.start(rules.view(0, rules.min_players))
    assert bot._own_patience() == patience


@pytest.mark.parametrize("other", ["iterations", "seconds"])
def test_a_level_does_not_go_with_a_number_of_its_own(other: str) -> None:
    match = Match("hidden-leaders", 3, {})
    with pytest.raises(BadBot, match=f"level and {other} both say how long it thinks"):
        load_bot(f"champion:level=3,{other}=10").check(match)
    load_bot(f"champion:{other}=10").check(match)


def test_a_tree_tells_decisions_apart_that_follow_the_same_move() -> None:
    """Accepting an unseen card may ask for a Bullet's target or for a Politician's."""
    state, view = secrets_decision(Phase.ANSWER)
    model = random_model("secrets")
    search = ValueSearch(view.seat, 4, state.move_limit, 3, model.network(4))
    node = search.new_node(search.roots[view.seat], Move.ACCEPT, view.seat)
    give, give_again, pass_on = (
        int(search.at_moment(node, phase * 8 + view.seat))
        for phase in (Phase.GIVE, Phase.GIVE, Phase.PASS_ON)
    )
    assert give == give_again == node
    assert pass_on != node
    search.follow(Move.ACCEPT)
    search.stand_at(Phase.PASS_ON * 8 + view.seat)
    assert search.roots[view.seat] == pass_on


@pytest.mark.parametrize(("name", "wanted"), [("hidden-leaders", 3000), ("secrets", 1000)])
def test_every_game_has_its_number_of_iterations(name: str, wanted: int) -> None:
    rules = game(name)
    bot = load_bot("champion").make(0, 1, None, None)
    assert isinstance(bot, Champion)
    bot.start(rules.view(0, rules.min_players))
    assert bot._own_iterations() == wanted
    assert str(wanted) in Champion.iterations.meaning


def test_levels_search_more_and_leave_less_to_chance() -> None:
    assert [level[0] for level in LEVELS] == sorted(level[0] for level in LEVELS)
    assert [level[1] for level in LEVELS] == sorted((level[1] for level in LEVELS), reverse=True)
    table = given(player(0, leader="Cyra", hand=["Keen Koi", "Furious Frog"]), player(1))
    view = seen(table, 0)
    for level in (1, 5):
        searched = 0
        for seed in range(20):
            bot = load_bot(f"champion:level={level}").make(0, seed, None, None)
            assert isinstance(bot, Champion)
            bot.start(view)
            assert bot.choose(view) in view.moves
            visits = sum(row.visits for row in bot.considered())
            assert visits in (0, LEVELS[level - 1][0])
            searched += visits > 0
        assert searched == 20 if level == 5 else 2 < searched < 15


def test_a_decision_in_the_same_turn_uses_what_the_tree_has() -> None:
    """The iterations of the first decision count, and the tree goes through forced moves."""
    table = given(
        markers(red=5, green=5),
        player(0, leader="Cyra", hand=["Keen Koi", "Ace Fighter", "Furious Frog"]),
        player(1, leader="Myrad"),
    )
    view = seen(table, 0)
    bot = load_bot("champion:iterations=64").make(0, 1, None, None)
    assert isinstance(bot, Champion)
    bot.start(view)
    state, decisions = table.state, 0
    while decisions < 2:
        assert state.actor == 0
        decisions += len(view.moves) > 1
        state.play(bot.choose(view))
        while state.actor == CHANCE:
            state.sample_chance(Rng(1))
        for event in state.take_events(0):
            view.observe(event)
            bot.observe(event)
    in_tree = int(bot.explain().split()[-1])
    assert 64 < in_tree < 128  # fewer were added than a new tree would have got


def test_a_time_limit_is_kept_and_a_settled_move_is_played_early() -> None:
    table = given(player(0, leader="Cyra", hand=["Keen Koi", "Furious Frog"]), player(1))
    view = seen(table, 0)
    bot = load_bot("champion:seconds=0.2").make(0, 1, None, None)
    bot.start(view)
    assert bot.choose(view) in view.moves
    assert bot.explain()


@pytest.mark.slow
@pytest.mark.compiled
def test_it_beats_greedy() -> None:
    won = sum(
        play_game(["champion:iterations=200", "greedy"], seed=seed).winners == (0,)
        for seed in range(12)
    )
    assert won >= 8  # a fair coin would do that one time in five; ismcts wins four of five


# ---- model files --------------------------------------------------------------------------------


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    model = random_model("secrets")
    write_model(tmp_path / "model.json", model)
    assert read_model(tmp_path / "model.json") == model


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "arena-replay"}, "its format is not 'arena model'"),
        ({"version": 2}, "has version 2 of the format; this arena reads 1"),
        ({"game": "secret"}, "a game 'secret' that does not exist; did you mean 'secrets'?"),
        ({"features": 0}, "trained with version 0 of the features of secrets"),
        ({"hidden": [5]}, "hidden must be two whole numbers from 1 to 256, not [5]"),
        ({"hidden": [5, 900]}, "hidden must be two whole numbers"),
        ({"value": [1.0]}, "value must be "),
        ({"value": ["x"]}, "value must be "),
        ({"policy": [10**400] + [0] * (layout_of("secrets").moves - 1)}, "policy must be "),
        ({"policy": [float("nan")] + [0] * (layout_of("secrets").moves - 1)}, "policy must be "),
        ({"policy": [1.0]}, f"policy must be {layout_of('secrets').moves} numbers"),
    ],
)
def test_a_bad_model_is_refused(change: dict[str, object], problem: str, tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    write_model(file, random_model("secrets"))
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(BadModel) as refused:
        read_model(file)
    assert problem in str(refused.value)
    assert str(file) in str(refused.value)


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadModel, match="No such file"):
        read_model(tmp_path / "none.json")
    (tmp_path / "text.json").write_text("hello")
    with pytest.raises(BadModel, match="not JSON"):
        read_model(tmp_path / "text.json")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(BadModel, match="not JSON"):
        read_model(tmp_path / "deep.json")


@pytest.mark.parametrize("endless", [True, False])
def test_a_file_too_large_for_a_model_is_refused(tmp_path: Path, endless: bool) -> None:
    """A device was read until the memory was full, and of a large file it said: not JSON."""
    large = tmp_path / "large.json"
    large.write_text(" " * 17_000_000)
    with pytest.raises(BadModel, match="too large for a model: over 16 MB"):
        read_model(Path("/dev/zero") if endless else large)


def test_the_largest_model_that_can_be_trained_can_be_read(tmp_path: Path) -> None:
    """`arena train` with hidden = [256, 256] wrote a model that nothing could read."""
    layout = layout_of("hidden-leaders")
    largest, weight = (256, 256), -1.23456e-05
    value = (weight,) * weight_count(layout, largest)
    moves = (weight,) * layout.moves
    model = Model("hidden-leaders", layout.version, largest, value, moves, moves)
    write_model(tmp_path / "model.json", model)
    assert read_model(tmp_path / "model.json") == model


def test_a_model_of_another_game_is_refused(tmp_path: Path) -> None:
    write_model(tmp_path / "model.json", random_model("secrets"))
    with pytest.raises(BadModel, match="a model of Secrets, not of Hidden Leaders"):
        load_model("hidden-leaders", str(tmp_path / "model.json"))


def test_a_model_refuses_tables_and_views_of_another_game() -> None:
    """Moves of Secrets got shares from the policy of Hidden Leaders: all alike, and no error."""
    for name, other in (("hidden-leaders", "secrets"), ("secrets", "hidden-leaders")):
        model, state, view = load_model(name), position(other, 4, 1), game(other).view(0, 4)
        for ask in (
            partial(model.judge, state),
            partial(model.move_shares, state),
            partial(model.watch_worlds, view),
        ):
            with pytest.raises(BadModel, match=r"this is a model of .*, not of"):
                ask()
    with pytest.raises(BadModel, match=r"this is a model of Hidden Leaders, not of Secrets"):
        load_model("hidden-leaders").watch(game("secrets").view(0, 4))


def test_nobody_chooses_at_a_chance_node() -> None:
    with pytest.raises(GameError, match="no seat decides here"):
        load_model("hidden-leaders").move_shares(game("hidden-leaders").new(3))


def test_a_model_without_a_part_says_so() -> None:
    state = position("secrets", 4, 1)
    with pytest.raises(BadModel, match="has no policy"):
        replace(random_model("secrets"), policy=()).move_shares(state)
