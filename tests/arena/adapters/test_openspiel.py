"""OpenSpiel's own checks pass on our games, and its algorithms find our answers."""

from __future__ import annotations

import pickle
import unittest
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.observation import make_observation

from arena.adapters.event_text import parse_events
from arena.adapters.openspiel import SpielGame, SpielState, load
from arena.adapters.openspiel_tree import tree_of
from games.errors import GameError
from games.hidden_leaders.rules.constants import Event
from games.registry import game
from games.state import NOBODY, Rng
from solver import solve_for_equilibrium, solve_whole_game

COUNTS = [(name, n) for name in ("hidden-leaders", "secrets") for n in game(name).player_counts]

MIXED = (
    "threshold 3; red 7; green 9; deck DoPr SaTr ArSk LoLo ShSo RoOr LeLi UnMe; "
    "A leader ? hand DoPr SaTr open ArSk LoLo hidden ?; B leader ? open ShSo RoOr"
)
"""An ending of 60 worlds whose equilibrium is worth 11/24 to A, and needs mixed plans."""
TINY = MIXED.replace("A leader ?", "A leader Pavyr")
"""The same with fewer worlds, for checks that visit the whole tree."""
PLAYTHROUGHS = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))


# ---- OpenSpiel's own checks ---------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_random_simulations_with_serialization(name: str, players: int) -> None:
    """A game cut short; benchmarks/openspiel_checks.py plays 100 whole ones at every count."""
    pyspiel.random_sim_test(load(name, players, max_decisions=25), 1, True, False)


@pytest.fixture(scope="module")
def api_checks() -> Any:
    """OpenSpiel's api_test, which defines its flags when it is imported."""
    from open_spiel.integration_tests import api_test  # noqa: PLC0415

    return api_test


def run_checks(base: type[unittest.TestCase], spiel: SpielGame, name: str) -> unittest.TestResult:
    checks = type(base.__name__, (base,), {"game": spiel, "game_name": name})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(checks).run(result)
    assert not result.skipped
    return result


def failed(result: unittest.TestResult) -> set[str]:
    """The names of the checks that failed."""
    found = (*result.failures, *result.errors)
    return {test.id().rpartition(".")[2].removeprefix("test_") for test, _ in found}


