"""A person plays against bots: who is asked, what is shown, and what can be undone."""

from collections.abc import Iterator
from typing import ClassVar

import pytest

from arena.match.human_game import HumanGame, NoUndo
from arena.match.referee import BotFault
from bots import Bot
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Event
from games.replay import Replay, read_replay, write_replay
from games.state import CHANCE, UNSEEN, Rng
from games.view import View
from tests.support.matches import FAILING, RULES, Diarist, played, seat_bot


def new_game(*bots: str | type[Bot], seat: int = 0, seed: int = 1) -> HumanGame:
    seats = [other for other in range(len(bots) + 1) if other != seat]
    factories = dict(zip(seats, map(seat_bot, bots), strict=True))
    return HumanGame(
        Replay(RULES.name, len(factories) + 1, ()), seat, factories, seed, lambda who: None
    )


def decisions(human: HumanGame) -> Iterator[View]:
    """The person's view whenever there is something to choose; the caller chooses."""
    human.advance()
    while not human.over:
        yield human.view
        human.advance()


def play_out(human: HumanGame, seed: int) -> HumanGame:
    """The game, played to its end at random."""
    rng = Rng(seed)
    for view in decisions(human):
        human.choose(rng.choice(view.moves))
    return human


@pytest.mark.parametrize(("seat", "players"), [(0, 2), (1, 3), (3, 4), (2, 6)])
def test_a_game_ends_and_its_replay_reads_back(seat: int, players: int) -> None:
    human = new_game(*["random"] * (players - 1), seat=seat)
    rng = Rng(3)
    for view in decisions(human):
        assert human.state.actor == view.seat == view.actor == seat
        assert view.moves == human.state.moves()
        assert len(view.moves) > 1
        human.choose(rng.choice(view.moves))
    replay = read_replay(write_replay(human.replay()))
    assert replay.state().winners() == human.state.winners()
    assert human.names == ["you" if other == seat else "random" for other in range(players)]


def test_the_same_seed_deals_as_in_a_match_between_bots() -> None:
    human = new_game("random", seed=5)
    human.advance()
    dealt = 2 + 1 + 3 + 2 * 5  # leaders, the first player, the tavern, hands
    match = played("greedy", "random", seed=5)
    assert tuple(human.moves[:dealt]) == match.replay.moves[:dealt]


# ---- undo ---------------------------------------------------------------------------------------


class Remembered(Diarist):
    """Its events stay readable after the game."""

    diaries: ClassVar[list[list[tuple[int, ...]]]] = []

    def start(self, view: View) -> None:
        super().start(view)
        self.diaries.append(self.received)


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
    diaries = Remembered.diaries
    diaries.clear()
    wavering, straight = (new_game(Remembered, Remembered, seat=seed % 3, seed=seed) for _ in "12")
    assert waver(wavering, seed) > 5
    for _ in decisions(straight):
        straight.choose(wavering.moves[len(straight.moves)])
    assert straight.replay() == wavering.replay()
    assert straight.history == wavering.history
    assert diaries[:2] == diaries[2:]
    assert all(diaries)


@pytest.mark.slow
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


def until(human: HumanGame, start: str) -> int:
    """Play at random until a move whose text starts like that is legal; that move."""
    rng = Rng(1)
    for view in decisions(human):
        for move in view.moves:
            if view.text(move).startswith(start):
                return move
        human.choose(rng.choice(view.moves))
    raise AssertionError("the game is over")


def refused(human: HumanGame) -> str:
    """Why the last choice stands."""
    assert not human.may_undo
    with pytest.raises(NoUndo, match=r"^your last choice stands: ") as refusal:
        human.undo()
    return str(refusal.value).partition(": ")[2]


def test_there_is_nothing_to_undo_before_the_first_choice() -> None:
    human = new_game("random")
    human.advance()
    assert refused(human) == "you have not chosen anything yet"
    human.choose(human.view.moves[0])
    human.undo()
    assert refused(human) == "you have not chosen anything yet"


def test_no_undo_after_another_seats_decision() -> None:
    human = new_game("random", seed=4)
    for _ in "12":
        human.advance()
        human.choose(human.view.moves[0])
    human.advance()
    assert refused(human) == "B (random) has decided since"


def test_no_undo_after_chance() -> None:
    human = new_game("random")
    human.choose(until(human, "draw from the harbor"))
    human.advance()
    assert refused(human) == "chance has decided since"


def test_no_undo_after_a_hidden_card_was_revealed() -> None:
    human = new_game("random", "random", "random", seed=6)
    human.choose(until(human, "look at B"))
    assert refused(human) == "it revealed something you did not know"
    assert human.history[-1].news[0].startswith("B's hidden ")
    (name,) = [hero.name for hero in HEROES if hero.name in human.history[-1].news[0]]
    assert isinstance(human.view, HiddenLeadersView)
    assert name in [HEROES[card].name for card in human.view.hidden(1) if card >= 0]


# ---- what is shown ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_only_cards_that_the_seat_has_seen_are_named(seed: int) -> None:
    human = play_out(new_game("greedy", "random", "random", seat=seed % 4, seed=seed), seed)
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
    human = play_out(new_game("random", "random"), 2)
    state = human.replay().new()
    actors = []
    for move in human.moves:
        if state.actor != CHANCE:
            actors.append(human.narrator.who(state.actor))
        state.play(move)
    assert [narrated.who for narrated in human.history] == ["", *actors]
    assert any("(the only choice)" in narrated.text for narrated in human.history)


# ---- faults -------------------------------------------------------------------------------------


def test_a_bot_that_fails_is_named_and_the_moves_so_far_are_kept() -> None:
    human = new_game("random", f"{FAILING}:Raises", seat=1)
    fault = r"C \(.*:Raises\) at decision \d+: raised ZeroDivisionError: "
    with pytest.raises(BotFault, match=fault):
        play_out(human, 1)
    assert read_replay(write_replay(human.replay())).moves == tuple(human.moves)


def test_another_bot_takes_over_with_all_that_the_seat_has_seen() -> None:
    """As if it had sat there from the start: the same view, and the game can be finished."""
    human = new_game(f"{FAILING}:Raises", "random", seed=2)
    rng = Rng(5)
    fault = None
    while fault is None:
        try:
            human.advance()
            human.choose(rng.choice(human.view.moves))
        except BotFault as error:
            fault = error
    human.replace_bot(fault, seat_bot("random"))
    live = human._live
    assert human.names[fault.seat] == "random"
    assert human.history[-1].text.endswith("random takes over its seat")
    expected = human.opening.view(fault.seat)
    past = human.opening.new(record=True)
    for move in human.moves:
        past.play(move)
    for event in past.take_events(fault.seat):
        expected.observe(event)
    assert live.views[fault.seat].key() == expected.key()
    assert live.views[fault.seat].moves == human.state.moves()
    play_out(human, 7)
    assert human.over
