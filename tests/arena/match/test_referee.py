"""The referee: same seed, same game; each bot gets its own events; faults name the bot."""

import re
import signal
from typing import ClassVar

import pytest

from arena.match.referee import BotFault, Result
from arena.seeds import derive_seed
from bots import Budget
from bots.runtime.faults import FaultKind
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.state import HiddenLeaders
from games.state import CHANCE, Rng, State
from games.view import View
from tests.support.command_line import RunArena
from tests.support.failing_bots import FAULTS
from tests.support.matches import (
    FAILING,
    Diarist,
    First,
    cases,
    fault_of,
    played,
    seat_bot,
    without_times,
)


class Gambler(First):
    """Plays as First does, after drawing many random numbers."""

    def choose(self, view: View) -> int:
        for _ in range(100):
            self.rng.below(6)
        return super().choose(view)


class Last(First):
    """Plays the last move."""

    def choose(self, view: View) -> int:
        return view.moves[-1]


def deal(result: Result) -> list[int]:
    """Chance outcomes before the first decision: leaders, tavern, first player and all hands."""
    state = result.replay.new()
    outcomes = []
    for move in result.replay.moves:
        if state.actor != CHANCE:
            break
        outcomes.append(move)
        state.play(move)
    return outcomes


# ---- one seed, one game -------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_same_seed_gives_the_same_game_byte_for_byte(players: int) -> None:
    bots = ["greedy", "random", "ismcts:iterations=5", "random", "greedy", "random"][:players]
    limits: dict[str, object] = {"rounds": 4}
    texts = [without_times(played(*bots, seed=5, options=limits).replay) for _ in range(2)]
    assert texts[0] == texts[1]
    assert without_times(played(*bots, seed=6, options=limits).replay) != texts[0]


def test_bots_do_not_change_the_deal() -> None:
    deals = [deal(played(*bots, seed=9)) for bots in (("random",) * 3, (First,) * 3, (Last,) * 3)]
    assert len(deals[0]) == 3 + 3 + 1 + 3 * 5
    assert deals[0] == deals[1] == deals[2]
    assert deal(played("random", "random", "random", seed=10)) != deals[0]


def test_random_numbers_drawn_by_one_bot_change_nothing_for_others() -> None:
    calm = played(First, "random", First, seed=4)
    wild = played(Gambler, "random", Gambler, seed=4)
    assert calm.replay.moves == wild.replay.moves


def test_chance_gives_the_same_cards_for_the_same_plies() -> None:
    """Two games agree, chance included, until the first decision that differs."""
    first, last = played("random", First, seed=3).replay, played("random", Last, seed=3).replay
    state = first.new()
    for move, instead in zip(first.moves, last.moves, strict=False):
        if move != instead:
            break
        state.play(move)
    assert state.actor == 1


def test_derived_seeds_differ_and_repeat() -> None:
    seeds = {
        derive_seed(seed, *name)
        for seed in range(50)
        for name in (("deal",), ("bot", 0), ("bot", 1))
    }
    assert len(seeds) == 150
    assert derive_seed(1, "bot", 0) == derive_seed(1, "bot", 0)


class Witness(First):
    """Remembers what each of its instances has at the start."""

    streams: ClassVar[list[int]]
    thresholds: ClassVar[list[int]]
    budgets: ClassVar[list[Budget]]

    def start(self, view: View) -> None:
        assert isinstance(view, HiddenLeadersView)
        self.streams.append(self.rng.x)
        self.thresholds.append(view.threshold)
        self.budgets.append(self.budget)


@pytest.fixture(autouse=True)
def _forget() -> None:
    Witness.streams, Witness.thresholds, Witness.budgets = [], [], []


def test_bots_and_the_deal_have_different_random_streams() -> None:
    played(Witness, Witness, Witness, seed=6)
    assert len({*Witness.streams, Rng(derive_seed(6, "deal")).x}) == 4


def test_the_replay_names_the_bots() -> None:
    result = played("random", First, seed=8)
    assert result.replay.extra == {"seed": 8, "seats": ["random", "First"]}
    assert result.winners == result.replay.state().winners()


def test_options_reach_the_game_and_every_view() -> None:
    result = played(Witness, Witness, options={"threshold": 3, "deck": "beginner"})
    assert Witness.thresholds == [3, 3]
    assert result.replay.options == {"threshold": 3, "deck": "beginner"}
    state = result.replay.state()
    assert isinstance(state, HiddenLeaders)
    assert state.threshold == 3