@pytest.fixture
def tree_checks(api_checks: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The checks of whole trees, told what our solver counts in the tree of TINY."""
    form = solve_for_equilibrium(TINY, horizon=1).equilibrium.form
    sets = len(form.mine.information_sets) + len(form.theirs.information_sets)
    assert sets < 130  # some have several histories, or perfect recall would not be tested
    monkeypatch.setitem(api_checks.TOTAL_NUM_STATES, "ending", (1, 130, 170))
    monkeypatch.setitem(api_checks.PERFECT_RECALL_NUM_STATES, "ending", sets)
    return api_checks.EnforceAPIOnFullTreeBase


@pytest.mark.slow
def test_the_api_test_of_whole_trees(tree_checks: Any) -> None:
    result = run_checks(tree_checks, load(position=TINY, turns=1), "ending")
    assert result.testsRun == 8
    assert not failed(result)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 3), ("secrets", 5)])
def test_the_api_test_of_partial_trees(name: str, players: int, api_checks: Any) -> None:
    spiel = load(name, players, max_decisions=8)
    require_everything_to_be_checked(spiel)
    result = run_checks(api_checks.EnforceAPIOnPartialTreeBase, spiel, name)
    assert result.testsRun == 5
    assert not failed(result)


def require_everything_to_be_checked(spiel: SpielGame) -> None:
    """It passes over what a game does not provide, and over strings that are None."""
    kind = spiel.get_type()
    assert kind.provides_information_state_string
    assert kind.provides_information_state_tensor
    assert kind.provides_observation_string
    assert kind.provides_observation_tensor
    assert spiel.max_history_length() == spiel.max_game_length() + spiel.max_chance
    start = spiel.new_initial_state()
    nothing, own = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
    for public, private in ((True, nothing), (False, own)):
        observer = make_observation(spiel, observation_type(False, public, private))
        assert observer.string_from(start, 0) is not None
    # Before the deal nobody has a secret, so its check depends on what later states say.
    assert observer.string_from(start, 0) == ""


class Broken(SpielGame):
    """A game with one fault, for checks that must find it."""

    def __init__(self, fault: str, **parameters: Any) -> None:
        self.fault = fault
        super().__init__("hidden-leaders", parameters)

    def max_chance_nodes_in_history(self) -> int:
        return 2 if self.fault == "too long" else super().max_chance_nodes_in_history()

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Any:
        observer: Any = super().make_py_observer(kind, params)
        full = observer.string_from
        if self.fault == "no secrets" and not observer.public:
            observer.string_from = lambda _state, _player: ""
        if self.fault == "forgets" and observer.recalls:
            observer.string_from = lambda state, player: full(state, player)[-20:]
        if self.fault == "sees all" and observer.recalls:
            observer.string_from = lambda state, _player: str(state)
        if self.fault == "empty tensor" and observer.recalls:
            observer.set_from = lambda _state, _player: observer.tensor.fill(0)
        return observer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ("forgets", "game_is_perfect_recall"),
        ("sees all", "game_is_perfect_recall"),
        ("empty tensor", "current_player_infosets_no_overlap_between_players"),
    ],
)
def test_the_checks_of_whole_trees_find_faults(fault: str, found: str, tree_checks: Any) -> None:
    spiel = Broken(fault, position=TINY, turns=1)
    assert found in failed(run_checks(tree_checks, spiel, "ending"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "found"),
    [("too long", "sequence_lengths"), ("no secrets", "private_information_contents")],
)
def test_the_checks_of_partial_trees_find_faults(fault: str, found: str, api_checks: Any) -> None:
    spiel = Broken(fault, players=2, max_decisions=4)
    assert failed(run_checks(api_checks.EnforceAPIOnPartialTreeBase, spiel, "broken")) == {found}


@pytest.mark.slow
@pytest.mark.parametrize("file", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_stored_playthroughs_are_reproduced(file: Path) -> None:
    """`scripts/update-playthroughs` writes them; a change is a change of what others see."""
    flags.FLAGS.mark_as_parsed()  # it asks one of its flags
    # Takes a second, which every test process would spend if it stood at the top.
    from open_spiel.python.algorithms import generate_playthrough  # noqa: PLC0415

    expected, actual = generate_playthrough.replay(str(file))
    assert actual.split("\n") == expected.split("\n")


def test_there_are_playthroughs_of_both_games() -> None:
    assert [path.stem for path in PLAYTHROUGHS] == ["ending", "hidden_leaders", "secrets", "tiny"]


# ---- its algorithms -----------------------------------------------------------------------------


def cfr_plus(spiel: SpielGame, iterations: int) -> tuple[float, float]:
    """The value of player 0 and how far from an equilibrium the plans are."""
    tree = tree_of(spiel)
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    value, _ = pyspiel.expected_returns(tree.new_initial_state(), average, -1, True)
    return value, pyspiel.exploitability(tree, average)


@pytest.mark.slow
def test_cfr_agrees_with_our_equilibrium_of_an_ending() -> None:
    """The value of our linear programs, found by counterfactual regret minimization."""
    ours = solve_for_equilibrium(MIXED, horizon=1).equilibrium
    assert ours.value == (Fraction(11, 24), Fraction(11, 24))
    value, exploitability = cfr_plus(load(position=MIXED, turns=1), 200)
    assert value == pytest.approx(2 * float(ours.value[0]) - 1, abs=0.002)
    assert exploitability < 0.002


@pytest.mark.slow
def test_cfr_agrees_with_our_equilibrium_of_a_whole_tiny_game() -> None:
    ours = solve_whole_game(variant="tiny")
    assert ours.value == (Fraction(1, 12), Fraction(1, 12))
    value, exploitability = cfr_plus(load("hidden-leaders", 2, variant="tiny"), 100)
    assert value == pytest.approx(float(ours.value[0]), abs=0.002)
    assert exploitability < 0.002


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 2), ("secrets", 4)])
def test_its_ismcts_plays_a_whole_game(name: str, players: int) -> None:
    spiel = load(name, players)
    dice = np.random.RandomState(1)
    searches = ISMCTSBot(
        spiel,
        ShortRollouts(dice),
        2.0,
        4,
        random_state=dice,
        allow_inconsistent_action_sets=True,
    )
    state = play_to_end(spiel, dice, lambda state: int(searches.step(state)))
    assert state.table is not None
    assert state.table.actor == NOBODY  # by the rules, not cut
    assert state.decisions > 10


class ShortRollouts(RandomRolloutEvaluator):
    """Values states by nothing: what is tested is that the search walks our states."""

    def __init__(self, dice: Any) -> None:
        super().__init__(1, dice)

    def evaluate(self, state: SpielState) -> Any:
        return np.array(state.returns())


def play_to_end(spiel: SpielGame, dice: Any, choose: Any) -> SpielState:
    """A game in which player 0 is asked and the others play at random."""
    state = spiel.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choice(outcomes, p=odds))
        elif state.current_player() == 0:
            state.apply_action(choose(state))
        else:
            state.apply_action(dice.choice(state.legal_actions()))
    return state


# ---- what is seen -------------------------------------------------------------------------------


def after(spiel: SpielGame, decisions: int, seed: int) -> SpielState:
    """A state of a random game at a decision."""
    state = spiel.new_initial_state()
    rng = Rng(seed)
    while state.decisions < decisions or state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_a_resampled_state_cannot_be_told_apart(name: str, players: int) -> None:
    spiel = load(name, players)
    for seed in range(2):
        state = after(spiel, 12 + 7 * seed, seed)
        for player in range(players):
            twin = state.resample_from_infostate(player, lambda: 0.37)
            assert twin.legal_actions() == state.legal_actions() or player != state.current_player()
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert np.array_equal(
                twin.information_state_tensor(player), state.information_state_tensor(player)
            )
            assert twin.observation_tensor(player) == state.observation_tensor(player)
            assert twin.observation_string(player) == state.observation_string(player)
    assert str(twin) != str(state)


def observation_type(recall: bool, public: bool, private: Any) -> Any:
    return pyspiel.IIGObservationType(
        perfect_recall=recall, public_info=public, private_info=private
    )


def test_public_and_private_observers_show_their_parts() -> None:
    spiel = load("hidden-leaders", 3)
    state = after(spiel, 10, 4)
    private, nothing = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    texts: dict[tuple[bool, bool], list[str]] = {}
    for recall in (False, True):
        for public in (False, True):
            kind = observation_type(recall, public, private)
            observer = make_observation(spiel, kind)
            texts[recall, public] = [observer.string_from(state, seat) for seat in range(3)]
        onlooker = make_observation(spiel, observation_type(recall, True, nothing))
        same = {onlooker.string_from(state, seat) for seat in range(3)}
        assert len(same) == 1
        assert "leader" not in same.pop()
    for seat in range(3):
        own = texts[False, False][seat]
        assert "own leader" in own
        assert "tavern" not in own
        assert "own leader" in texts[False, True][seat]
        assert "tavern" in texts[False, True][seat]
    assert len(set(texts[True, False])) == 3


@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 4), ("secrets", 5)])
def test_public_and_private_parts_make_up_the_information_state(name: str, players: int) -> None:
    """Two states look alike to a seat exactly if both parts do; so do the tensors."""
    spiel = load(name, players)
    private, nothing = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    onlooker = make_observation(spiel, observation_type(True, True, nothing))
    own = make_observation(spiel, observation_type(True, False, private))
    seen: dict[tuple[int, str, str], tuple[str, bytes]] = {}
    wholes: set[tuple[int, str]] = set()
    for decisions in (0, 3, 20):
        state = after(spiel, decisions, 5)
        states = [state.resample_from_infostate(0, lambda i=i: i / 7) for i in range(6)]
        for twin in (state, *states):
            seat = 0
            onlooker.set_from(twin, seat)
            parts = (seat, onlooker.string_from(twin, seat), own.string_from(twin, seat))
            whole = twin.information_state_string(seat)
            tensor = np.array(twin.information_state_tensor(seat)).tobytes()
            assert seen.setdefault(parts, (whole, tensor)) == (whole, tensor)
            wholes.add((seat, whole))
    assert len(seen) == len(wholes) == 3


def test_an_information_state_tensor_holds_all_events_of_its_seat() -> None:
    """Perfect recall: the events can be read off it, the seat's own choices among them."""
    spiel = load("hidden-leaders", 3)
    state = after(spiel, 30, 2)
    for seat in range(3):
        numbers = np.array(state.information_state_tensor(seat), int)
        assert numbers[:3].tolist() == [int(seat == player) for player in range(3)]
        text = state.information_state_string(seat)
        events = parse_events(text.removeprefix(f"p{seat}: "))
        flat = [number + 3 for event in events for number in (len(event), *event)]
        assert numbers[3 : 3 + len(flat)].tolist() == flat
        assert not numbers[3 + len(flat) :].any()
        mine = [event[2] for event in events if event[0] == Event.CHOSE and event[1] == seat]
        assert mine == [move for player, move in played(state) if player == seat]


def played(state: SpielState) -> list[tuple[int, int]]:
    """Who has played what."""
    return [(item.player, item.action) for item in state.full_history()]


def test_a_game_that_outgrows_its_information_state_is_cut() -> None:
    spiel = load("hidden-leaders", 2, recall=900)
    state = spiel.new_initial_state()
    while not state.is_terminal():
        assert max(map(len, state.told)) <= 2 * 900
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [0.0, 0.0]
    assert len(state.information_state_tensor(0)) == 2 + 900


def test_pickles_and_clones_play_on_identically() -> None:
    spiel = pyspiel.load_game("arena_hidden_leaders(players=3,options=rounds:5/deck:beginner)")
    assert spiel.options == {"rounds": 5, "deck": "beginner"}
    state = after(spiel, 8, 1)
    for twin in (state.clone(), pickle.loads(pickle.dumps(state))):  # noqa: S301
        original = state.clone()
        for _ in range(30):
            action = original.legal_actions()[0]
            original.apply_action(action)
            twin.apply_action(action)
        assert str(twin) == str(original)
        assert twin.history() == original.history()
        for player in range(3):
            strings = (
                twin.information_state_string(player),
                original.information_state_string(player),
            )
            assert strings[0] == strings[1]  # fmt: skip


def test_a_game_ends_at_its_true_maximum_length() -> None:
    spiel = load("hidden-leaders", 2, max_decisions=9)
    state = spiel.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.decisions == spiel.max_game_length() == 9
    assert state.returns() == [0.0, 0.0]


# ---- bad input ------------------------------------------------------------------------------


def test_wrong_parameters_get_a_sentence() -> None:
    with pytest.raises(GameError, match="Secrets is for 4 to 8 players, not 3"):
        load("secrets", 3)
    with pytest.raises(GameError, match="there is no game 'chess'"):
        load("chess")
    with pytest.raises(GameError, match="a position for OpenSpiel has two players, not 3"):
        load(position="players 3; A leader Cyra; B leader Pavyr; C leader Xiadul")
    with pytest.raises(GameError, match="options are written name:value/name:value"):
        pyspiel.load_game("arena_hidden_leaders(options=rounds)")
    with pytest.raises(GameError, match="a game from a position has no views"):
        after(load(position=TINY, turns=1), 0, 1).view(0)
    with pytest.raises(GameError, match="recall=1 is too small: the deal alone has"):
        after(load("hidden-leaders", 2, recall=1), 0, 1)
    with pytest.raises(GameError, match="the game has more than 50 nodes; make it smaller"):
        tree_of(load(position=TINY, turns=1), most_nodes=50)
    for wrong in (-3, 2.5, True):
        with pytest.raises(GameError, match="max_decisions must be a whole number from 0, not"):
            load("hidden-leaders", 2, max_decisions=wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError, match=r"players must be a whole number from 0, not 2\.5"):
        load("hidden-leaders", 2.5)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="turns=3 needs a position to start from"):
        load("hidden-leaders", 2, turns=3)
    with pytest.raises(GameError, match="recall must be a whole number from -1, not -2"):
        load("hidden-leaders", 2, recall=-2)
    with pytest.raises(GameError, match=r"there is no variant 'tin' .*did you mean 'tiny'"):
        load("hidden-leaders", 2, variant="tin")
