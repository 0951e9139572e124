"""Complete games with a scripted deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import Move
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.moves import find_card, move_text, parse_move
from games.registry import game
from games.state import CHANCE, UNSEEN, Rng
from tests.support.playing import random_move
from tests.support.scenario import Scenario

TAVERN: Final = ("Leery Lizard", "Furious Frog", "Apathetic Waterpriest")
LEADER_NAMES: Final = tuple(leader.name for leader in LEADERS)


def fresh(players: int, **options: object) -> HiddenLeaders:
    """A new game that records events."""
    state = game("hidden-leaders").new(players, record=True, **options)
    assert isinstance(state, HiddenLeaders)
    return state


def luck(state: HiddenLeaders, *names: str) -> None:
    """Chance deals these cards, one after the other."""
    for name in names:
        assert state.actor == CHANCE
        card = find_card(name)
        assert card in state.moves(), f"{name} cannot come up"
        state.play(card)


def lead(state: HiddenLeaders, leaders: Sequence[str]) -> None:
    """These leaders are dealt, seat by seat."""
    for name in leaders:
        state.play(Move.LEADER + LEADER_NAMES.index(name))


def answer(state: HiddenLeaders, *texts: str) -> None:
    for text in texts:
        state.play(parse_move(state, text))


def dealt(
    *fives: Sequence[str], leaders: Sequence[str] = LEADER_NAMES, tavern: Sequence[str] = TAVERN
) -> Scenario:
    """The first action of a game that seat 0 begins.

    Of the five cards of each seat, the first is hidden, the second discarded, three are kept.
    """
    state = fresh(len(fives), first=0)
    lead(state, leaders[: len(fives)])
    luck(state, *tavern)
    for five in fives:
        luck(state, *five)
    for five in fives:
        answer(state, f"hide {five[0]}", f"discard {five[1]}")
    return Scenario(state)


def rolled(state: HiddenLeaders, seed: int) -> None:
    """Play at random until the first action."""
    rng = Rng(seed)
    while state.actor == CHANCE or not any(
        move_text(state, move) == "do nothing" for move in state.moves()
    ):
        random_move(state, rng)


class Watchers:
    """One HiddenLeadersView per seat, which receives only that seat's events."""

    def __init__(self, state: HiddenLeaders, deck: Sequence[int] = RETAIL) -> None:
        self.state = state
        self.views = [
            HiddenLeadersView(seat, state.players, tuple(deck), state.threshold)
            for seat in range(state.players)
        ]
        self.watch()

    def watch(self) -> None:
        for seat, view in enumerate(self.views):
            for event in self.state.take_events(seat):
                view.observe(event)

    def __getitem__(self, seat: int) -> HiddenLeadersView:
        self.watch()
        return self.views[seat]


def names(cards: Sequence[int]) -> list[str]:
    """The names of cards, with a question mark for an unknown card."""
    return ["?" if card == UNSEEN else HEROES[card].name for card in cards]
