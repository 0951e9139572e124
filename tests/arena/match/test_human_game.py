"""A person among bots: who is asked, what is told, and what can be taken back."""

from collections.abc import Callable, Iterator
from typing import ClassVar

import pytest

from arena.match.human_game import HumanGame, NoUndo
from arena.match.referee import BotFault, play_game
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


def sit_down(*bots: str | type[Bot], seat: int = 0, seed: int = 1) -> HumanGame:
    factories = [
        load_bot(bot) if isinstance(bot, str) else ClassFactory(bot.__name__, bot, {}, "here")
        for bot in bots
    ]
    seats = [one for one in range(len(bots) + 1) if one != seat]
    return HumanGame(RULES, seat, dict(zip(seats, factories, strict=True)), seed, lambda who: None)


def decisions(sitting: HumanGame) -> Iterator[View]:
    """The person's view whenever there is something to choose; the caller chooses."""
    sitting.advance()
    while not sitting.over:
        yield sitting.view
        sitting.advance()


def anything(rng: Rng) -> Callable[[View], int]:
    return lambda view: rng.choice(view.moves)


@pytest.mark.parametrize(("seat", "players"), [(0, 2), (1, 3), (3, 4), (2, 6)])
def test_a_game_comes_to_its_end_and_reads_back(seat: int, players: int) -> None:
    sitting = sit_down(*["random"] * (players - 1), seat=seat)
    choose = anything(Rng(3))
    for view in decisions(sitting):
        assert sitting.state.actor == view.seat == view.actor == seat
        assert view.moves == sitting.state.moves()
        assert len(view.moves) > 1
        sitting.choose(choose(view))
    replay = read_replay(write_replay(sitting.replay()))
    assert replay.state().winners() == sitting.state.winners()
    assert sitting.names == ["you" if one == seat else "random" for one in range(players)]


def test_the_same_seed_deals_as_in_a_match_between_bots() -> None:
    sitting = sit_down("random", seed=5)
    sitting.advance()
    dealt = 2 + 1 + 3 + 2 * 5  # leaders, who begins, the tavern, hands
    match = play_game(RULES, [load_bot("greedy"), load_bot("random")], 5)
    assert tuple(sitting.moves[:dealt]) == match.replay.moves[:dealt]


# ---- taking back --------------------------------------------------------------------------------


class Diarist(Bot):
    """Plays any move and keeps what it has heard."""

    diaries: ClassVar[list[list[tuple[int, ...]]]] = []

    def start(self, view: View) -> None:
        self.received: list[tuple[int, ...]] = []
        self.diaries.append(self.received)

    def observe(self, event: tuple[int, ...]) -> None:
        self.received.append(event)

    def choose(self, view: View) -> int:
        return self.rng.choice(view.moves)


def waver(sitting: HumanGame, seed: int) -> int:
    """Play a whole game at random, taking back now and then; returns how often that was done."""
    rng = Rng(seed)
    known: dict[int, bytes] = {}
    undone = 0
    for view in decisions(sitting):
        if sitting.may_undo and rng.below(3) == 0:
            sitting.undo()
            assert sitting.view.key() == known[len(sitting.moves)]
            assert sitting.state.moves() == sitting.view.moves
            undone += 1
        else:
            known[len(sitting.moves)] = view.key()
            sitting.choose(rng.choice(view.moves))
    return undone


@pytest.mark.parametrize("seed", range(4))
def test_what_is_taken_back_leaves_no_trace(seed: int) -> None:
    """A game with detours is the same, for everybody, as that game played straight away."""
    Diarist.diaries.clear()
    wavering, straight = (sit_down(Diarist, Diarist, seat=seed % 3, seed=seed) for _ in "12")
    assert waver(wavering, seed) > 5
    for _ in decisions(straight):
        straight.choose(wavering.moves[len(straight.moves)])
    assert straight.replay() == wavering.replay()
    assert straight.deeds == wavering.deeds
    assert Diarist.diaries[:2] == Diarist.diaries[2:]
    assert all(Diarist.diaries)


@pytest.mark.parametrize("seed", range(8))
def test_only_what_taught_nothing_can_be_taken_back(seed: int) -> None:
    """Whatever the hidden cards had been, the person would have perceived the same."""
    sitting = sit_down("random", "random", seat=seed % 3, seed=seed)
    rng = Rng(seed)
    free = 0
    for view in decisions(sitting):
        move = rng.choice(view.moves)
        worlds = [view.sample(rng) for _ in range(6)]
        perceived = len(events_of(sitting))
        sitting.choose(move)
        if not sitting.may_undo:
            continue
        free += 1
        fresh = events_of(sitting)[perceived:]
        for world in worlds:
            world.record()
            world.play(move)
            assert world.take_events(sitting.seat) == fresh
    assert free > 20