# ---- what bots receive and explain --------------------------------------------------------------


class Explainer(Diarist):
    """Explains some of its moves."""

    instances: ClassVar[list["Explainer"]] = []
    asked = 0

    def start(self, view: View) -> None:
        super().start(view)
        self.instances.append(self)

    def choose(self, view: View) -> int:
        self.asked += 1
        return super().choose(view)

    def explain(self) -> str:
        return "for luck" if len(self.received) % 2 else ""


@pytest.mark.parametrize("seed", range(3))
def test_every_bot_observes_exactly_its_own_events(seed: int) -> None:
    Explainer.instances.clear()
    result = played(Explainer, Explainer, Explainer, seed=seed)
    state = result.replay.new(record=True)
    for move in result.replay.moves:
        state.play(move)
    bots = Explainer.instances
    assert [bot.seat for bot in bots] == [0, 1, 2]
    assert [bot.received for bot in bots] == [state.take_events(seat) for seat in range(3)]
    assert sum(bot.asked for bot in bots) == result.decisions


def test_reasons_are_kept_under_their_plies() -> None:
    watched: list[tuple[int, int, str]] = []

    def watch(state: State, move: int, reason: str) -> None:
        watched.append((state.actor, move, reason))

    result = played(Explainer, First, watch=watch)
    assert len(watched) == result.decisions
    given = [(move, reason) for _, move, reason in watched if reason]
    assert [(result.replay.moves[ply], reason) for ply, reason in result.reasons.items()] == given
    assert {reason for _, reason in given} == {"for luck"}
    assert {actor for actor, _, reason in watched if reason} == {0}


def test_a_reason_of_none_is_no_reason() -> None:
    class Silent(First):
        def explain(self) -> str:
            return None  # type: ignore[return-value]

    assert played(Silent, Silent).reasons == {}


def test_a_forced_move_does_not_repeat_the_last_explanation() -> None:
    result = played("ismcts:iterations=20", "random", seed=2, options={"rounds": 6})
    state = result.replay.new()
    explained = 0
    for ply, move in enumerate(result.replay.moves):
        if state.actor == 0:
            assert (ply in result.reasons) == (len(state.moves()) > 1)
            explained += ply in result.reasons
        state.play(move)
    assert explained == len(result.reasons) > 5


def test_the_budget_reaches_every_bot() -> None:
    played(Witness, Witness, budget=Budget(iterations=7))
    played(Witness, "random")
    assert Witness.budgets == [Budget(7, 0.0), Budget(7, 0.0), Budget()]


# ---- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bot", "kind", "problem"), cases(row[:3] for row in FAULTS))
def test_a_fault_names_seat_bot_and_decision(bot: str, kind: FaultKind, problem: str) -> None:
    fault = fault_of(seat_bot(f"{FAILING}:{bot}"), "random", "random")
    assert fault.kind == kind
    assert problem in str(fault)


@pytest.mark.parametrize("bot", [bot for bot, *_ in FAULTS])
@pytest.mark.parametrize("show", [[], ["--show"]], ids=["quiet", "shown"])
def test_the_command_line_reports_a_fault_in_one_line_below_the_frames(
    bot: str, show: list[str], arena: RunArena
) -> None:
    outcome = arena("match", "random", f"{FAILING}:{bot}", *show, "-q", code=2)
    *frames, line = outcome.err.splitlines()
    when = "(at decision|before its first decision:) "
    assert re.match(re.escape(f"arena: B ({FAILING}:{bot}) ") + when, line)
    assert all(frame.startswith("  ") for frame in frames)
    assert len(line) < 700
    assert "Traceback" not in outcome.out


def test_ctrl_c_stops_the_host_but_in_a_worker_it_is_the_bots_fault() -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        played("random", f"{FAILING}:Presses")
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the workers of a league
    try:
        with pytest.raises(BotFault, match="raised KeyboardInterrupt"):
            played("random", f"{FAILING}:Presses")
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_decision_of_a_fault_counts_those_of_all_bots() -> None:
    class Short(First):
        asked = 0

        def choose(self, view: View) -> int:
            self.asked += 1
            if self.asked == 3:
                raise RuntimeError(view.decisions)
            return super().choose(view)

    fault = fault_of(seat_bot(Short), First, First)
    assert fault.problem == f"raised RuntimeError: {fault.decision}"
