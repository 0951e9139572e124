"""Moves of Secrets as words, and words as moves and characters."""

from __future__ import annotations

from typing import Final

from games.reading.text_matching import meant_card, meant_move
from games.seats import seat_name
from games.secrets.constants import CENTRE, CHARACTER_NAMES, SIDE_NAMES, Character, Move, Phase
from games.secrets.state import Secrets
from games.state import CHANCE, State

_SINGLE_WORDS: Final = {
    Move.SILENCE: "say nothing",
    Move.INTERRUPT: "interrupt",
    Move.STAY_OUT: "stay out",
    Move.ACCEPT: "accept",
    Move.REFUSE: "refuse",
}
_PLACE_VERBS: Final = {
    Phase.TARGET: "to {}",
    Phase.PASS_ON: "pass to {}",
    Phase.LOOK: "look at {}",
    Phase.GIVE: "give to {}",
}


def character_name(character: int) -> str:
    """The character's name; a question mark for an unknown card."""
    return CHARACTER_NAMES[character] if 0 <= character < Character.COUNT else "?"


def place_name(place: int) -> str:
    return "the centre" if place == CENTRE else seat_name(place)


def move_text(state: State, move: int) -> str:
    """The text of a legal move, or of a chance outcome, in the pending decision.

    Uses only the move and what everybody may see, so it works on a View's board as well.
    """
    assert isinstance(state, Secrets)
    if state.actor == CHANCE:
        return _chance_text(move)
    if move in _SINGLE_WORDS:
        return _SINGLE_WORDS[move]
    if move >= Move.SWAP:
        a, b = divmod(move - Move.SWAP, 8)
        return f"swap {seat_name(a)} and {seat_name(b)}"
    if move == Move.LEFT:
        return f"swap left, with {seat_name(state.left(state.taker))}"
    if move == Move.RIGHT:
        return f"swap right, with {seat_name(state.right(state.taker))}"
    if move >= Move.CLAIM:
        return f"claim {character_name(move - Move.CLAIM)}"
    if move >= Move.PLACE:
        return _PLACE_VERBS[state.phase].format(place_name(move - Move.PLACE))
    return f"offer {character_name(move - Move.CARD)}"


def _chance_text(outcome: int) -> str:
    if outcome >= Move.BULLET:
        return f"Bullet {bullet_text(outcome - Move.BULLET)}"
    if outcome >= Move.TOKEN:
        return f"token {SIDE_NAMES[outcome - Move.TOKEN]}"
    if outcome >= Move.PLACE:
        return f"{seat_name(outcome - Move.PLACE)} begins"
    return f"turned up: {character_name(outcome - Move.CARD)}"


def bullet_text(bullet: int) -> str:
    return f"-{bullet}" if bullet else "0"


def parse_move(state: State, words: str) -> int:
    """The one legal move that matches the words: its text, the start of it, or starts of words."""
    texts = {move: move_text(state, move) for move in state.moves()}
    return meant_move(words, texts, {move: [text] for move, text in texts.items()})


def find_character(text: str) -> int:
    """The one character with this name or this part of it; UnknownCard suggests the closest."""
    known = {number: [name] for number, name in enumerate(CHARACTER_NAMES)}
    return meant_card(text, "character", known, f" (known: {', '.join(CHARACTER_NAMES)})")
