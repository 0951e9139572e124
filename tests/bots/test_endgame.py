"""Endgame functions: the solver takes certain wins and changes nothing else; so do users' own."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from arena import play_game
from bots.greedy import Greedy
from bots.ismcts.endgame import sure_win
from bots.options import BadOption
from bots.runtime.loading import load_bot
from games.hidden_leaders.knowledge.late_view import late_view
from games.hidden_leaders.knowledge.safe_wins import (
    harmless,
    harmless_alone,
    touches_nothing_unseen,
    worst_cases,
    worst_worlds,
)
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.rules.cards import CARD_NUMBER, HEROES
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import FRAMES
from games.hidden_leaders.text.moves import move_text
from games.registry import game, game_of
from games.state import CHANCE, NOBODY, Rng
from games.view import View
from solver.answer import solve_open
from solver.core.budget import NodeBudget
from solver.core.question import Question, win
from tests.support.cases import Case, Table
from tests.support.views import follow, seen
from tests.support.volume import IS_FULL, volume
from tests.support.winning_positions import STORIES

GAMES = range(volume(24, 3))
SHALLOW = "ismcts:iterations=1"
QUICK = "ismcts:iterations=8,suspicion=0"


@pytest.mark.parametrize("name", STORIES)
def test_a_shallow_search_with_the_solver_finds_every_win_of_this_turn(name: str) -> None:
    make, texts = STORIES[name]
    story = make()
    view = seen(story, 0)
    bot = load_bot(f"{SHALLOW},endgame=solver").make(0, 1)
    bot.start(view)
    for text in texts:
        choice = bot.choose(view)
        assert view.text(choice) == text
        assert bot.explain() == "solver says so"
        story.choose(text)
        follow(view, story)


# ---- proofs -----------------------------------------------------------------------------------

MYRAD = "threshold 3; red 6; green 6; A leader Myrad hand FuFr open DeDr BlCo; B leader ?"


FEW = "deck DeDr BlCo FuFr UnMe KeKo ApWa GrPr LoLo"
PAVYR = MYRAD.replace("Myrad", "Pavyr")
OTHERS_TURN = (
    "turn B; threshold 3; red 7; green 5; A leader Xiadul hand KeKo; "
    "B leader Pavyr hand DoPr open UnMe AcFi"
)


@pytest.mark.parametrize(
    ("position", "sure"),
    [
        (MYRAD, True),
        (f"{MYRAD} hidden ?", True),
        # Two hidden heroes may be of the Tribes, and then B has as many, and fewer heroes in all.
        (f"{MYRAD} hidden ? ?", False),
        # With as many heroes the highest leader wins: Pavyr may be B.
        (f"{MYRAD} open UnMe hidden ? ?", False),
        (f"{MYRAD} open UnMe KeKo hidden ? ?", True),
        # No more heroes are assumed than the deck has.
        (f"{MYRAD} hidden ? ?; {FEW}", True),
        (f"{MYRAD} hidden ? ?; {FEW} SpSh", False),
        # Only Pavyr and Lemron could share the Tribes with Myrad, and only Pavyr is higher; but an
        # opponent cannot have the seat's own leader.
        (f"{PAVYR} open UnMe hidden ? ?", True),
    ],
)
def test_what_is_hidden_is_assumed_the_worst(position: str, sure: bool) -> None:
    state = read(position).complete(Rng(1))
    move = sure_win(late_view(state, 0))
    assert move is not None if sure else move is None
    assert move is None or move_text(state, move) == "play Furious Frog"


def test_heroes_that_touch_unseen_cards_are_never_trusted() -> None:
    untrusted = {hero.name for number, hero in enumerate(HEROES) if not harmless_alone(number)}
    assert untrusted == {
        *("Joyless Chief", "Curious Troll", "Curious Cat Lover", "Watchful Witch"),
        *("Long-Eared Loner", "Spirited Shaman", "Doubtful Priest", "Modest Monsterslayer"),
        *("Androgynous Assassin", "Resilient Rearguard", "Ghastly Granny", "Insidious Impaler"),
        *("Will-Bending Witch", "Sun-Shy Skeleton", "Slaughtered Slime", "Careless Cartographer"),
        *("Pessimistic Whaleman", "Tentacle Oracle", "Deep Sea Squire", "Saltwater Sage"),
        *("Miniature Merman", "Bludgeoning Blowfish", "Underwater Artist"),
    }


@pytest.mark.parametrize(
    ("position", "hero", "trusted"),
    [
        ("A leader Cyra hand DoPr FuFr", "Doubtful Priest", True),
        ("A leader Cyra hand DoPr CuTr", "Doubtful Priest", False),
        ("A leader Cyra hand GhGr open FuFr ArSk", "Ghastly Granny", True),
        ("A leader Cyra hand GhGr open FuFr CuTr", "Ghastly Granny", False),
        ("tavern KeKo - ApWa; A leader Cyra hand InIm", "Insidious Impaler", True),
        ("tavern KeKo - CuTr; A leader Cyra hand InIm", "Insidious Impaler", False),
    ],
)
def test_a_hero_that_performs_others_is_trusted_only_if_they_are(
    position: str, hero: str, trusted: bool
) -> None:
    state = read(f"{position}; B leader Myrad").state()
    assert harmless(state, CARD_NUMBER[hero]) is trusted


@pytest.mark.parametrize(
    ("position", "first"),
    [
        (MYRAD.replace("threshold 3", "threshold 6"), ""),
        (MYRAD.replace("FuFr", "CuTr"), ""),
        (OTHERS_TURN, "Doubtful Priest"),
    ],
    ids=["the end is out of reach", "only a hero that looks at cards", "another seat's turn"],
)
def test_without_worst_cases_there_is_nothing_to_prove(position: str, first: str) -> None:
    state = read(position).complete(Rng(1))
    if first:
        state.play(CARD_NUMBER[first])
    assert state.actor == 0
    assert worst_cases(late_view(state, 0)) is None


# ---- in games ---------------------------------------------------------------------------------


def decisions_of_a_game(seed: int) -> Iterator[tuple[HiddenLeaders, HiddenLeadersView]]:
    """Every decision, before it is made, of a game of greedy bots that take sure wins."""
    table = Table[HiddenLeaders, HiddenLeadersView](Case("hidden-leaders", 2 + seed % 5, seed))
    state, rng = table.state, Rng(seed)
    bots = [Greedy(view.seat, Rng(seed + view.seat)) for view in table.views]
    while state.actor != NOBODY:
        table.fold()
        if state.actor == CHANCE:
            state.sample_chance(rng)
            continue
        view = table.views[state.actor]
        yield state, view
        move = sure_win(view)
        state.play(bots[state.actor].choose(view) if move is None else move)


@pytest.mark.slow
def test_a_proven_win_comes_true_and_holds_in_every_sampled_world() -> None:
    proven = 0
    for seed in GAMES:
        winner = NOBODY
        rng = Rng(seed)
        for state, view in decisions_of_a_game(seed):
            move = sure_win(view)
            if move is None:
                continue
            assert winner in (NOBODY, view.seat)
            winner = view.seat
            question = Question(winner, win(winner, "it"), horizon=1)
            for world in (state, *(view.sample(rng) for _ in range(5))):
                answer = solve_open(question, world.copy(), NodeBudget(), lines=False)
                assert {value.likely[0] for value in answer.values if value.move == move} == {1}
        if winner != NOBODY:
            proven += 1
            assert state.winners() == (winner,)
    if IS_FULL:
        assert proven >= len(GAMES) // 5


@pytest.mark.slow
def test_lines_that_touch_nothing_unseen_are_equal_in_all_worlds() -> None:
    compared = 0
    for seed in GAMES:
        dice = random.Random(seed)
        for state, view in decisions_of_a_game(seed):
            board = view.board()
            if dice.random() < 0.8 or state.player != view.seat or state.frame != FRAMES:
                continue
            moves = [move for move in view.moves if touches_nothing_unseen(board, move)]
            if moves:
                compared += 1
                check_line(list(worst_worlds(board, view.deck)), dice.choice(moves), dice)
    assert compared > len(GAMES)


def check_line(tables: list[HiddenLeaders], move: int, dice: random.Random) -> None:
    """Make the same choices on all tables until the action is over; they must stay equal."""
    for table in tables:
        table.play(move)
    while tables[0].frame != FRAMES:
        choices = tables[0].moves()
        assert all(table.moves() == choices for table in tables)
        choice = dice.choice(choices)
        for table in tables:
            table.play(choice)
    outcomes = {
        (table.red, table.green, *(tuple(table.cards(Zone.OPEN + k)) for k in range(table.players)))
        for table in tables
    }
    assert len(outcomes) == 1


@pytest.mark.compiled
def test_the_solver_changes_no_other_decision() -> None:
    used = 0
    for seed in (0, 3):
        without = play_game([QUICK] * 2, seed=seed)
        with_solver = play_game([f"{QUICK},endgame=solver"] * 2, seed=seed)
        first = next(
            (ply for ply, reason in sorted(with_solver.reasons.items()) if "solver" in reason), None
        )
        assert without.replay.moves[:first] == with_solver.replay.moves[:first]
        used += first is not None
    assert used


# ---- any game ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hidden-leaders", "secrets"])
def test_the_game_of_a_view_is_known(name: str) -> None:
    rules = game(name)
    assert game_of(rules.view(0, rules.min_players)) is rules


def test_a_game_without_worst_cases_is_searched() -> None:
    class UnknownView(View):
        pass

    bots = [f"{SHALLOW},endgame=solver"] * 4
    assert play_game(bots, game="secrets").winners is not None
    with pytest.raises(Exception, match="UnknownView is the View of no game"):
        game_of(UnknownView(0, 2))


# ---- functions of the user ----------------------------------------------------------------------


class Finishing(ModuleType):
    """A module whose function takes over after twenty decisions and plays the last move."""

    calls = 0
    text = "no function"

    def finish(self, view: View) -> int | None:
        self.calls += 1
        return view.moves[-1] if view.decisions > 20 else None


@pytest.fixture
def finishing(monkeypatch: pytest.MonkeyPatch) -> Finishing:
    module = Finishing("finishing")
    monkeypatch.setitem(sys.modules, "finishing", module)
    return module


def test_the_function_is_asked_first_and_may_decline(finishing: Finishing) -> None:
    bots = ["ismcts:iterations=16,endgame=finishing.finish", "random"]
    reasons = play_game(bots, seed=3).reasons.values()
    assert finishing.calls > 2
    assert any(reason == "finishing.finish says so" for reason in reasons)
    assert any("worlds of" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("finish", "write solver, or a dotted path"),
        ("nowhere.finish", "cannot be imported: No module named 'nowhere'"),
        ("finishing.begin", "has no function 'begin'"),
        ("finishing.text", "has no function 'text'"),
    ],
)
def test_a_missing_function_is_reported_when_the_bot_is_loaded(
    finishing: Finishing, path: str, problem: str
) -> None:
    with pytest.raises(BadOption, match=problem):
        load_bot(f"ismcts:endgame={path}")