def events_of(sitting: HumanGame) -> list[tuple[int, ...]]:
    """All that the person's seat has perceived so far, by the rules alone."""
    state = sitting.replay().new(record=True)
    for move in sitting.moves:
        state.play(move)
    return state.take_events(sitting.seat)


def until(sitting: HumanGame, wanted: Callable[[str], bool], rng: Rng) -> int:
    """Play at random until a choice is offered whose words are wanted; that choice."""
    for view in decisions(sitting):
        for move in view.moves:
            if wanted(view.text(move)):
                return move
        sitting.choose(rng.choice(view.moves))
    raise AssertionError("the game is over")


def refused(sitting: HumanGame) -> str:
    assert not sitting.may_undo
    with pytest.raises(NoUndo) as refusal:
        sitting.undo()
    return str(refusal.value)


def test_there_is_nothing_to_take_back_before_the_first_choice() -> None:
    sitting = sit_down("random")
    sitting.advance()
    assert refused(sitting) == "your last choice stands: you have not chosen anything yet"
    sitting.choose(sitting.view.moves[0])
    sitting.undo()
    assert refused(sitting) == "your last choice stands: you have not chosen anything yet"


def test_what_others_have_decided_stays() -> None:
    sitting = sit_down("random", seed=4)
    for _ in "12":
        sitting.advance()
        sitting.choose(sitting.view.moves[0])
    sitting.advance()
    assert refused(sitting) == "your last choice stands: B (random) has decided since"


def test_what_luck_has_decided_stays() -> None:
    sitting = sit_down("random")
    sitting.choose(until(sitting, lambda words: words == "draw from the harbor", Rng(1)))
    sitting.advance()
    assert refused(sitting) == "your last choice stands: luck has decided since"


def test_what_has_been_seen_stays_seen() -> None:
    sitting = sit_down("random", "random", "random", seed=6)
    hidden = until(sitting, lambda words: words.startswith("look at B"), Rng(1))
    sitting.choose(hidden)
    assert "it has shown you something that you did not know" in refused(sitting)
    assert sitting.deeds[-1].news[0].startswith("B's hidden ")
    (card,) = [hero.name for hero in HEROES if hero.name in sitting.deeds[-1].news[0]]
    assert isinstance(sitting.view, HiddenLeadersView)
    assert card in [HEROES[one].name for one in sitting.view.hidden(1) if one >= 0]


# ---- what is told -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_only_cards_that_the_seat_has_seen_are_told(seed: int) -> None:
    sitting = sit_down("greedy", "random", "random", seat=seed % 4, seed=seed)
    choose = anything(Rng(seed))
    for view in decisions(sitting):
        sitting.choose(choose(view))
    known = {
        HEROES[event[-1]].name
        for event in events_of(sitting)
        if event[0] in (Event.MOVED, Event.SEEN) and event[-1] != UNSEEN
    }
    for deed in sitting.deeds:
        for hero in HEROES:
            if hero.name in " ".join([deed.words, *deed.news]):
                assert hero.name in known


def test_every_move_is_told_and_luck_only_by_what_it_brings() -> None:
    sitting = sit_down("random", "random")
    choose = anything(Rng(2))
    for view in decisions(sitting):
        sitting.choose(choose(view))
    state = sitting.replay().new()
    actors = []
    for move in sitting.moves:
        if state.actor != CHANCE:
            actors.append(sitting.teller.who(state.actor))
        state.play(move)
    assert [deed.who for deed in sitting.deeds] == ["", *actors]
    assert any("(the only choice)" in deed.words for deed in sitting.deeds)


# ---- faults -------------------------------------------------------------------------------------


class Clumsy(Bot):
    """Drops its cards."""

    def choose(self, view: View) -> int:
        raise RuntimeError("all over the floor")


def play_first_moves(sitting: HumanGame) -> None:
    for view in decisions(sitting):
        sitting.choose(view.moves[0])


def test_a_bot_that_fails_is_named_and_the_moves_so_far_are_kept() -> None:
    sitting = sit_down("random", Clumsy, seat=1)
    with pytest.raises(BotFault, match=r"C \(Clumsy\) at decision \d: raised RuntimeError: all"):
        play_first_moves(sitting)
    assert read_replay(write_replay(sitting.replay())).moves == tuple(sitting.moves)
