"""What must hold in every position of Secrets.

Checked after every move of random games; each broken invariant is one sentence. Compiled, because
it looks at every card of every position.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import (
    BULLETS,
    CENTRE,
    COPIES,
    FEWEST_PLAYERS,
    KINDS,
    MOST_PLAYERS,
    TOKENS_IN_USE,
    Character,
    Move,
    Phase,
    Token,
)
from games.secrets.scoring import winners, winning_side
from games.secrets.state import Secrets
from games.secrets.table import BAG, BOTTOM, DOWN, FACELESS, SHOT, SIZE, TOKENS, UP
from games.state import CHANCE, NOBODY, UNSEEN, State


def invariants(state: State) -> list[str]:
    """What is wrong with a position, one sentence each."""
    assert isinstance(state, Secrets)
    broken: list[str] = []
    check_cards(state, broken)
    check_displays(state, broken)
    check_bullets(state, broken)
    check_pending(state, broken)
    if state.dealt > state.players:
        check_tokens(state, broken)
    if state.actor == NOBODY:
        check_finished(state, broken)
    elif state.phase == Phase.CHOOSE:
        check_turn_start(state, broken)
    return broken


def check_cards(state: Secrets, broken: list[str]) -> None:
    """Every card is in the bag, under the deck, turned up, on offer, or in a display."""
    m = state.m
    seen = vec[i64]([0] * KINDS)
    bag: i64 = 0
    for c in range(i64(Character.COUNT)):
        bag += m[BAG + c]
        seen[c] += m[BAG + c]
        for seat in range(state.players):
            seen[c] += m[UP + seat * KINDS + c] + m[DOWN + seat * KINDS + c]
    if bag != state.bag:
        broken.append(f"the bag counts {state.bag} cards, but holds {bag}")
    for i in range(state.bottom):
        card = m[BOTTOM + i]
        if card < 0 or card >= Character.COUNT:
            broken.append(f"under the deck lies {card}, which is not a card")
            return
        seen[card] += 1
    if state.phase == Phase.REVEAL and state.one != UNSEEN:
        seen[state.one] += 1 + state.surplus
    elif state.phase == Phase.CHOOSE:
        seen[state.one] += 1
        seen[state.two] += 1
    elif state.phase >= Phase.TARGET and state.phase <= Phase.ANSWER:
        seen[state.offered] += 1
    for c in range(i64(Character.COUNT)):
        if seen[c] != COPIES[c]:
            broken.append(f"{seen[c]} cards of character {c} are there, not {COPIES[c]}")


def check_displays(state: Secrets, broken: list[str]) -> None:
    """The sizes of displays are right; seats without a player have no cards."""
    m = state.m
    for seat in range(i64(MOST_PLAYERS)):
        cards = m[FACELESS + seat]
        for c in range(i64(KINDS)):
            up = m[UP + seat * KINDS + c]
            cards += up + m[DOWN + seat * KINDS + c]
            if up < 0 or up > 2 or m[DOWN + seat * KINDS + c] < 0:
                broken.append(f"seat {seat} has {up} of character {c} face up")
        for k in range(i64(BULLETS)):
            cards += (m[SHOT + seat] >> k) & 1
        if cards != m[SIZE + seat]:
            broken.append(f"seat {seat} counts {m[SIZE + seat]} cards, but has {cards}")
        if (
            m[FACELESS + seat]
            or m[UP + seat * KINDS + Character.BLANK]
            or m[DOWN + seat * KINDS + Character.BLANK]
        ):
            broken.append(f"seat {seat} has unknown cards")
        if seat >= state.players and cards:
            broken.append(f"seat {seat} has cards, but no player")


def check_bullets(state: Secrets, broken: list[str]) -> None:
    """Every Bullet is in the pile, with the Assassin or in one display."""
    places = vec[i64]([0] * BULLETS)
    for k in range(i64(BULLETS)):
        places[k] += (state.pile >> k) & 1
        if state.bullet == k:
            places[k] += 1
        for seat in range(state.players):
            places[k] += (state.m[SHOT + seat] >> k) & 1
        if places[k] != 1:
            broken.append(f"the Bullet of value {-k} lies in {places[k]} places")
    if (state.bullet == UNSEEN) != (state.phase != Phase.GIVE):
        broken.append(f"Bullet {state.bullet} is about to be given in phase {state.phase}")
    if state.phase == Phase.BULLET and state.pile == 0:
        broken.append("there is no Bullet left for an Assassin")


def check_tokens(state: Secrets, broken: list[str]) -> None:
    """The tokens in use lie before the seats and in the centre (S2)."""
    counts = vec[i64]([0] * Token.COUNT)
    for place in range(state.players + 1):
        token = state.m[TOKENS + (CENTRE if place == state.players else place)]
        if token < 0 or token >= Token.COUNT:
            broken.append(f"place {place} has token {token}, which does not exist")
            return
        counts[token] += 1
    for side in range(i64(Token.COUNT)):
        if counts[side] != TOKENS_IN_USE[state.players - FEWEST_PLAYERS][side]:
            broken.append(f"{counts[side]} tokens of side {side} are there")


def check_pending(state: Secrets, broken: list[str]) -> None:
    """The actor and its moves."""
    if state.actor < CHANCE or state.actor >= state.players:
        broken.append(f"actor {state.actor} is not at the table")
    if (state.actor == NOBODY) != (state.phase == Phase.OVER):
        broken.append(f"actor is {state.actor} in phase {state.phase}")
    if state.actor >= 0:
        if state.count < 2:
            broken.append(f"{state.count} moves are legal")
        for i in range(state.count):
            if state.legal[i] < 0 or state.legal[i] >= Move.COUNT:
                broken.append(f"{state.legal[i]} is not a move")
    if state.phase >= Phase.TARGET and state.phase <= Phase.ANSWER and state.target == state.player:
        broken.append(f"seat {state.player} offers a card to itself")


def check_turn_start(state: Secrets, broken: list[str]) -> None:
    """Between turns pairs are face down, the UN token is right, and the game is not over."""
    if state.actor != state.player:
        broken.append(f"seat {state.actor} acts in the turn of seat {state.player}")
    fewest: i64 = 1000
    holder: i64 = NOBODY
    for seat in range(state.players):
        size = state.m[SIZE + seat]
        if size >= state.threshold:
            broken.append(f"seat {seat} has reached the end, yet a turn begins")
        if size < fewest:
            fewest = size
            holder = seat
        elif size == fewest:
            holder = NOBODY
        for c in range(i64(Character.COUNT)):
            if state.m[UP + seat * KINDS + c] > 1:
                broken.append(f"seat {seat} has a pair of character {c} face up")
    if state.turns > 0 and holder != state.un:
        broken.append(f"the UN token is with {state.un}, not with {holder}")


def check_finished(state: Secrets, broken: list[str]) -> None:
    """The end has a reason, and the winners fit the scores."""
    reached = state.bag + state.bottom == 0
    for seat in range(state.players):
        if state.m[SIZE + seat] >= state.threshold:
            reached = True
    if not reached:
        broken.append("the game has ended, but no display is full")
    if state.side != winning_side(state) or state.winning != winners(state, state.side):
        broken.append(f"side {state.side} with seats {state.winning} does not win by the scores")
