"""The search: correct on games of known value, blind to hidden cards, deterministic by seed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Final

import pytest

from bots.ismcts.bot import Ismcts
from bots.ismcts.tree import Search
from bots.runtime.loading import load_bot
from games.conformance import check_game
from games.engine import COMPILED
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.constants import Move
from games.hidden_leaders.rules.state import new_game
from games.state import CHANCE, NOBODY, Rng
from games.view import View
from tests.support.layered_game import COVERED, Layers, LayerState
from tests.support.playing import random_move
from tests.support.scenario import given, player
from tests.support.views import follow, seen
from tests.support.volume import volume
from tests.support.winning_positions import STORIES, Story

TREES: Final = ("so", "mo")
SEEDS: Final = volume(30, 4)


# ---- a game of known value ----------------------------------------------------------------------

BET, OTHER = 0, 1
TOSSES = tuple(product((0, 1), repeat=2))
PENNY_GAME = Layers(
    2,
    (CHANCE, CHANCE, 0, 1),
    (True, True, False, False),
    ((1, 1),) * 4,
    {(*toss, BET): int(toss == (1, 1)) for toss in TOSSES}
    | {(*toss, OTHER, reply): reply for toss in TOSSES for reply in (0, 1)},
)
"""Two coins are tossed in secret. Seat 0 bets that a head is among them, which wins 3/4, or leaves
it to seat 1 who wins, which wins nothing."""

SHELL_GAME = Layers(
    2,
    (CHANCE, CHANCE, 0, 1, 1),
    (True, True, False, True, False),
    ((1, 1),) * 5,
    {(*toss, BET): int(toss != (1, 1)) for toss in TOSSES}
    | {(*toss, OTHER, pea, said): int(pea == said) for toss in TOSSES for pea, said in TOSSES},
)
"""Seat 0 bets on two tails, which wins 1/4, or lets seat 1 hide a pea under a shell and then find
it. Seat 1 knows where it hid the pea and wins, unless the search makes it forget."""


class LayersView(View):
    """What seat 0 sees after both tosses: nothing of the coins."""

    def __init__(self, rules: Layers) -> None:
        super().__init__(0, 2)
        self.rules = rules
        self.actor = 0
        self.moves = [BET, OTHER]

    def sample(self, rng: Rng) -> LayerState:
        return LayerState(self.rules, (int(rng.below(2)), int(rng.below(2))))


def search_layers(rules: Layers, tree: str, seed: int, iterations: int) -> Search:
    search = Search(0, 2, COVERED + 1)
    search.tree_per_seat = tree == "mo"
    view, rng = LayersView(rules), Rng(seed)
    for _ in range(iterations):
        search.iterate(view.sample(rng), rng)
    return search


@pytest.mark.parametrize("rules", [PENNY_GAME, SHELL_GAME], ids=["pennies", "shells"])
def test_the_games_of_known_value_are_valid(rules: Layers) -> None:
    assert check_game(partial(LayerState, rules), games=20).games == 20


@pytest.mark.parametrize("tree", TREES)
def test_it_finds_the_best_move_of_a_game_of_known_value(tree: str) -> None:
    for seed in range(20):
        assert searched(LayersView(PENNY_GAME), seed, 300, tree).best([BET, OTHER]) == BET


@pytest.mark.parametrize("tree", TREES)
def test_win_rates_approach_the_true_values(tree: str) -> None:
    """A bet is worth its odds, and the opponent is expected to win what is left to it."""
    search = search_layers(PENNY_GAME, tree, 5, 4000)
    shares = {move: share for move, _, share in search.table()}
    assert shares[BET] == pytest.approx(0.75, abs=0.03)
    assert shares[OTHER] < 0.3
    assert search.iterations == 4000


@pytest.mark.parametrize("tree", TREES)
def test_the_bot_plays_the_penny_game(tree: str) -> None:
    bot = Ismcts(0, Rng(1))
    bot.tree = tree
    assert bot.choose(LayersView(PENNY_GAME)) == BET
    assert bot.explain().startswith("wins 7")


@pytest.mark.parametrize(("tree", "move", "value"), [("so", OTHER, 0.5), ("mo", BET, 0.25)])
def test_a_seat_remembers_what_it_hid_only_in_its_own_tree(
    tree: str, move: int, value: float
) -> None:
    """With one tree seat 1 forgets its own pea, so that a bet (1/4) looks worse."""
    search = search_layers(SHELL_GAME, tree, 1, 3000)
    assert search.best([BET, OTHER]) == move
    shares = {row[0]: row[2] for row in search.table()}
    assert shares[move] == pytest.approx(value, abs=0.05)


# ---- constructed wins ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_it_finds_a_win_in_one_turn(story: Story, tree: str) -> None:
    position, texts = story
    solved = 0
    for seed in range(SEEDS):
        game = position()
        view = seen(game, 0)
        bot = load_bot(f"ismcts:iterations=200,tree={tree}").make(0, seed)
        played: list[str] = []
        for _ in texts:
            move = bot.choose(view)
            played.append(view.text(move))
            if played != texts[: len(played)]:
                break
            game.state.play(move)
            follow(view, game)
        solved += played == texts
    assert solved >= 0.95 * SEEDS


def test_eager_rollouts_find_it_too() -> None:
    position, texts = STORIES["water"]
    view = seen(position(), 0)
    bot = load_bot("ismcts:iterations=200,rollout=eager").make(0, 1)
    assert view.text(bot.choose(view)) == texts[0]


# ---- positions of real games --------------------------------------------------------------------


def decisions(players: int, seed: int, seat: int) -> Iterator[HiddenLeadersView]:
    """The View of a seat at each of its decisions between several moves in a random game."""
    state = new_game(players, record=True)
    view = HiddenLeadersView(seat, players)
    rng = Rng(seed)
    while state.actor != NOBODY:
        random_move(state, rng)
        for event in state.take_events(seat):
            view.observe(event)
        if state.actor == seat and len(view.moves) > 1:
            yield view


def nth(views: Iterator[HiddenLeadersView], n: int) -> HiddenLeadersView:
    for _ in range(n):
        next(views)
    return next(views)


def searched(
    view: View, seed: int, iterations: int, tree: str = "so", seconds: float = 0.0
) -> Search:
    search = Search(view.seat, view.players, view.sample(Rng(1)).move_limit)
    search.tree_per_seat = tree == "mo"
    search.run(view, Rng(seed), iterations, seconds)
    return search


@pytest.mark.parametrize("tree", TREES)
def test_the_same_seed_gives_the_same_statistics(tree: str) -> None:
    view = nth(decisions(3, 2, 0), 6)
    tables = [searched(view, seed, 60, tree).table() for seed in (1, 1, 2)]
    assert tables[0] == tables[1] != tables[2]


@pytest.mark.parametrize("tree", TREES)
def test_exactly_the_legal_moves_are_tried(tree: str) -> None:
    views = decisions(4, 3, 1)
    for _ in range(5):
        view = nth(views, 2)
        table = searched(view, 1, 64, tree).table()
        assert sorted(move for move, _, _ in table) == view.moves
        assert sum(visits for _, visits, _ in table) == 64


def test_an_early_stop_does_not_change_the_best_move() -> None:
    stopped = 0
    iterations = 400 if COMPILED else 130
    for seed in range(volume(8, 2)):
        view = nth(decisions(2, seed, 0), 3 + seed)
        short = searched(view, seed, iterations)
        long = Search(0, 2, view.sample(Rng(1)).move_limit)
        rng = Rng(seed)
        for _ in range(iterations):
            long.iterate(view.sample(rng), rng)
        assert short.best(view.moves) == long.best(view.moves)
        stopped += short.iterations < long.iterations
    assert stopped > 0


def test_a_clear_decision_stops_early() -> None:
    position, texts = STORIES["water"]
    view = seen(position(), 0)
    short = searched(view, 1, 2000)
    assert short.iterations < 2000
    assert view.text(short.best(view.moves)) == texts[0]


def test_a_time_limit_stops_a_search() -> None:
    view = nth(decisions(2, 1, 0), 3)
    assert searched(view, 1, 10_000_000, seconds=0.01).iterations < 1_000_000


def test_a_tree_can_outgrow_its_first_arrays() -> None:
    ends = dict.fromkeys(product((0, 1), repeat=12), 0)
    rules = Layers(2, (0, 1) * 6, (False,) * 12, ((1, 1),) * 12, ends)
    search, rng = Search(0, 2, COVERED + 1), Rng(1)
    search.tree_per_seat = True
    for _ in range(2500):
        search.iterate(LayerState(rules), rng)
    assert search.nodes > 4096
    assert sum(visits for _, visits, _ in search.table()) == search.iterations


# ---- reusing the tree ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "kept"),
    [("", True), (",reuse=off", False), (",tree=mo", False)],
    ids=["one tree", "switched off", "tree per seat"],
)
def test_a_tree_is_reused_within_a_turn(options: str, kept: bool) -> None:
    game = STORIES["undead"][0]()
    view = seen(game, 0)
    bot = load_bot(f"ismcts:iterations=100{options}").make(0, 1)
    assert isinstance(bot, Ismcts)
    move = bot.choose(view)
    before = bot._search
    assert before is not None
    done = before.iterations
    visits = {row[0]: row[1] for row in before.table()}[move]
    game.state.play(move)
    follow(view, game)
    bot.choose(view)
    after = bot._search
    assert after is not None
    assert (after is before) == kept
    if kept:
        known = sum(row[1] for row in after.table())
        assert known == visits - 1 + after.iterations - done


def test_a_tree_is_not_reused_after_another_seats_decision() -> None:
    views = decisions(2, 4, 0)
    bot = load_bot("ismcts:iterations=10").make(0, 1)
    assert isinstance(bot, Ismcts)
    trees = 0
    last = -1
    before = None
    for _ in range(20):
        view = next(views)
        if last >= 0 and view.decisions > last + 1:
            bot.choose(view)
            assert bot._search is not before
            trees += 1
        else:
            bot._search = None  # the game does not follow the move the bot would make
            bot.choose(view)
        before, last = bot._search, view.decisions
    assert trees > 2


def test_following_an_untried_move_starts_an_empty_tree() -> None:
    search = search_layers(PENNY_GAME, "so", 1, 50)
    search.follow(COVERED)
    assert search.table() == []
    assert search.best([BET, OTHER]) == BET


# ---- face-down moves ----------------------------------------------------------------------------


def children(search: Search, node: int) -> Iterator[int]:
    child = search.first[node]
    while child:
        yield child
        child = search.next[child]


def below(search: Search, node: int) -> Iterator[int]:
    """All nodes below this one."""
    for child in children(search, node):
        yield child
        yield from below(search, child)


@pytest.mark.parametrize("tree", TREES)
def test_face_down_discards_of_other_seats_are_one_branch(tree: str) -> None:
    """In no tree are the discards of a seat other than its owner told apart."""
    concealed = own = 0
    for seed in range(4 if COMPILED else 1):
        view = nth(decisions(3, seed, 2), 8)
        search = searched(view, seed, 1500 if COMPILED else 300, tree)
        for owner in range(3) if tree == "mo" else [2]:
            for node in below(search, search.roots[owner]):
                move, mover = search.move[node], search.mover[node]
                if mover == owner:
                    own += Move.DISCARD <= move < 2 * Move.DISCARD
                    assert move != Move.CONCEALED
                else:
                    assert not Move.DISCARD <= move < 2 * Move.DISCARD
                    concealed += move == Move.CONCEALED
    assert concealed > 0
    assert own > 0


def test_no_two_branches_of_a_node_have_the_same_move() -> None:
    view = nth(decisions(3, 1, 0), 8)
    search = searched(view, 1, 1500 if COMPILED else 300)
    for node in below(search, search.roots[0]):
        moves = [search.move[k] for k in children(search, node)]
        assert len(moves) == len(set(moves))


@pytest.mark.parametrize("tree", TREES)
def test_worlds_that_look_the_same_are_searched_the_same(tree: str) -> None:
    """Only the View matters, not the true cards behind it."""
    tables = []
    for hand, hidden, leader in (
        ("Ace Fighter", "Bored Goblin", "Cyra"),
        ("Keen Koi", "Hairy Hermit", "Enned"),
    ):
        game = given(
            player(0, hand=["Depressed Druid", "Curious Troll"], leader="Lemron"),
            player(1, hand=[hand], hidden=[hidden], leader=leader),
            tavern=["Aimless Eel", "Rotting Orangutan", "Canned Champion"],
        )
        tables.append(searched(seen(game, 0), 3, 50, tree).table())
    assert tables[0] == tables[1]
