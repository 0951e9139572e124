"""A person plays against bots: who is asked, what is shown, and what can be undone."""

from collections.abc import Callable, Iterator
from typing import ClassVar

import pytest

from arena.match.human_game import HumanGame, NoUndo
from arena.match.referee import BotFault, run_game
from bots import Bot
from bots.runtime.loading import ClassFactory, load_bot
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Event
from games.registry import game
from games.replay import read_replay, write_replay
from games.state import CHANCE, UNSEEN, Rng
from games.view import View

RULES = game("hidden-leaders")


def new_game(*bots: str | type[Bot], seat: int = 0, seed: int = 1) -> HumanGame:
    factories = [
        load_bot(bot) if isinstance(bot, str) else ClassFactory(bot.__name__, bot, {}, "here")
        for bot in bots
    ]
    seats = [other for other in range(len(bots) + 1) if other != seat]
    return HumanGame(RULES, seat, dict(zip(seats, factories, strict=True)), seed, lambda who: None)


def decisions(human: HumanGame) -> Iterator[View]:
    """The person's view whenever there is something to choose; the caller chooses."""
    human.advance()
    while not human.over:
        yield human.view
        human.advance()


def anything(rng: Rng) -> Callable[[View], int]:
    return lambda view: rng.choice(view.moves)


@pytest.mark.parametrize(("seat", "players"), [(0, 2), (1, 3), (3, 4), (2, 6)])
def test_a_game_ends_and_its_replay_reads_back(seat: int, players: int) -> None:
    human = new_game(*["random"] * (players - 1), seat=seat)
    choose = anything(Rng(3))
    for view in decisions(human):
        assert human.state.actor == view.seat == view.actor == seat
        assert view.moves == human.state.moves()
        assert len(view.moves) > 1
        human.choose(choose(view))
    replay = read_replay(write_replay(human.replay()))
    assert replay.state().winners() == human.state.winners()
    assert human.names == ["you" if other == seat else "random" for other in range(players)]


def test_the_same_seed_deals_as_in_a_match_between_bots() -> None:
    human = new_game("random", seed=5)
    human.advance()
    dealt = 2 + 1 + 3 + 2 * 5  # leaders, the first player, the tavern, hands
    match = run_game(RULES, [load_bot("greedy"), load_bot("random")], 5)
    assert tuple(human.moves[:dealt]) == match.replay.moves[:dealt]


# ---- undo ---------------------------------------------------------------------------------------


class Diarist(Bot):
    """Plays any move and keeps its events."""

    diaries: ClassVar[list[list[tuple[int, ...]]]] = []

    def start(self, view: View) -> None:
        self.received: list[tuple[int, ...]] = []
        self.diaries.append(self.received)

    def observe(self, event: tuple[int, ...]) -> None:
        self.received.append(event)

    def choose(self, view: View) -> int:
        return self.rng.choice(view.moves)


def waver(human: HumanGame, seed: int) -> int:
    """Play a whole game at random with some undos; returns how many."""
    rng = Rng(seed)
    known: dict[int, bytes] = {}
    undone = 0
    for view in decisions(human):
        if human.may_undo and rng.below(3) == 0:
            human.undo()
            assert human.view.key() == known[len(human.moves)]
            assert human.state.moves() == human.view.moves
            undone += 1
        else:
            known[len(human.moves)] = view.key()
            human.choose(rng.choice(view.moves))
    return undone


@pytest.mark.parametrize("seed", range(4))
def test_undone_choices_leave_no_trace(seed: int) -> None:
    """For every seat, a game with undos equals the same game played without."""
    Diarist.diaries.clear()
    wavering, straight = (new_game(Diarist, Diarist, seat=seed % 3, seed=seed) for _ in "12")
    assert waver(wavering, seed) > 5
    for _ in decisions(straight):
        straight.choose(wavering.moves[len(straight.moves)])
    assert straight.replay() == wavering.replay()
    assert straight.history == wavering.history
    assert Diarist.diaries[:2] == Diarist.diaries[2:]
    assert all(Diarist.diaries)


