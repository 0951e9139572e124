"""A seat learns nothing it is not entitled to: twin worlds look the same to it, event by event.

From a moment in a real game, a twin is made in which cards the seat cannot tell apart have changed
places. Both games go on with corresponding moves and corresponding luck. As long as nothing the
seat is entitled to see differs on the two tables, which is read off the tables themselves, the seat
must get the same events, hold the same view, have the same moves, and be told them in the same
words.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from games.hidden_leaders.cards import NUMBER, RETAIL
from games.hidden_leaders.program import OP_HAND_OVER, PROGRAM
from games.hidden_leaders.resolve import F_CARD, F_PICK, F_ROW
from games.hidden_leaders.state import HiddenLeaders, new_game
from games.hidden_leaders.table import FRAME
from games.hidden_leaders.text import move_text
from games.hidden_leaders.view import HiddenLeadersView
from games.hidden_leaders.words import (
    DISCARD,
    DRAWN,
    E_CHOSE,
    E_MOVE,
    E_PENDING,
    E_SEEN,
    GRAVEYARD,
    HAND,
    HIDDEN,
    LEADER,
    OPEN,
    STACK,
    STACK_ROOM,
    TAVERN,
    WILDERNESS,
    ZONES,
)
from games.state import CHANCE, NOBODY, UNSEEN, Rng
from tests.knowledge.enumerator import Event, lay_leaders, leaders_of
from tests.knowledge.small_games import COMPILED

TWINS = 3000 if COMPILED else 60
FULL_GAMES = 200 if COMPILED else 5
ORACLE = NUMBER["Tentacle Oracle"]

News = list[list[Event]]
"""By seat: the events of one ply."""
Referee = Callable[[News, int, int], list[Event]]
"""News, who has acted, observer -> what the observer is told."""


class Leak(AssertionError):
    """A seat could tell twins apart by something it is not entitled to."""


def honest(news: News, actor: int, observer: int) -> list[Event]:
    return news[observer]


def telling_hidden_cards(news: News, actor: int, observer: int) -> list[Event]:
    """A broken referee: everybody is told of every movement what the one who acted sees."""
    if actor == CHANCE:
        return news[observer]
    full = [event for event in news[actor] if event[0] == E_MOVE]
    return [full.pop(0) if event[0] == E_MOVE else event for event in news[observer]]


def telling_what_is_pending(news: News, actor: int, observer: int) -> list[Event]:
    """A broken referee: what was chosen face down is left in the account of what is pending."""
    chosen = [] if actor == CHANCE else [event[2] for event in news[actor] if event[0] == E_CHOSE]
    told: list[Event] = []
    for event in news[observer]:
        if event[0] == E_PENDING and chosen:
            pick = len(event) - FRAME + F_PICK
            told.append((*event[:pick], *chosen, *event[pick + 1 :]))
        else:
            told.append(event)
    return told


# ---- what a seat may see, read off the table -------------------------------------------------


def entitled(state: HiddenLeaders, seat: int) -> list[object]:
    """Everything that lies open to the seat at this moment."""
    mine = state.player == seat
    return [
        state.red,
        state.green,
        state.actor,
        state.player,
        state.turns,
        state.leader(seat),
        [state.size(zone) for zone in range(ZONES)],
        state.cards(TAVERN),
        [state.cards(OPEN + other) for other in range(state.players)],
        state.cards(GRAVEYARD)[-1:],
        state.cards(HAND + seat),
        state.cards(HIDDEN + seat),
        state.cards(DRAWN) if mine else [],
        state.cards(GRAVEYARD) if looks_through_graveyard(state, seat) else [],
    ]


def looks_through_graveyard(state: HiddenLeaders, seat: int) -> bool:
    """Who may take any buried card is shown them all."""
    return state.actor == seat and bool(set(state.moves()) & set(state.cards(GRAVEYARD)))


def operation(state: HiddenLeaders) -> int:
    return PROGRAM[state.m[state.frame + F_ROW]]


def shown_by(a: HiddenLeaders, b: HiddenLeaders, move: int, twin_move: int, seat: int) -> bool:
    """Whether the move lets the seat see a card that differs and does not stay to be seen."""
    if a.actor >= 0 and operation(a) == OP_HAND_OVER and move != twin_move:
        return True  # the card handed over is shown to all
    if a.actor == seat and STACK <= move < STACK + STACK_ROOM * a.players:
        zone, index = HIDDEN + (move - STACK) // STACK_ROOM, (move - STACK) % STACK_ROOM
        return a.cards(zone)[index] != b.cards(zone)[index]
    return False


def oracle_about(a: HiddenLeaders, b: HiddenLeaders) -> bool:
    """The Oracle can show all the wilderness top, and the tops differ."""
    open_cards = a.cards(TAVERN) + a.cards(GRAVEYARD)[-1:]
    for seat in range(a.players):
        open_cards += a.cards(OPEN + seat)
    return ORACLE in open_cards and a.cards(WILDERNESS)[-1:] != b.cards(WILDERNESS)[-1:]


def lifted_in_view(before: list[list[int]], after: HiddenLeaders) -> bool:
    """Several cards left the graveyard at once, each on top when it did, and they differ."""
    a, b = before
    gone = len(a) - after.size(GRAVEYARD)
    return gone > 1 and a[-gone:] != b[-gone:]


# ---- twins ----------------------------------------------------------------------------------


class Twins:
    """Two games that look the same to one seat, and what it is told of either."""

    def __init__(self, a: HiddenLeaders, seat: int, seen: list[Event], rng: Rng) -> None:
        self.seat = seat
        self.views = [HiddenLeadersView(seat, a.players), HiddenLeadersView(seat, a.players)]
        for view in self.views:
            for event in seen:
                view.observe(event)
        b = self.views[0].sample(rng)
        lay_leaders(b, leaders_of(a))
        self.games = [a.copy(), b]
        for game in self.games:
            game.record()
        self.twin_of = self.pairs()

    def pairs(self) -> dict[int, int]:
        """Card of the first game -> the card in its place in the second."""
        a, b = self.games
        found: dict[int, int] = {}
        for zone in range(ZONES):
            ours, theirs = a.cards(zone), b.cards(zone)
            if zone in range(HIDDEN) and zone not in (WILDERNESS, GRAVEYARD):
                both = set(ours) & set(theirs)  # no order: what both have stays itself
                found.update({card: card for card in both})
                ours = [card for card in ours if card not in both]
                theirs = [card for card in theirs if card not in both]
            found.update(zip(ours, theirs, strict=True))
        return found

    def differ(self) -> bool:
        return any(card != twin for card, twin in self.twin_of.items())

    def twin_move(self, move: int) -> int:
        if move < DISCARD:
            return self.twin_of[move]
        if move < 2 * DISCARD:
            return DISCARD + self.twin_of[move - DISCARD]
        return move

    def play(self, move: int, referee: Referee) -> bool:
        """Play both on; False once what the seat may see differs. Raises Leak."""
        a, b = self.games
        other = self.twin_move(move)
        actor = a.actor
        if other not in b.moves() or shown_by(a, b, move, other, self.seat) or oracle_about(a, b):
            return False
        buried = [a.cards(GRAVEYARD), b.cards(GRAVEYARD)]
        a.play(move)
        b.play(other)
        if entitled(a, self.seat) != entitled(b, self.seat) or a.actor == NOBODY:
            return False
        if lifted_in_view(buried, a) or oracle_about(a, b):
            return False
        told: list[list[Event]] = []
        for game in self.games:
            news = [game.take_events(seat) for seat in range(game.players)]
            told.append(referee(news, actor, self.seat))
        if told[0] != told[1]:
            raise Leak(f"{told[0]} is not {told[1]}")
        self.compare(told)
        return True

    def compare(self, told: list[list[Event]]) -> None:
        for view, news in zip(self.views, told, strict=True):
            for event in news:
                view.observe(event)
        if self.views[0].key() != self.views[1].key():
            raise Leak("the views differ")
        a, b = self.games
        if a.actor != self.seat:
            return
        if a.moves() != b.moves() or a.moves() != self.views[0].moves:
            raise Leak("the moves differ")
        for move in a.moves():
            words = {move_text(board, move) for board in (a, b, self.views[1].board())}
            if len(words) > 1:
                raise Leak(f"the words differ: {words}")


def play_twins(seed: int, referee: Referee) -> tuple[int, int]:
    """One pair of twins: plies played while alike, and those with differing hidden cards."""
    dice = random.Random(seed)
    rng = Rng(seed)
    players = dice.choice([2, 3, 4, 5, 6])
    state = new_game(players, record=True)
    seat = dice.randrange(players)
    seen: list[Event] = []
    wait = dice.randrange(20 * players)
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            state.roll(rng)
            continue
        seen += state.take_events(seat)
        if wait == 0:
            break
        wait -= 1
        state.play(lively(state, dice))
    if state.actor == NOBODY:
        return 0, 0
    twins = Twins(state, seat, seen, rng)
    plies = 0
    a = twins.games[0]
    while a.actor != NOBODY and twins.play(lively(a, dice), referee):
        plies += 1
    return plies, plies if twins.differ() else 0


def lively(state: HiddenLeaders, dice: random.Random) -> int:
    """Any move, with a liking for what is done face down."""
    moves = state.moves()
    if state.actor >= 0 and dice.random() < 0.5:
        quiet = [move for move in moves if DISCARD <= move < 2 * DISCARD or move >= STACK]
        if quiet:
            return dice.choice(quiet)
    return dice.choice(moves)


@pytest.mark.parametrize("part", range(5))
def test_twins_look_the_same(part: int) -> None:
    alike = 0
    for seed in range(part, TWINS, 5):
        alike += play_twins(seed, honest)[1]
    assert alike > TWINS // 5


@pytest.mark.parametrize("referee", [telling_hidden_cards, telling_what_is_pending])
def test_a_leak_is_noticed(referee: Referee) -> None:
    noticed = 0
    for seed in range(60):
        try:
            play_twins(seed, referee)
        except Leak:
            noticed += 1
    assert noticed > 10


def test_leaders_of_others_change_nothing_before_the_end() -> None:
    for seed in range(FULL_GAMES):
        dice = random.Random(seed)
        games = [new_game(3, first=0, record=True) for _ in range(2)]
        order = dice.sample(range(6), 4)
        for game, leaders in zip(games, (order[:3], [order[0], order[3], order[1]]), strict=True):
            for leader in leaders:
                game.play(LEADER + leader)
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
                state.roll(rng)
            else:
                state.play(dice.choice(state.moves()))
            for seat in range(players):
                for event in state.take_events(seat):
                    if event[0] in (E_MOVE, E_SEEN) and event[-1] != UNSEEN:
                        seen[seat].add(event[-1])
                    if event[0] == E_PENDING:
                        assert cards_pending(event) <= seen[seat]


def cards_pending(event: Event) -> set[int]:
    frames = event[4:]
    assert len(frames) % FRAME == 0
    found: set[int] = set()
    for at in range(0, len(frames), FRAME):
        found |= {frames[at + F_CARD], frames[at + F_PICK]}
    return {number for number in found if 0 <= number < len(RETAIL)}
