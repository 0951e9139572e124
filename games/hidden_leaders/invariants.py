"""What must hold in every position of Hidden Leaders.

Checked after every move of random games, and on positions set up by hand; each broken invariant is
one sentence. Compiled, because it looks at every card of every position.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import PROGRAM, SETUP_START, SUPPORTS
from games.hidden_leaders.rules.cards import HEROES, RETAIL
from games.hidden_leaders.rules.constants import EMPTY, Limit, Move, Track, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.opcodes import Op, Row
from games.hidden_leaders.rules.scoring import winning_faction
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES, LENGTH, MOST_FRAMES, ROOM
from games.state import CHANCE, MOST_MOVES, NOBODY, State

DECK: Final = len(HEROES)


def invariants(state: State) -> list[str]:
    """What is wrong with a position of a game with the retail deck, one sentence each."""
    assert isinstance(state, HiddenLeaders)
    return invariants_with_deck(state, RETAIL)


def invariants_with_deck(state: HiddenLeaders, deck: tuple[int, ...]) -> list[str]:
    """As `invariants`, for a game with the given deck."""
    broken: list[str] = []
    check_zones(state, broken)
    if broken:
        return broken  # the other checks rely on this
    check_places(state, deck, broken)
    check_track_and_leaders(state, broken)
    check_pending(state, broken)
    if state.actor == NOBODY:
        check_finished(state, broken)
    elif at_turn_start(state):
        check_turn_start(state, broken)
    return broken


def check_zones(state: HiddenLeaders, broken: list[str]) -> None:
    """No zone overflows; seats without a player have no cards."""
    m = state.m
    for zone in range(i64(Zone.COUNT)):
        size = m[LENGTH + zone]
        if size < 0 or size > ROOM[zone]:
            broken.append(f"zone {zone} holds {size} cards, but has room for {ROOM[zone]}")
        if zone >= Zone.HAND and (zone - Zone.HAND) % Limit.PLAYERS >= state.players and size:
            broken.append(f"zone {zone} holds {size} cards, but belongs to no player")


def check_places(state: HiddenLeaders, deck: tuple[int, ...], broken: list[str]) -> None:
    """Every card of the deck is in exactly one place; bags are sorted; sizes are right."""
    m = state.m
    seen = vec[i64]([0] * DECK)
    for zone in range(i64(Zone.COUNT)):
        at = AT[zone]
        slots: i64 = Limit.TAVERN if zone == Zone.TAVERN else m[LENGTH + zone]
        before: i64 = -1
        present: i64 = 0
        for i in range(at, at + slots):
            card = m[i]
            if card == EMPTY and zone == Zone.TAVERN:
                continue
            if card < 0 or card >= DECK:
                broken.append(f"zone {zone} holds {card}, which is not a card")
                continue
            seen[card] += 1
            present += 1
            if zone >= Zone.HAND and zone < Zone.HIDDEN and card <= before:
                broken.append(f"zone {zone} is not sorted: {before} before {card}")
            before = card
        if present != m[LENGTH + zone]:
            broken.append(f"zone {zone} has size {m[LENGTH + zone]}, but holds {present} cards")
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


def check_track_and_leaders(state: HiddenLeaders, broken: list[str]) -> None:
    m = state.m
    if state.red < Track.FIRST or state.red > Track.LAST:
        broken.append(f"the red marker is off the track: {state.red}")
    if state.green < Track.FIRST or state.green > Track.LAST:
        broken.append(f"the green marker is off the track: {state.green}")
    setting_up = state.frame == FRAMES and m[FRAMES + Frame.ROW] == SETUP_START
    taken: i64 = 0
    for seat in range(state.players):
        leader = state.leader(seat)
        if leader < 0 and setting_up:
            continue
        if leader < 0 or leader >= Limit.LEADERS:
            broken.append(f"seat {seat} has leader {leader}, which does not exist")
            continue
        bit: i64 = i64(1) << leader
        if taken & bit:
            broken.append(f"leader {leader} is dealt twice")
        taken |= bit


def check_pending(state: HiddenLeaders, broken: list[str]) -> None:
    """The actor, its moves, and the frames of the cards being resolved."""
    m = state.m
    if state.actor < CHANCE or state.actor >= state.players:
        broken.append(f"actor {state.actor} is not at the table")
    if (state.actor == CHANCE) != (state.chance != ChanceFrom.NOTHING):
        broken.append(f"actor is {state.actor}, but the pending chance event is {state.chance}")
    if state.player < 0 or state.player >= state.players:
        broken.append(f"the turn belongs to {state.player}, who is not at the table")
    if state.actor >= 0:
        if state.count < 1 or state.count > MOST_MOVES:
            broken.append(f"{state.count} moves are legal")
        else:
            for i in range(state.count):
                if state.legal[i] < 0 or state.legal[i] >= Move.COUNT:
                    broken.append(f"{state.legal[i]} is not a move")
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
        broken.append("a seat must decide on a card that is resolved already")


def at_turn_start(state: HiddenLeaders) -> bool:
    return state.frame == FRAMES and PROGRAM[state.m[FRAMES + Frame.ROW]] == Op.ACTION


def check_turn_start(state: HiddenLeaders, broken: list[str]) -> None:
    """Between turns no card is set aside, and the game is not over (R81)."""
    m = state.m
    if state.actor != state.player:
        broken.append(f"seat {state.actor} acts in the turn of seat {state.player}")
    if m[LENGTH + Zone.ASIDE] or m[LENGTH + Zone.DRAWN]:
        broken.append("cards are set aside or drawn at the start of a turn")
    could_refill = m[LENGTH + Zone.HARBOR] > 0 or m[LENGTH + Zone.WILDERNESS] > 0
    if m[LENGTH + Zone.TAVERN] < Limit.TAVERN and could_refill:
        broken.append("the tavern is not full at the start of a turn")
    if state.turns >= state.turn_limit:
        broken.append(f"turn {state.turns} begins after the limit of {state.turn_limit}")
    for seat in range(state.players):
        if m[LENGTH + Zone.OPEN + seat] >= state.threshold:
            broken.append(f"seat {seat} has reached the threshold, yet a turn begins")
        if m[LENGTH + Zone.HAND + seat] > Limit.HAND_AFTER_DISCARD:
            broken.append(f"seat {seat} holds {m[LENGTH + Zone.HAND + seat]} cards between turns")


def check_finished(state: HiddenLeaders, broken: list[str]) -> None:
    """The end has a reason, the faction fits the markers, the winner supports it."""
    m = state.m
    reached = False
    supported = False
    for seat in range(state.players):
        if m[LENGTH + Zone.OPEN + seat] >= state.threshold:
            reached = True
        if SUPPORTS[state.leader(seat)] & state.faction:
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
        broken.append(f"winner is {state.winner}, but a supporter at the table is {supported}")
    elif supported and not SUPPORTS[state.leader(state.winner)] & state.faction:
        broken.append(f"winner {state.winner} does not support faction {state.faction}")
