"""What must hold in every position of Secrets, however it came about.

Checked after every move of random games: each broken law is one sentence. Compiled, because it
looks at every card of every position.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import (
    BLANK,
    BULLETS,
    CENTRE,
    CHARACTERS,
    COPIES,
    FEWEST_PLAYERS,
    KINDS,
    MOST_PLAYERS,
    SIDES,
    TOKENS_IN_USE,
    Event,
    Move,
    Phase,
)
from games.secrets.scoring import winners, winning_side
from games.secrets.state import Secrets
from games.secrets.table import BAG, BOTTOM, DOWN, FACELESS, SHOT, SIZE, TOKENS, UP
from games.state import CHANCE, NOBODY, UNSEEN, State


def invariants(state: State) -> list[str]:
    """The laws this position breaks, one sentence each."""
    assert isinstance(state, Secrets)
    broken: list[str] = []
    cards(state, broken)
    displays(state, broken)
    bullets(state, broken)
    pending(state, broken)
    if state.dealt > state.players:
        tokens(state, broken)
    if state.actor == NOBODY:
        finished(state, broken)
    elif state.phase == Phase.CHOOSE:
        turn_start(state, broken)
    return broken


def cards(state: Secrets, broken: list[str]) -> None:
    """Every card is in the bag, under the deck, turned up, on offer, or in a display."""
    m = state.m
    seen = vec[i64]([0] * KINDS)
    bag: i64 = 0
    for c in range(i64(CHARACTERS)):
        bag += m[BAG + c]
        seen[c] += m[BAG + c]
        for seat in range(state.players):
            seen[c] += m[UP + seat * KINDS + c] + m[DOWN + seat * KINDS + c]
    if bag != state.bag:
        broken.append(f"the bag counts {state.bag} cards, but holds {bag}")
    for i in range(state.bottom):
        card = m[BOTTOM + i]
        if card < 0 or card >= CHARACTERS:
            broken.append(f"under the deck lies {card}, which is no card")
            return
        seen[card] += 1
    if state.phase == Phase.REVEAL and state.one != UNSEEN:
        seen[state.one] += 1 + state.surplus
    elif state.phase == Phase.CHOOSE:
        seen[state.one] += 1
        seen[state.two] += 1
    elif state.phase >= Phase.TARGET and state.phase <= Phase.ANSWER:
        seen[state.offered] += 1
    for c in range(i64(CHARACTERS)):
        if seen[c] != COPIES[c]:
            broken.append(f"{seen[c]} cards of character {c} are there, not {COPIES[c]}")


def displays(state: Secrets, broken: list[str]) -> None:
    """Displays count their cards; seats that nobody takes have none."""
    m = state.m
    for seat in range(i64(MOST_PLAYERS)):
        many = m[FACELESS + seat]
        for c in range(i64(KINDS)):
            up = m[UP + seat * KINDS + c]
            many += up + m[DOWN + seat * KINDS + c]
            if up < 0 or up > 2 or m[DOWN + seat * KINDS + c] < 0:
                broken.append(f"seat {seat} has {up} of character {c} face up")
        for k in range(i64(BULLETS)):
            many += (m[SHOT + seat] >> k) & 1
        if many != m[SIZE + seat]:
            broken.append(f"seat {seat} counts {m[SIZE + seat]} cards, but has {many}")
        if m[FACELESS + seat] or m[UP + seat * KINDS + BLANK] or m[DOWN + seat * KINDS + BLANK]:
            broken.append(f"seat {seat} has cards that nobody knows")
        if seat >= state.players and many:
            broken.append(f"seat {seat} has cards, but nobody sits there")


def bullets(state: Secrets, broken: list[str]) -> None:
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
        broken.append(f"Bullet {state.bullet} is in the air in phase {state.phase}")
    if state.phase == Phase.BULLET and state.pile == 0:
        broken.append("an Assassin finds no Bullet")


def tokens(state: Secrets, broken: list[str]) -> None:
    """The tokens in use lie before the seats and in the centre (S2)."""
    many = vec[i64]([0] * SIDES)
    for place in range(state.players + 1):
        token = state.m[TOKENS + (CENTRE if place == state.players else place)]
        if token < 0 or token >= SIDES:
            broken.append(f"place {place} has token {token}, which is none")
            return
        many[token] += 1
    for side in range(i64(SIDES)):
        if many[side] != TOKENS_IN_USE[state.players - FEWEST_PLAYERS][side]:
            broken.append(f"{many[side]} tokens of side {side} are there")


def pending(state: Secrets, broken: list[str]) -> None:
    """Who acts, and among which moves."""
    if state.actor < CHANCE or state.actor >= state.players:
        broken.append(f"actor {state.actor} is nobody at the table")
    if (state.actor == NOBODY) != (state.phase == Phase.OVER):
        broken.append(f"actor is {state.actor} in phase {state.phase}")
    if state.actor >= 0:
        if state.count < 2:
            broken.append(f"{state.count} moves are legal")
        for i in range(state.count):
            if state.legal[i] < 0 or state.legal[i] >= Move.COUNT:
                broken.append(f"{state.legal[i]} is no move")
    if state.phase >= Phase.TARGET and state.phase <= Phase.ANSWER and state.target == state.player:
        broken.append(f"seat {state.player} offers a card to itself")


def turn_start(state: Secrets, broken: list[str]) -> None:
    """Between turns pairs are down, the UN token is where it belongs, nobody has met the end."""
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
        for c in range(i64(CHARACTERS)):
            if state.m[UP + seat * KINDS + c] > 1:
                broken.append(f"seat {seat} has a pair of character {c} face up")
    if state.turns > 0 and holder != state.un:
        broken.append(f"the UN token is with {state.un}, not with {holder}")


def finished(state: Secrets, broken: list[str]) -> None:
    """The end has its reason, and the winners fit the scores."""
    reached = state.bag + state.bottom == 0
    for seat in range(state.players):
        if state.m[SIZE + seat] >= state.threshold:
            reached = True
    if not reached:
        broken.append("the game has ended, but no display is full")
    if state.side != winning_side(state) or state.winning != winners(state, state.side):
        broken.append(f"side {state.side} with seats {state.winning} does not win by the scores")


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
