"""What a bot says about its moves: what is accepted, rounded, cut and refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from arena import play_game
from bots import Bot
from bots.runtime.faults import BotFailure, FaultKind, check_move
from bots.runtime.notes import (
    MOST_BELIEFS,
    MOST_CANDIDATES,
    MOST_ROLES,
    check_belief,
    check_candidates,
    note_of,
)
from games.replay import Note
from games.state import Rng
from games.view import View


class Index:
    """Not an int, but usable as one."""

    def __init__(self, value: object) -> None:
        self.value = value
        self.asked = 0

    def __index__(self) -> int:
        self.asked += 1
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value  # type: ignore[return-value]


class Liar(int):
    def __index__(self) -> int:
        return 5


# ---- moves --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [7, Index(7), Liar(7)],
    ids=lambda move: type(move).__name__,
)
def test_a_move_is_a_whole_number_of_any_type(move: object) -> None:
    number = check_move(move)
    assert number == 7
    assert type(number) is int


@pytest.mark.parametrize(
    "move",
    [
        *(True, 7.0, "7", b"7", None, [7], 7j, Fraction(7)),
        *(Index("7"), Index(RuntimeError("no")), Index(SystemExit(3))),
    ],
    ids=lambda move: f"{type(move).__name__} {move!r:.20}",
)
def test_other_things_are_not_moves(move: object) -> None:
    with pytest.raises(BotFailure, match="which is not a move number") as caught:
        check_move(move)
    assert caught.value.kind == FaultKind.NOT_A_MOVE


def test_a_move_is_asked_for_its_number_once() -> None:
    move = Index(3)
    check_move(move)
    assert move.asked == 1


def test_numbers_of_numpy_are_taken_but_not_its_booleans_and_floats() -> None:
    np = pytest.importorskip("numpy")
    for good in (np.int64(7), np.uint8(7), np.array([3, 7])[-1], np.array(7)):
        assert check_move(good) == 7
        assert type(check_move(good)) is int
    for bad in (np.True_, np.float64(7), np.array([7, 8])):
        with pytest.raises(BotFailure, match="which is not a move number"):
            check_move(bad)
    assert check_belief({"x": np.float32(1 / 3)}, 2) == {"x": 0.3333}
    (candidate,) = check_candidates([(np.int64(4), np.int32(10), np.float32(0.123456))], [4])
    assert candidate == (4, 10, 0.1235)
    assert [type(part) for part in candidate] == [int, int, float]


# ---- beliefs ------------------------------------------------------------------------------------


def test_a_belief_about_roles_is_rounded() -> None:
    belief = {"B": {"Cyra": 1 / 3, "Pavyr": Fraction(2, 3)}, "C": {"Cyra": 1}}
    assert check_belief(belief, 3) == {"B": {"Cyra": 0.3333, "Pavyr": 0.6667}, "C": {"Cyra": 1}}


def test_statements_stand_beside_roles() -> None:
    belief: dict[str, Any] = {"B has\nthe Emperor": 0.25, "B": {"Cyra": 1.0}}
    assert check_belief(belief, 2) == {"B has the Emperor": 0.25, "B": {"Cyra": 1.0}}
    assert check_belief(None, 2) == {}


@pytest.mark.parametrize(
    ("belief", "problem"),
    [
        ([], "which is not a dict of at most 64"),
        (dict.fromkeys(map(str, range(MOST_BELIEFS + 1)), 0.5), "not a dict of at most 64"),
        ({"D": {"Cyra": 1.0}}, "a belief about the roles of 'D'; seats are A, B, C"),
        ({3: {"Cyra": 1.0}}, "a belief about the roles of 3; seats are A, B, C"),
        ({"B": {"Cyra": 0.5}}, "the roles of B probabilities that add up to 0.5, not to 1"),
        ({"B": {}}, "add up to 0, not to 1"),
        ({"B": dict.fromkeys(map(str, range(MOST_ROLES + 1)), 0.03)}, "gave 33 roles of B"),
        ({"B": {"Cyra": 2.0}}, "gave 'Cyra' the probability 2.0"),
        ({"B": {"Cyra": float("nan")}}, "gave 'Cyra' the probability nan"),
        ({"B": {7: 1.0}}, "gave 7 the probability 1.0"),
        ({"B": {"Cyra": True}}, "gave 'Cyra' the probability True"),
        ({"x": "0.5"}, "gave 'x' the probability '0.5'"),
        ({"x": float("-inf")}, "gave 'x' the probability -inf"),
    ],
)
def test_other_beliefs_are_faults(belief: object, problem: str) -> None:
    with pytest.raises(BotFailure) as caught:
        check_belief(belief, 3)
    assert caught.value.kind == FaultKind.PROTOCOL
    assert problem in caught.value.problem
    assert len(caught.value.problem) < 500


# ---- candidates ---------------------------------------------------------------------------------


def test_candidates_are_plain_and_rounded() -> None:
    given = [(Index(4), Index(10), 0.123456), [9, 0, -3]]
    checked = check_candidates(given, [4, 9])
    assert checked == ((4, 10, 0.1235), (9, 0, -3))
    assert [type(part) for part in checked[0]] == [int, int, float]
    assert check_candidates(None, [4]) == ()


def test_only_the_first_candidates_are_kept() -> None:
    given = [(4, number, 0.0) for number in range(1000)]
    assert [visits for _, visits, _ in check_candidates(given, [4])] == list(range(MOST_CANDIDATES))


@pytest.mark.parametrize(
    ("candidates", "problem"),
    [
        ({4: 1.0}, "which is not a list of (move, visits, value)"),
        ("moves", "which is not a list of (move, visits, value)"),
        ([4], "considered 4, which is not (move, visits, value) in numbers"),
        ([(4, 1)], "considered (4, 1), which is not"),
        ([(5, 1, 0.5)], "considered 5, which is not legal"),
        ([(4, -1, 0.5)], "considered (4, -1, 0.5), which is not"),
        ([(4, 10**20, 0.5)], "which is not"),
        ([(4, 1.5, 0.5)], "considered (4, 1.5, 0.5), which is not"),
        ([(4, 1, float("nan"))], "considered (4, 1, nan), which is not"),
        ([(4, 1, float("inf"))], "considered (4, 1, inf), which is not"),
        ([(4, 1, "good")], "which is not (move, visits, value) in numbers"),
        ([(True, 1, 0.5)], "which is not (move, visits, value) in numbers"),
    ],
)
def test_other_candidates_are_faults(candidates: object, problem: str) -> None:
    with pytest.raises(BotFailure) as caught:
        check_candidates(candidates, [4, 9])
    assert caught.value.kind == FaultKind.PROTOCOL
    assert problem in caught.value.problem


# ---- whole bots ---------------------------------------------------------------------------------


def test_a_bot_that_says_nothing_has_no_note() -> None:
    class Silent(Bot):
        candidates = belief_of = "attributes of its own do not matter"

        def choose(self, view: View) -> int:
            return view.moves[0]

    assert note_of(Silent(0, Rng(1)), [4], 2) == Note()


def test_greedy_tells_the_score_of_every_move() -> None:
    replay = play_game(["greedy", "random"], seed=1).replay
    state, told = replay.new(), 0
    for ply, move in enumerate(replay.moves):
        legal = state.moves()
        if state.actor == 0 and len(legal) > 1:
            candidates = replay.notes[ply].candidates
            told += 1
            assert {each.move for each in candidates} <= set(legal)
            assert len(candidates) == min(len(legal), MOST_CANDIDATES)
            values = [each.value for each in candidates]
            assert values == sorted(values, reverse=True)
            assert move in [each.move for each in candidates if each.value == values[0]]
        else:
            assert ply not in replay.notes
        state.play(move)
    assert told > 10


def test_every_decision_of_a_bot_is_timed() -> None:
    result = play_game(["greedy", "random"], seed=1)
    state = result.replay.new()
    for ply, move in enumerate(result.replay.moves):
        assert (ply in result.replay.seconds) == (state.actor >= 0)
        state.play(move)
    assert sum(result.replay.seconds.values()) == pytest.approx(
        sum(map(sum, result.seconds)), abs=0.001
    )
