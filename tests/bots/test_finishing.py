"""`endgame=solver`: wins of this turn that are certain are taken, and nothing else is changed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from arena.match.referee import play_game
from bots.greedy import Greedy
from bots.ismcts.finishing import sure_win
from bots.runtime.loading import load
from games.engine import COMPILED
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
from games.hidden_leaders.rules.cards import HEROES, NUMBER
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
from tests.support.views import follow
from tests.support.views import seen as watched
from tests.support.winning_positions import STORIES

RULES = game("hidden-leaders")
GAMES = range(40 if COMPILED else 6)
HASTY = "ismcts:iterations=1"
BRISK = "ismcts:iterations=8,suspicion=0"


def wins_by(text: str) -> str:
    """What the solver plays at once, in words; nothing if it is not sure."""
    state = read(text).complete(Rng(1))
    move = sure_win(late_view(state, 0))
    return "" if move is None else move_text(state, move)


@pytest.mark.parametrize("name", STORIES)
def test_a_hasty_search_finds_every_win_of_this_turn_with_it(name: str) -> None:
    make, texts = STORIES[name]
    story = make()
    view = watched(story, 0)
    bot = load(f"{HASTY},endgame=solver").make(0, 1)
    bot.start(view)
    for text in texts:
        choice = bot.choose(view)
        assert view.text(choice) == text
        assert bot.explain() == "solver says so"
        story.choose(text)
        follow(view, story)


# ---- what is certain --------------------------------------------------------------------------

MYRAD = "threshold 3; red 6; green 6; A leader Myrad hand FuFr open DeDr BlCo; B leader ?"


def test_a_rival_is_feared_for_its_hidden_heroes_and_its_leader() -> None:
    assert wins_by(f"{MYRAD}") == "play Furious Frog"
    assert wins_by(f"{MYRAD} hidden ?") == "play Furious Frog"
    # Two hidden heroes may be of the Tribes, and then B has as many, and fewer heroes in all.
    assert wins_by(f"{MYRAD} hidden ? ?") == ""
    # With as many heroes the highest leader wins: Pavyr may be B.
    assert wins_by(f"{MYRAD} open UnMe hidden ? ?") == ""
    assert wins_by(f"{MYRAD} open UnMe KeKo hidden ? ?") == "play Furious Frog"


def test_only_as_many_heroes_are_feared_as_there_are() -> None:
    few = "deck DeDr BlCo FuFr UnMe KeKo ApWa GrPr LoLo"
    assert wins_by(f"{MYRAD} hidden ? ?; {few}") == "play Furious Frog"
    assert wins_by(f"{MYRAD} hidden ? ?; {few} SpSh") == ""


def test_a_leader_that_the_seat_has_itself_is_not_feared() -> None:
    # Only Pavyr and Lemron could share the Tribes with Myrad, and only Pavyr is higher.
    tie = MYRAD.replace("Myrad", "Pavyr") + " open UnMe hidden ? ?"
    assert wins_by(tie) == "play Furious Frog"


def test_no_hero_is_trusted_that_looks_at_what_is_unseen() -> None:
    bold = {hero.name for number, hero in enumerate(HEROES) if not harmless_alone(number)}
    assert bold == {
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
def test_a_hero_that_brings_others_in_is_trusted_as_far_as_they_are(
    position: str, hero: str, trusted: bool
) -> None:
    state = read(f"{position}; B leader Myrad").state()
    assert harmless(state, NUMBER[hero]) is trusted


@pytest.mark.parametrize(
    "position",
    [
        "threshold 6; red 6; green 6; A leader Myrad hand FuFr open DeDr BlCo; B leader ?",
        "threshold 3; red 6; green 6; A leader Myrad hand CuTr open DeDr BlCo; B leader ?",
    ],
    ids=["the end is far", "nothing but a card that looks"],
)
def test_there_is_nothing_to_prove(position: str) -> None:
    assert worst_cases(late_view(read(position).complete(Rng(1)), 0)) is None


def test_in_the_turn_of_another_nothing_is_proven() -> None:
    state = read(
        "turn B; threshold 3; red 7; green 5; A leader Xiadul hand KeKo; "
        "B leader Pavyr hand DoPr open UnMe AcFi"
    ).state()
    state.play(NUMBER["Doubtful Priest"])
    assert state.actor == 0
    assert worst_cases(late_view(state, 0)) is None


# ---- in games ---------------------------------------------------------------------------------


def played(seed: int) -> Iterator[tuple[HiddenLeaders, HiddenLeadersView]]:
    """A game of greedy players who take sure wins: every decision, before it is made."""
    players = 2 + seed % 5
    luck = Rng(seed)
    state = RULES.new(players, record=True)
    assert isinstance(state, HiddenLeaders)
    views = [RULES.view(seat, players) for seat in range(players)]
    bots = [Greedy(seat, Rng(seed + seat)) for seat in range(players)]
    while state.actor != NOBODY:
        for view in views:
            for event in state.take_events(view.seat):
                view.observe(event)
        if state.actor == CHANCE:
            state.sample_chance(luck)
            continue
        view = views[state.actor]
        assert isinstance(view, HiddenLeadersView)
        yield state, view
        move = sure_win(view)
        state.play(bots[state.actor].choose(view) if move is None else move)


def test_what_was_called_sure_comes_true_and_holds_in_every_world_drawn() -> None:
    proven = 0
    for seed in GAMES:
        winner = NOBODY
        luck = Rng(seed)
        for state, view in played(seed):
            move = sure_win(view)
            if move is None:
                continue
            assert winner in (NOBODY, view.seat)
            winner = view.seat
            question = Question(winner, win(winner, "it"), horizon=1)
            for world in (state, *(view.sample(luck) for _ in range(5))):
                answer = solve_open(question, world.copy(), NodeBudget(), lines=False)
                assert {one.likely[0] for one in answer.values if one.move == move} == {1}
        if winner != NOBODY:
            proven += 1
            assert state.winners() == (winner,)
    assert proven >= len(GAMES) // 5


def test_lines_that_touch_nothing_unseen_are_the_same_in_all_worlds() -> None:
    compared = 0
    for seed in GAMES:
        dice = random.Random(seed)
        for state, view in played(seed):
            board = view.board()
            if dice.random() < 0.8 or state.player != view.seat or state.frame != FRAMES:
                continue
            moves = [move for move in view.moves if touches_nothing_unseen(board, move)]
            if moves:
                compared += 1
                line(list(worst_worlds(board, view.deck)), dice.choice(moves), dice)
    assert compared > len(GAMES)


def line(tables: list[HiddenLeaders], move: int, dice: random.Random) -> None:
    """Make the same choices on all tables until the action is over; they must stay alike."""
    for table in tables:
        table.play(move)
    while tables[0].frame != FRAMES:
        choices = tables[0].moves()
        assert all(table.moves() == choices for table in tables)
        choice = dice.choice(choices)
        for table in tables:
            table.play(choice)
    told = {
        (table.red, table.green, *(tuple(table.cards(Zone.OPEN + k)) for k in range(table.players)))
        for table in tables
    }
    assert len(told) == 1


def test_no_other_decision_is_changed() -> None:
    fired = 0
    for seed in (0, 3):
        plain = play_game(RULES, [load(BRISK)] * 2, seed)
        finished = play_game(RULES, [load(f"{BRISK},endgame=solver")] * 2, seed)
        first = next(
            (ply for ply, reason in sorted(finished.reasons.items()) if "solver" in reason), None
        )
        assert plain.replay.moves[:first] == finished.replay.moves[:first]
        fired += first is not None
    assert fired


# ---- any game ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hidden-leaders", "secrets"])
def test_a_view_leads_to_its_game(name: str) -> None:
    rules = game(name)
    assert game_of(rules.view(0, rules.min_players)) is rules


def test_a_game_without_worst_cases_is_searched_as_ever() -> None:
    class Elsewhere(View):
        pass

    factories = [load(f"{HASTY},endgame=solver")] * 4
    assert play_game(game("secrets"), factories, 1).winners is not None
    with pytest.raises(Exception, match="Elsewhere is the View of no game"):
        game_of(Elsewhere(0, 2))