@pytest.mark.parametrize("seed", range(8))
def test_only_choices_that_revealed_nothing_can_be_undone(seed: int) -> None:
    """Whatever the hidden cards are, the person sees the same events."""
    human = new_game("random", "random", seat=seed % 3, seed=seed)
    rng = Rng(seed)
    free = 0
    for view in decisions(human):
        move = rng.choice(view.moves)
        worlds = [view.sample(rng) for _ in range(6)]
        before = len(events_of(human))
        human.choose(move)
        if not human.may_undo:
            continue
        free += 1
        fresh = events_of(human)[before:]
        for world in worlds:
            world.record()
            world.play(move)
            assert world.take_events(human.seat) == fresh
    assert free > 20


def events_of(human: HumanGame) -> list[tuple[int, ...]]:
    """All events of the person's seat so far, from the rules alone."""
    state = human.replay().new(record=True)
    for move in human.moves:
        state.play(move)
    return state.take_events(human.seat)


def until(human: HumanGame, wanted: Callable[[str], bool], rng: Rng) -> int:
    """Play at random until a move with the wanted text is legal; that move."""
    for view in decisions(human):
        for move in view.moves:
            if wanted(view.text(move)):
                return move
        human.choose(rng.choice(view.moves))
    raise AssertionError("the game is over")


def refused(human: HumanGame) -> str:
    assert not human.may_undo
    with pytest.raises(NoUndo) as refusal:
        human.undo()
    return str(refusal.value)


def test_there_is_nothing_to_undo_before_the_first_choice() -> None:
    human = new_game("random")
    human.advance()
    assert refused(human) == "your last choice stands: you have not chosen anything yet"
    human.choose(human.view.moves[0])
    human.undo()
    assert refused(human) == "your last choice stands: you have not chosen anything yet"


def test_no_undo_after_another_seats_decision() -> None:
    human = new_game("random", seed=4)
    for _ in "12":
        human.advance()
        human.choose(human.view.moves[0])
    human.advance()
    assert refused(human) == "your last choice stands: B (random) has decided since"


def test_no_undo_after_chance() -> None:
    human = new_game("random")
    human.choose(until(human, lambda text: text == "draw from the harbor", Rng(1)))
    human.advance()
    assert refused(human) == "your last choice stands: chance has decided since"


def test_no_undo_after_a_hidden_card_was_revealed() -> None:
    human = new_game("random", "random", "random", seed=6)
    hidden = until(human, lambda text: text.startswith("look at B"), Rng(1))
    human.choose(hidden)
    assert "it revealed something you did not know" in refused(human)
    assert human.history[-1].news[0].startswith("B's hidden ")
    (name,) = [hero.name for hero in HEROES if hero.name in human.history[-1].news[0]]
    assert isinstance(human.view, HiddenLeadersView)
    assert name in [HEROES[card].name for card in human.view.hidden(1) if card >= 0]


# ---- what is shown ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_only_cards_that_the_seat_has_seen_are_named(seed: int) -> None:
    human = new_game("greedy", "random", "random", seat=seed % 4, seed=seed)
    choose = anything(Rng(seed))
    for view in decisions(human):
        human.choose(choose(view))
    known = {
        HEROES[event[-1]].name
        for event in events_of(human)
        if event[0] in (Event.MOVED, Event.SEEN) and event[-1] != UNSEEN
    }
    for narrated in human.history:
        for hero in HEROES:
            if hero.name in " ".join([narrated.text, *narrated.news]):
                assert hero.name in known


def test_every_move_is_narrated_and_chance_only_by_its_effects() -> None:
    human = new_game("random", "random")
    choose = anything(Rng(2))
    for view in decisions(human):
        human.choose(choose(view))
    state = human.replay().new()
    actors = []
    for move in human.moves:
        if state.actor != CHANCE:
            actors.append(human.narrator.who(state.actor))
        state.play(move)
    assert [narrated.who for narrated in human.history] == ["", *actors]
    assert any("(the only choice)" in narrated.text for narrated in human.history)


# ---- faults -------------------------------------------------------------------------------------


class Clumsy(Bot):
    """Drops its cards."""

    def choose(self, view: View) -> int:
        raise RuntimeError("all over the floor")


def play_first_moves(human: HumanGame) -> None:
    for view in decisions(human):
        human.choose(view.moves[0])


def test_a_bot_that_fails_is_named_and_the_moves_so_far_are_kept() -> None:
    human = new_game("random", Clumsy, seat=1)
    with pytest.raises(BotFault, match=r"C \(Clumsy\) at decision \d: raised RuntimeError: all"):
        play_first_moves(human)
    assert read_replay(write_replay(human.replay())).moves == tuple(human.moves)
