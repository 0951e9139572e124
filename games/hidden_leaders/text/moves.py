"""Moves and cards as words, and words as moves and cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.errors import GameError
from games.hidden_leaders.rules.bytecode import PROGRAM, SHIFTS
from games.hidden_leaders.rules.cards import HEROES, LEADERS, Hero
from games.hidden_leaders.rules.constants import FACTION_NAMES, FACTIONS, Move, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.opcodes import Act, MarkRow, Op, Row, ShiftRow
from games.hidden_leaders.rules.state import HiddenLeaders
from games.reading.text_matching import meant_card, meant_move
from games.seats import seat_name
from games.state import CHANCE, State

_SINGLE_WORDS: Final = {
    Move.TOP: "draw from the harbor",
    Move.PILE + Zone.WILDERNESS: "draw from the wilderness",
    Move.PILE + Zone.GRAVEYARD: "draw from the graveyard",
    Move.TURN_UP: "turn one face up",
    Move.LOOK: "look at one",
}
_STOPPING: Final = {Op.ACTION: "do nothing", Op.MORE: "stop discarding"}
_TURN_VERBS: Final = {Op.ACTION: "play {}", Op.DRAW: "draw {}", Op.HIDE: "hide {}"}
_CARD_VERBS: Final = {
    Act.BURY: "bury {}",
    Act.TURN: "turn over {}",
    Act.LOOK: "look at {}",
    Act.TAKE: "take {}",
    Act.HIDE: "place {} hidden",
    Act.OPEN: "place {} open",
    Act.DISCARD: "discard {}",
    Act.ASIDE: "perform {}",
    Act.PERFORM: "perform {}",
    Act.SWAP: "for {}",
    Act.SWAP_TOP: "exchange {}",
    Act.PLAY: "play {}",
    Act.EXPOSE: "expose {}",
}


def cards_by_code(heroes: Sequence[Hero]) -> dict[str, int]:
    """Code -> card; GameError names two heroes that share a code."""
    named: dict[str, str] = {}
    for hero in heroes:
        code = hero.code.casefold()
        if code in named:
            raise GameError(
                f"the heroes '{named[code]}' and '{hero.name}' have the same code, {hero.code}, "
                "which is two letters each of the first and the last word; rename one of them"
            )
        named[code] = hero.name
    return {hero.code: card for card, hero in enumerate(heroes)}


_CODES: Final = cards_by_code(HEROES)


# ---- moves as words ---------------------------------------------------------------------------


def move_text(state: State, move: int) -> str:
    """The text of a legal move, or of a chance outcome, in the pending decision.

    Uses only the move and what everybody may see, so it works on a View's board as well.
    """
    assert isinstance(state, HiddenLeaders)
    row = state.m[state.frame + Frame.ROW]
    if state.actor == CHANCE:
        return _chance_text(state, move)
    if move in _SINGLE_WORDS:
        return _SINGLE_WORDS[move]
    if move == Move.PASS:
        return _STOPPING.get(PROGRAM[row], "pass")
    if PROGRAM[row] == Op.MARK and 0 <= move - Move.MARKER < PROGRAM[row + MarkRow.ALTERNATIVES]:
        return _shift_text(state, row, move - Move.MARKER)
    if Move.FACTION <= move < Move.MARKER:
        return "name " + FACTION_NAMES[FACTIONS[move - Move.FACTION]]
    if Move.PLAYER <= move < Move.FACTION:
        giving = PROGRAM[row] == Op.RECEIVER
        return ("give to " if giving else "pick ") + seat_name(move - Move.PLAYER)
    return _verb(state, row, move).format(_card_text(move))


def _chance_text(state: HiddenLeaders, outcome: int) -> str:
    if outcome >= Move.LEADER:
        return "leader " + LEADERS[outcome - Move.LEADER].name
    if outcome >= Move.PLAYER:
        return f"{seat_name(outcome - Move.PLAYER)} begins"
    source = "harbor" if state.chance == ChanceFrom.HARBOR else "chance"
    return f"{source}: {_card_text(outcome)}"


def _verb(state: HiddenLeaders, row: int, move: int) -> str:
    """What the pending row does with a card, with {} for the card."""
    op = PROGRAM[row]
    if op <= Op.LAST_OF_TURN:
        return "discard {}" if move >= Move.DISCARD else _TURN_VERBS[op]
    if op == Op.EACH:
        return "discard {}"
    if op == Op.HAND_OVER:
        return "hand over {}"
    assert op == Op.CHOOSE, "only rows that ask for a card are left"
    verb = PROGRAM[row + Row.ACT]
    if verb == Act.PICK:
        return "move {}" if PROGRAM[row + Row.SIZE] == Op.RECEIVER else "exchange {}"
    if verb == Act.MANNER:
        verb = Act.LOOK if state.m[state.frame + Frame.COUNT] == Move.LOOK else Act.TURN
    return _CARD_VERBS[verb]


def _card_text(move: int) -> str:
    """The card of a move: its name, or its place among a seat's hidden heroes."""
    if move >= Move.STACK:
        seat, index = divmod(move - Move.STACK, Move.STACK_ROOM)
        return f"{seat_name(seat)}'s hidden {index + 1}"
    return HEROES[move % Move.DISCARD].name


def _shift_text(state: HiddenLeaders, row: int, alternative: int) -> str:
    """Colours and printed amounts, before either end of the track shortens them."""
    at = (PROGRAM[row + MarkRow.FIRST] + alternative) * ShiftRow.SIZE
    red, green = SHIFTS[at + ShiftRow.RED], SHIFTS[at + ShiftRow.GREEN]
    leading, trailing = SHIFTS[at + ShiftRow.LEADING], SHIFTS[at + ShiftRow.TRAILING]
    if state.red > state.green:
        red, green = red + leading, green + trailing
    elif state.green > state.red:
        red, green = red + trailing, green + leading
    times = state.times(row, state.frame)
    moved = (("red", red * times), ("green", green * times))
    return ", ".join(f"{colour} {steps:+d}" for colour, steps in moved if steps)


# ---- words as moves ---------------------------------------------------------------------------


def parse_move(state: State, words: str) -> int:
    """The one legal move that matches the words: its text, the start of it, or starts of words."""
    texts = {move: move_text(state, move) for move in state.moves()}
    return meant_move(words, texts, {move: _spellings(move, texts[move]) for move in texts})


def _spellings(move: int, words: str) -> list[str]:
    """The text itself and, if it names a card, the text with the card's short code."""
    if move >= Move.STACK:
        return [words]
    hero = HEROES[move % Move.DISCARD]
    return [words, words.replace(hero.name, hero.code)]


def find_card(text: str) -> int:
    """The one hero with this name, this four-letter code, or this part of its name."""
    if text in _CODES:  # how positions are written; other spellings take a thousand times longer
        return _CODES[text]
    known = {card: [hero.name, hero.code] for card, hero in enumerate(HEROES)}
    return meant_card(text, "hero", known)
