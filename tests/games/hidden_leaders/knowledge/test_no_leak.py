"""A seat learns nothing it may not know: twin games look the same to it, event by event.

In the twin, cards the seat cannot tell apart are swapped.
"""

from __future__ import annotations

import random

import pytest

from games import registry
from games.hidden_leaders.rules.bytecode import PROGRAM
from games.hidden_leaders.rules.cards import CARD_NUMBER, RETAIL
from games.hidden_leaders.rules.constants import Event, Move, Zone
from games.hidden_leaders.rules.interpreter import Frame
from games.hidden_leaders.rules.opcodes import Op
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.hidden_leaders.rules.table import FRAME
from games.state import CHANCE, NOBODY, UNSEEN, Rng
from games.view import EventTuple
from tests.support.enumerator import lay_leaders, leaders_of
from tests.support.twins import News, Referee, Twins, leaks, play_twins, telling
from tests.support.volume import volume

pytestmark = pytest.mark.slow

RULES = registry.game("hidden-leaders")
TWINS = volume(1000, 60)
FULL_GAMES = volume(100, 5)
ORACLE = CARD_NUMBER["Tentacle Oracle"]


def telling_what_is_pending(news: News, actor: int, observer: int) -> list[EventTuple]:
    """A broken referee: face-down choices stay in the pending frames."""
    chosen = (
        [] if actor == CHANCE else [event[2] for event in news[actor] if event[0] == Event.CHOSE]
    )
    told: list[EventTuple] = []
    for event in news[observer]:
        if event[0] == Event.PENDING and chosen:
            pick = len(event) - FRAME + Frame.PICK
            told.append((*event[:pick], *chosen, *event[pick + 1 :]))
        else:
            told.append(event)
    return told


# ---- what a seat may see, read off the table -------------------------------------------------


def open_to(state: HiddenLeaders, seat: int) -> list[object]:
    """Everything the seat can see at this moment."""
    mine = state.player == seat
    return [
        state.red,
        state.green,
        state.actor,
        state.player,
        state.turns,
        state.leader(seat),
        [state.size(zone) for zone in range(Zone.COUNT)],
        state.cards(Zone.TAVERN),
        [state.cards(Zone.OPEN + other) for other in range(state.players)],
        state.cards(Zone.GRAVEYARD)[-1:],
        state.cards(Zone.HAND + seat),
        state.cards(Zone.HIDDEN + seat),
        state.cards(Zone.DRAWN) if mine else [],
        state.cards(Zone.GRAVEYARD) if looks_through_graveyard(state, seat) else [],
    ]


def looks_through_graveyard(state: HiddenLeaders, seat: int) -> bool:
    """A seat that may take any buried card sees them all."""
    return state.actor == seat and bool(set(state.moves()) & set(state.cards(Zone.GRAVEYARD)))


def operation(state: HiddenLeaders) -> int:
    return PROGRAM[state.m[state.frame + Frame.ROW]]


def shown_by(a: HiddenLeaders, b: HiddenLeaders, move: int, twin_move: int, seat: int) -> bool:
    """Whether the move lets the seat see a card that differs and does not stay to be seen."""
    if a.actor >= 0 and operation(a) == Op.HAND_OVER and move != twin_move:
        return True  # the card handed over is shown to all
    if a.actor == seat and Move.STACK <= move < Move.STACK + Move.STACK_ROOM * a.players:
        zone, index = (
            Zone.HIDDEN + (move - Move.STACK) // Move.STACK_ROOM,
            (move - Move.STACK) % Move.STACK_ROOM,
        )
        return a.cards(zone)[index] != b.cards(zone)[index]
    return False


def oracle_about(a: HiddenLeaders, b: HiddenLeaders) -> bool:
    """The Oracle can show all the wilderness top, and the tops differ."""
    open_cards = a.cards(Zone.TAVERN) + a.cards(Zone.GRAVEYARD)[-1:]
    for seat in range(a.players):
        open_cards += a.cards(Zone.OPEN + seat)
    return ORACLE in open_cards and a.cards(Zone.WILDERNESS)[-1:] != b.cards(Zone.WILDERNESS)[-1:]


# ---- twins ----------------------------------------------------------------------------------


