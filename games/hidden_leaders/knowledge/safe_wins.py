"""Worst-case worlds: they decide whether a seat wins this turn for certain.

Only lines that touch nothing unseen count. On such a line unseen cards matter only at the end: a
rival may win because of its hidden heroes and its leader (R85 to R90). For each faction of the
seat's leader and each rival there is a worst case: as many of the rival's unseen heroes as possible
are of that faction, and its leader is the highest that supports it. A seat that beats every rival
in that rival's worst case beats all of them in every world.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.bytecode import TURN_START
from games.hidden_leaders.rules.card_language import ME, CardFilter, Step, Where
from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import EMPTY, FACTIONS, Limit, Move, Zone
from games.hidden_leaders.rules.interpreter import Frame
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES, LEADERS_AT
from games.questions import WorstCases
from games.state import UNSEEN, State
from games.view import View

NEAR: Final = 2
"""A party this many open heroes short of the threshold may end the game in one turn."""

_ON_CARDS: Final = (
    *("bury", "turn over", "take", "place hidden", "place open", "discard", "discard all"),
    *("exchange", "exchange graveyard top", "move elsewhere", "random bury"),
)
"""Verbs that touch only the cards they describe."""
_PLAIN: Final = ("markers", "pick player", "name faction", "rest", "restock")
"""Verbs that touch nothing unseen while the graveyard is known."""
CHAINS: Final = {
    "play another": Zone.HAND,
    "perform": Zone.OPEN,
    "turn up and perform": Zone.HIDDEN,
    "perform aside": Zone.TAVERN,
    "perform graveyard top": Zone.GRAVEYARD,
}
"""Verbs that resolve another card, with its zone (zones of seats: the turn player's)."""


def worst_cases(view: View) -> WorstCases | None:
    """The worst worlds and the moves that touch nothing unseen; None if no end is in sight."""
    assert isinstance(view, HiddenLeadersView)
    board, seat = view.board(), view.seat
    if board.player != seat or board.actor != seat or not end_in_sight(board):
        return None
    own = (Zone.GRAVEYARD, Zone.ASIDE, Zone.DRAWN, Zone.HAND + seat, Zone.HIDDEN + seat)
    if any(UNSEEN in board.cards(zone) for zone in own):
        return None
    moves = [move for move in view.moves if touches_nothing_unseen(board, move)]
    return WorstCases(list[State](worst_worlds(board, view.deck)), moves) if moves else None


def end_in_sight(board: HiddenLeaders) -> bool:
    """Whether the action of this turn is still pending and may end the game."""
    acting = board.frame != FRAMES or board.m[FRAMES + Frame.ROW] == TURN_START
    longest = max(board.size(Zone.OPEN + seat) for seat in range(board.players))
    return acting and longest + NEAR >= board.threshold


# ---- lines ------------------------------------------------------------------------------------


def touches_nothing_unseen(board: HiddenLeaders, move: int) -> bool:
    """Whether the cards being resolved, or the card the move plays, touch only known cards."""
    if board.frame == FRAMES:
        return move < Move.DISCARD and harmless(board, move)
    return all(
        harmless(board, board.m[at + Frame.CARD])
        for at in range(FRAMES + FRAME, board.frame + 1, FRAME)
    )


def harmless(board: HiddenLeaders, card: int) -> bool:
    """Whether neither the hero nor any other it may resolve touches anything unseen."""
    for step in HEROES[card].steps:
        if step.verb in CHAINS:
            zone = CHAINS[step.verb]
            at = zone + board.player if zone >= Zone.HAND else zone
            if not all(
                harmless_alone(other) for other in board.cards(at) if other not in (EMPTY, card)
            ):
                return False
        elif not step_is_harmless(step):
            return False
    return True


def harmless_alone(card: int) -> bool:
    """Whether the hero touches nothing unseen and resolves no other."""
    return all(step_is_harmless(step) for step in HEROES[card].steps)


def step_is_harmless(step: Step) -> bool:
    if step.verb == "draw":
        return step.place == "graveyard"
    if step.verb not in _ON_CARDS:
        return step.verb in _PLAIN
    return all(
        seen_by_turn_player(cards) for cards in (step.cards, step.second) if cards is not None
    )


def seen_by_turn_player(cards: CardFilter) -> bool:
    """Whether the turn player sees all cards that fit the description."""
    if cards.where in (Where.HAND, Where.HIDDEN):
        return cards.of == ME
    return cards.where in (Where.OPEN, Where.TAVERN, Where.GRAVEYARD, Where.DRAWN)


# ---- worlds -----------------------------------------------------------------------------------


def worst_worlds(board: HiddenLeaders, deck: tuple[int, ...]) -> Iterator[HiddenLeaders]:
    """A worst case for every faction of the turn player's leader and every rival, and one more."""
    placed = {card for zone in range(Zone.COUNT) for card in board.cards(zone)}
    unseen = [card for card in deck if card not in placed]
    led = {board.leader(seat) for seat in range(board.players)}
    free = [leader for leader in range(Limit.LEADERS) if leader not in led]
    own = LEADERS[board.leader(board.player)].factions
    yield worst_world(board, unseen, free, -1, 0)
    for rival in range(board.players):
        for faction in FACTIONS:
            if rival != board.player and faction & own:
                fits = [leader for leader in free if LEADERS[leader].factions & faction]
                leader = board.leader(rival)
                if fits or (leader >= 0 and LEADERS[leader].factions & faction):
                    yield worst_world(board, unseen, free, rival, faction)


def worst_world(
    board: HiddenLeaders, unseen: list[int], free: list[int], rival: int, faction: int
) -> HiddenLeaders:
    """The table with all unseen cards filled in; the rival is as strong in the faction as possible.

    Leaders are numbered in the order of the tie-break, so the last that fits is the highest.
    """
    world = board.copy()
    leaders = sorted(free, key=lambda leader: (LEADERS[leader].factions & faction > 0, leader))
    cards = sorted(unseen, key=lambda card: HEROES[card].faction & faction > 0)
    seats = sorted(range(world.players), key=lambda seat: seat != rival)
    zones = [Zone.HIDDEN + rival] if rival >= 0 else []
    for zone in [
        *zones,
        *(zone for zone in range(Zone.COUNT) if zone not in (Zone.TAVERN, *zones)),
    ]:
        for at in range(AT[zone], AT[zone] + world.size(zone)):
            if world.m[at] == UNSEEN:
                world.m[at] = cards.pop()
    for seat in seats:
        if world.leader(seat) < 0:
            world.m[LEADERS_AT + seat] = leaders.pop()
    return world
