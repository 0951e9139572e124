"""What must hold in every position of Hidden Leaders, however it came about.

Checked after every move of random games, and on positions set up by hand: each broken law is one
sentence. Compiled, because it looks at every card of every position.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import PROGRAM, SETUP_START, SUPPORTS
from games.hidden_leaders.rules.cards import HEROES, RETAIL
from games.hidden_leaders.rules.constants import (
    EMPTY,
    FIRST_SPACE,
    HAND_AFTER_DISCARD,
    LAST_SPACE,
    LEADER_COUNT,
    MOST_PLAYERS,
    TAVERN_SLOTS,
    Event,
    Move,
    Zone,
)
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.opcodes import Op, Row
from games.hidden_leaders.rules.scoring import winning_faction
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import (
    AT,
    FRAME,
    FRAMES,
    LEADERS_AT,
    LENGTH,
    MOST_FRAMES,
    PARTY_ROOM,
    PILE_ROOM,
    SMALL_ROOM,
)
from games.state import CHANCE, MOST_MOVES, NOBODY, State

DECK: Final = len(HEROES)


def invariants(state: State) -> list[str]:
    """The laws this position of a game with the whole deck breaks, one sentence each."""
    assert isinstance(state, HiddenLeaders)
    return laws_with(state, RETAIL)


def laws_with(state: HiddenLeaders, deck: tuple[int, ...]) -> list[str]:
    """As `invariants`, for a game with the given deck."""
    broken: list[str] = []
    zones(state, broken)
    if broken:
        return broken  # nothing else can be read safely
    places(state, deck, broken)
    track_and_leaders(state, broken)
    pending(state, broken)
    if state.actor == NOBODY:
        finished(state, broken)
    elif at_turn_start(state):
        turn_start(state, broken)
    return broken


def room(zone: i64) -> i64:
    """How many cards fit into the zone."""
    if zone < Zone.TAVERN:
        return PILE_ROOM
    if zone == Zone.TAVERN:
        return TAVERN_SLOTS
    if zone < Zone.OPEN:
        return SMALL_ROOM
    return PARTY_ROOM if zone < Zone.HIDDEN else Move.STACK_ROOM


def zones(state: HiddenLeaders, broken: list[str]) -> None:
    """No zone overflows; seats that nobody takes have no cards."""
    m = state.m
    for zone in range(i64(Zone.COUNT)):
        many = m[LENGTH + zone]
        if many < 0 or many > room(zone):
            broken.append(f"zone {zone} holds {many} cards, but has room for {room(zone)}")
        if zone >= Zone.HAND and (zone - Zone.HAND) % MOST_PLAYERS >= state.players and many:
            broken.append(f"zone {zone} holds {many} cards, but belongs to nobody")


def places(state: HiddenLeaders, deck: tuple[int, ...], broken: list[str]) -> None:
    """Every card of the deck lies in exactly one place; bags are sorted; the tavern counts."""
    m = state.m
    seen = vec[i64]([0] * DECK)
    for zone in range(i64(Zone.COUNT)):
        at = AT[zone]
        many: i64 = TAVERN_SLOTS if zone == Zone.TAVERN else m[LENGTH + zone]
        before: i64 = -1
        present: i64 = 0
        for i in range(at, at + many):
            card = m[i]
            if card == EMPTY and zone == Zone.TAVERN:
                continue
            if card < 0 or card >= DECK:
                broken.append(f"zone {zone} holds {card}, which is no card")
                continue
            seen[card] += 1
            present += 1
            if zone >= Zone.HAND and zone < Zone.HIDDEN and card <= before:
                broken.append(f"zone {zone} is not sorted: {before} before {card}")
            before = card
        if present != m[LENGTH + zone]:
            broken.append(f"zone {zone} counts {m[LENGTH + zone]} cards, but holds {present}")
    total: i64 = 0
    for card in range(i64(DECK)):
        total += seen[card]
        if seen[card] > 1:
            broken.append(f"card {card} lies in {seen[card]} places")
    if total != len(deck):
        broken.append(f"{total} cards are on the table, but {len(deck)} in the deck")
    elif len(deck) < DECK:
        for card in deck:
            if seen[card] != 1:
                broken.append(f"card {card} of the deck is missing")


def track_and_leaders(state: HiddenLeaders, broken: list[str]) -> None:
    m = state.m
    if state.red < FIRST_SPACE or state.red > LAST_SPACE:
        broken.append(f"the red marker is off the track: {state.red}")
    if state.green < FIRST_SPACE or state.green > LAST_SPACE:
        broken.append(f"the green marker is off the track: {state.green}")
    setting_up = state.frame == FRAMES and m[FRAMES + Frame.ROW] == SETUP_START
    taken: i64 = 0
    for seat in range(state.players):
        leader = m[LEADERS_AT + seat]
        if leader < 0 and setting_up:
            continue
        if leader < 0 or leader >= LEADER_COUNT:
            broken.append(f"seat {seat} has leader {leader}, which is none")
            continue
        bit: i64 = i64(1) << leader
        if taken & bit:
            broken.append(f"leader {leader} is dealt twice")
        taken |= bit


def pending(state: HiddenLeaders, broken: list[str]) -> None:
    """Who acts, among how many moves, and the frames of what is being resolved."""
    m = state.m
    if state.actor < CHANCE or state.actor >= state.players:
        broken.append(f"actor {state.actor} is nobody at the table")
    if (state.actor == CHANCE) != (state.chance != ChanceFrom.NOTHING):
        broken.append(f"actor is {state.actor}, but the chance awaited is {state.chance}")
    if state.player < 0 or state.player >= state.players:
        broken.append(f"the turn belongs to {state.player}, who is nobody at the table")
    if state.actor >= 0:
        if state.count < 1 or state.count > MOST_MOVES:
            broken.append(f"{state.count} moves are legal")
        else:
            for i in range(state.count):
                if state.legal[i] < 0 or state.legal[i] >= Move.COUNT:
                    broken.append(f"{state.legal[i]} is no move")
    depth = state.frame - FRAMES
    if depth < 0 or depth % FRAME or depth >= FRAME * MOST_FRAMES:
        broken.append(f"the frame on top begins at {state.frame}")
        return
    for f in range(i64(FRAMES), state.frame + 1, FRAME):
        row = m[f + Frame.ROW]
        card = m[f + Frame.CARD]
        if row < 0 or row >= len(PROGRAM) or row % Row.SIZE:
            broken.append(f"frame {(f - FRAMES) // FRAME} is at row {row}")
        if card >= DECK or (card < 0) != (f == FRAMES):
            broken.append(f"frame {(f - FRAMES) // FRAME} resolves card {card}")
    if state.actor >= 0 and not broken and PROGRAM[m[state.frame + Frame.ROW]] == Op.END:
        broken.append("somebody shall decide on a card that has ended")


def at_turn_start(state: HiddenLeaders) -> bool:
    return state.frame == FRAMES and PROGRAM[state.m[FRAMES + Frame.ROW]] == Op.ACTION


def turn_start(state: HiddenLeaders, broken: list[str]) -> None:
    """Between turns nothing is in the air, and the game has not met its end (R81)."""
    m = state.m
    if state.actor != state.player:
        broken.append(f"seat {state.actor} acts in the turn of seat {state.player}")
    if m[LENGTH + Zone.ASIDE] or m[LENGTH + Zone.DRAWN]:
        broken.append("cards are set aside or drawn at the start of a turn")
    could_refill = m[LENGTH + Zone.HARBOR] > 0 or m[LENGTH + Zone.WILDERNESS] > 0
    if m[LENGTH + Zone.TAVERN] < TAVERN_SLOTS and could_refill:
        broken.append("the tavern is not full at the start of a turn")
    if state.turns >= state.turn_limit:
        broken.append(f"turn {state.turns} begins after the limit of {state.turn_limit}")
    for seat in range(state.players):
        if m[LENGTH + Zone.OPEN + seat] >= state.threshold:
            broken.append(f"seat {seat} has reached the threshold, yet a turn begins")
        if m[LENGTH + Zone.HAND + seat] > HAND_AFTER_DISCARD:
            broken.append(f"seat {seat} holds {m[LENGTH + Zone.HAND + seat]} cards between turns")


def finished(state: HiddenLeaders, broken: list[str]) -> None:
    """The end has its reason, the faction fits the markers, the winner supports it."""
    m = state.m
    reached = False
    supported = False
    for seat in range(state.players):
        if m[LENGTH + Zone.OPEN + seat] >= state.threshold:
            reached = True
        if SUPPORTS[m[LEADERS_AT + seat]] & state.faction:
            supported = True
        if m[LENGTH + Zone.HAND + seat]:
            broken.append(f"seat {seat} still holds cards after the end")
    if m[LENGTH + Zone.ASIDE] or m[LENGTH + Zone.DRAWN]:
        broken.append("cards are set aside or drawn after the end")
    if reached:
        if state.faction != winning_faction(state.red, state.green):
            broken.append(f"faction {state.faction} does not win at {state.red}, {state.green}")
    elif state.turns < state.turn_limit or state.faction:
        broken.append("the game has ended, but no party has reached the threshold")
    if (state.winner != NOBODY) != supported:
        broken.append(f"winner {state.winner}, while a supporter at the table is {supported}")
    elif supported and not SUPPORTS[m[LEADERS_AT + state.winner]] & state.faction:
        broken.append(f"winner {state.winner} does not support faction {state.faction}")


def check_events(state: State, seat: int, news: list[tuple[int, ...]]) -> list[str]:
    """What is wrong with the news a seat got from the last move: moves are the actor's alone."""
    told = [event[1:] for event in news if event[0] == Event.LEGAL_MOVES]
    if not told:
        return []
    if seat != state.actor:
        return [f"seat {seat} was told the moves of seat {state.actor}"]
    if told != [tuple(state.moves())]:
        return [f"seat {seat} was told the moves {told}, but has {state.moves()}"]
    return []