class HiddenLeadersTwins(Twins[HiddenLeaders]):
    """Cards the seat cannot tell apart have changed places; leaders stay where they are."""

    def __init__(
        self, rules: registry.Game, real: HiddenLeaders, seat: int, seen: list[EventTuple], rng: Rng
    ) -> None:
        super().__init__(rules, real, seat, seen, rng)
        lay_leaders(self.games[1], leaders_of(real))
        self.twin_of = self.pairs()
        self.buried: list[list[int]] = []
        """The two graveyards before the last move."""

    def pairs(self) -> dict[int, int]:
        """Card of the first game -> the card in its place in the second."""
        a, b = self.games
        found: dict[int, int] = {}
        for zone in range(Zone.COUNT):
            ours, theirs = a.cards(zone), b.cards(zone)
            if zone in range(Zone.HIDDEN) and zone not in (Zone.WILDERNESS, Zone.GRAVEYARD):
                both = set(ours) & set(theirs)  # no order: what both have stays itself
                found.update({card: card for card in both})
                ours = [card for card in ours if card not in both]
                theirs = [card for card in theirs if card not in both]
            found.update(zip(ours, theirs, strict=True))
        return found

    def differ(self) -> bool:
        return any(card != twin for card, twin in self.twin_of.items())

    def twin_move(self, move: int, dice: random.Random) -> int:
        if move < Move.DISCARD:
            return self.twin_of[move]
        if move < 2 * Move.DISCARD:
            return Move.DISCARD + self.twin_of[move - Move.DISCARD]
        return move

    def about_to_differ(self, move: int, twin_move: int) -> bool:
        a, b = self.games
        self.buried = [a.cards(Zone.GRAVEYARD), b.cards(Zone.GRAVEYARD)]
        return shown_by(a, b, move, twin_move, self.seat) or oracle_about(a, b)

    def entitled(self, game: HiddenLeaders) -> object:
        """What lies open now, and what was seen on its way."""
        wild = game.cards(Zone.WILDERNESS)[-1:] if oracle_about(*self.games) else []
        gone = len(self.buried[0]) - game.size(Zone.GRAVEYARD)
        own = self.buried[self.games.index(game)]
        return open_to(game, self.seat), wild, own[-gone:] if gone > 1 else []

    @classmethod
    def pick(cls, state: HiddenLeaders, dice: random.Random) -> int:
        """A random move, face-down ones preferred."""
        moves = state.moves()
        if state.actor >= 0 and dice.random() < 0.5:
            quiet = [
                move
                for move in moves
                if Move.DISCARD <= move < 2 * Move.DISCARD or move >= Move.STACK
            ]
            if quiet:
                return dice.choice(quiet)
        return dice.choice(moves)


@pytest.mark.parametrize("part", range(5))
def test_twins_look_the_same(part: int) -> None:
    alike = sum(play_twins(HiddenLeadersTwins, RULES, seed) for seed in range(part, TWINS, 5))
    assert alike > TWINS // 5


@pytest.mark.parametrize("referee", [telling(Event.MOVED), telling_what_is_pending])
def test_a_leak_is_detected(referee: Referee) -> None:
    assert leaks(HiddenLeadersTwins, RULES, range(60), referee) > 10


def test_leaders_of_others_show_only_at_the_end() -> None:
    for seed in range(FULL_GAMES):
        dice = random.Random(seed)
        games = [new_game(3, first=0, record=True) for _ in range(2)]
        order = dice.sample(range(6), 4)
        for game, leaders in zip(games, (order[:3], [order[0], order[3], order[1]]), strict=True):
            for leader in leaders:
                game.play(Move.LEADER + leader)
        a, b = games
        while True:
            news = [game.take_events(0) for game in games]
            if a.actor == NOBODY:
                break
            assert news[0] == news[1]
            move = dice.choice(a.moves())
            a.play(move)
            b.play(move)


# ---- what is pending ------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4, 6])
def test_pending_frames_hold_only_cards_everybody_has_seen(players: int) -> None:
    for seed in range(FULL_GAMES // players):
        dice = random.Random(seed)
        rng = Rng(seed)
        state = new_game(players, record=True)
        seen: list[set[int]] = [set() for _ in range(players)]
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                state.sample_chance(rng)
            else:
                state.play(dice.choice(state.moves()))
            for seat in range(players):
                for event in state.take_events(seat):
                    if event[0] in (Event.MOVED, Event.SEEN) and event[-1] != UNSEEN:
                        seen[seat].add(event[-1])
                    if event[0] == Event.PENDING:
                        assert cards_pending(event) <= seen[seat]


def cards_pending(event: EventTuple) -> set[int]:
    frames = event[4:]
    assert len(frames) % FRAME == 0
    found: set[int] = set()
    for at in range(0, len(frames), FRAME):
        found |= {frames[at + Frame.CARD], frames[at + Frame.PICK]}
    return {number for number in found if 0 <= number < len(RETAIL)}
