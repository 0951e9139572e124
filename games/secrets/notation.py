"""Positions of Secrets as short text that a person can type and a puzzle can hold.

    players 4; turn B; centre KGB
    A token CIA up Scientist Detective bullets -2; B token ? up Politician
    C token ? down Journalist x2; D token Hippie up Assassin
    turned Scientist Diplomat; offer ?; to C; claim Scientist

Fields are separated by semicolons or line ends, in any order; `#` begins a comment. A character is
written by its name, with a hyphen for the space or in quotes, or by the start of the name; `x3`
after it means three. `?` is a token, Bullet or offered card unknown to the seat to move.

    players n       how many; four, or as many as the seats mentioned need
    turn A          whose turn it is; `-` if chance has not decided who begins
    A knows B token CIA    what A has seen before, as it is named at seat B
    A ...           a seat: token (CIA, KGB, Hippie, ?), up and down (characters), bullets (0 to -3)
    centre          the token in the centre
    un A            who holds the UN token; follows from the displays, and is checked
    deck            the cards never turned up, `-` for none; default: all cards not placed elsewhere
    bottom          cards put back in earlier turns, the next one first
    turned          the cards turned up in this turn, in order; none if chance comes next
    offer, to, claim    the card on offer, to whom, and the claim (`-` for no claim)
    taker, bullet   who has taken the card, and the Bullet that an Assassin is about to give
    phase           what is being decided, where the other fields leave it open
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from games.errors import UnknownCard, did_you_mean
from games.forms.position_form import PositionForm
from games.reading.fields import FieldReader, unknown_count
from games.seats import seat_name
from games.secrets.constants import (
    BULLETS,
    CHARACTER_NAMES,
    DECK_SIZE,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    SIDE_NAMES,
    Move,
    Phase,
)
from games.secrets.moves import bullet_text, find_character
from games.secrets.position import (
    NOT_DEALT,
    UNKNOWN,
    CardTuple,
    Position,
    Seat,
    position_of,
    usual_phase,
)
from games.secrets.state import Secrets
from games.state import NOBODY, UNSEEN, State

PHASES: Final = (
    *("first", "deal", "reveal", "choose", "target", "claim", "un", "answer"),
    *("swap", "pass", "neighbour", "look", "bullet", "give", "over"),
)
"""The words for what is being decided, in the order of Phase."""
_CARD_LISTS: Final = ("deck", "bottom", "turned")
_SEAT_FIELDS: Final = ("turn", "un", "to", "taker")
_WRITTEN: Final = {name.replace(" ", "-"): card for card, name in enumerate(CHARACTER_NAMES)}
_NAMES: Final = {card: name for name, card in _WRITTEN.items()}
_NOT_GIVEN: Final = -3


# ---- reading ----------------------------------------------------------------------------------


def read(text: str) -> Position:
    """The position the text describes; BadPosition lists everything that is wrong with it."""
    reader = _Reader()
    reader.read(text)
    position = reader.position()
    reader.check(position.problems())
    return replace(position, un=None)  # checked, and it follows from the rest


class _Reader(FieldReader):
    """The fields of a position of Secrets."""

    keys = (
        *("players", "centre", "offer", "claim", "bullet", "phase"),
        *_CARD_LISTS,
        *_SEAT_FIELDS,
    )
    seat_keys = ("token", "up", "down", "bullets")
    fewest_players = FEWEST_PLAYERS
    most_players = MOST_PLAYERS

    def __init__(self) -> None:
        super().__init__()
        self.facts: list[tuple[int, int, int]] = []

    def value(self, name: str, words: list[str]) -> None:
        if name in _CARD_LISTS:
            self.cards[name] = () if words == ["-"] else self.card_list(name, words)
        else:
            self.numbers[name] = self.single(name, words)

    def seat_value(self, seat: int, part: str, place: str, words: list[str]) -> None:
        if part == "token":
            self.roles[seat] = self.token(place, words)
        elif part == "bullets":
            self.cards[place] = self.bullet_list(place, words)
        else:
            self.cards[place] = self.card_list(place, words)

    def learned_value(self, seat: int, other: int, part: str, place: str, words: list[str]) -> None:
        if part != "token":
            self.problems.append(f"{place}: only what a seat knows of tokens can be said")
            return
        self.facts.append((seat, other, self.token(place, words)))

    def single(self, name: str, words: list[str]) -> int:
        """A field that holds one thing, as a number."""
        if name == "players":
            return self.number(name, words, FEWEST_PLAYERS)
        if name in _SEAT_FIELDS:
            return NOBODY if words == ["-"] else self.seat_field(name, words)
        if name == "centre":
            return self.token(name, words)
        if name == "bullet":
            bullets = self.bullet_list(name, words)
            if len(words) != 1:
                self.problems.append(f"bullet: one Bullet is needed, not '{' '.join(words)}'")
            return bullets[0] if bullets else UNSEEN
        if name == "phase":
            return self.phase(words)
        return self.one_card(name, words)

    def phase(self, words: list[str]) -> int:
        word = " ".join(words).casefold()
        if word not in PHASES:
            known, hint = ", ".join(PHASES), did_you_mean(word, PHASES)
            self.problems.append(f"phase: one of {known} is needed, not '{word}'{hint}")
            return _NOT_GIVEN
        return PHASES.index(word)

    def one_card(self, name: str, words: list[str]) -> int:
        """The card on offer, or the claim."""
        if name == "claim" and words == ["-"]:
            return Move.SILENCE
        if name == "offer" and words == ["?"]:
            return UNKNOWN
        cards = self.card_list(name, ["-".join(words)]) if words else ()
        if not words:
            self.problems.append(f"{name}: a character is needed")
        if not cards:
            return UNSEEN
        return cards[0] + (Move.CLAIM if name == "claim" else 0)

    def token(self, place: str, words: list[str]) -> int:
        word = " ".join(words)
        sides = {name.casefold(): side for side, name in enumerate(SIDE_NAMES)}
        known = {**sides, "?": UNKNOWN, "-": NOT_DEALT}
        if word.casefold() not in known:
            hint = did_you_mean(word, SIDE_NAMES)
            listed = ", ".join(SIDE_NAMES)
            self.problems.append(f"{place}: one of {listed} or ? is needed, not '{word}'{hint}")
        return known.get(word.casefold(), UNKNOWN)

    def bullet_list(self, place: str, words: list[str]) -> CardTuple:
        values = {bullet_text(bullet): bullet for bullet in range(BULLETS)}
        bullets: list[int] = []
        for word in words:
            unknown = unknown_count(word)
            if unknown is not None:
                bullets += [UNKNOWN] * min(unknown, BULLETS + 1)
            elif word in values:
                bullets.append(values[word])
            else:
                known = ", ".join(values)
                self.problems.append(f"{place}: there is no Bullet '{word}' (known: {known})")
        return tuple(bullets)

    def card_list(self, place: str, words: list[str]) -> CardTuple:
        cards: list[int] = []
        for word in words:
            times = re.fullmatch(r"[x*](\d{1,3})", word)
            if times and cards:
                cards += cards[-1:] * min(int(times[1]) - 1, DECK_SIZE)
                continue
            try:
                # As positions are written; other spellings take a hundred times longer.
                cards.append(_WRITTEN[word] if word in _WRITTEN else find_character(word))
            except UnknownCard as error:
                self.problems.append(f"{place}: {error}")
        return tuple(cards)

    # ---- all together -----------------------------------------------------------------------

    def position(self) -> Position:
        numbers = self.numbers
        players, seats = self.player_counts()
        position = Position(
            players=players,
            turn=numbers.get("turn", 0),
            centre=numbers.get("centre", UNKNOWN),
            seats=tuple(
                Seat(self.roles.get(seat, UNKNOWN), *self.seat_cards(seat)) for seat in range(seats)
            ),
            deck=self.cards.get("deck"),
            bottom=self.cards.get("bottom", ()),
            turned=self.cards.get("turned", ()),
            offered=numbers.get("offer", UNSEEN),
            target=numbers.get("to", NOBODY),
            claim=numbers.get("claim", UNSEEN),
            taker=numbers.get("taker", NOBODY),
            bullet=numbers.get("bullet", UNSEEN),
            un=numbers.get("un"),
            facts=tuple(self.facts),
        )
        return self.in_phase(position, numbers.get("phase", _NOT_GIVEN))

    def in_phase(self, position: Position, phase: int) -> Position:
        """Adds the phase and what it implies: no claim, and an unknown card on offer."""
        if phase == _NOT_GIVEN:
            phase = usual_phase(position)
        past = Phase.UN <= phase <= Phase.GIVE
        if past and position.claim == UNSEEN:
            position = replace(position, claim=Move.SILENCE)
        if (
            phase in (Phase.UN, Phase.ANSWER)
            and position.offered == UNSEEN
            and position.other != UNSEEN
        ):
            position = replace(position, offered=UNKNOWN)
        return replace(position, phase=phase)


# ---- writing ----------------------------------------------------------------------------------


def write(state: State | Position) -> str:
    """A state or position as text; reading the text gives the same position."""
    if not isinstance(state, Position):
        assert isinstance(state, Secrets)
        state = position_of(state)
    return "; ".join(_fields(state))


def _fields(position: Position) -> Iterator[str]:
    yield f"players {position.players}"
    yield "turn " + ("-" if position.turn == NOBODY else seat_name(position.turn))
    if position.phase > Phase.TOKENS and position.holder != NOBODY:
        yield f"un {seat_name(position.holder)}"
    yield f"centre {token_text(position.centre)}"
    for number, seat in enumerate(position.seats):
        yield _seat_field(seat_name(number), seat)
    for knower, other, token in position.facts:
        yield f"{seat_name(knower)} knows {seat_name(other)} token {token_text(token)}"
    for name, cards in (("bottom", position.bottom), ("turned", position.turned)):
        if cards:
            yield f"{name} {_names(cards)}"
    if position.deck is not None:
        yield f"deck {_names(position.deck) or '-'}"
    yield from _moment(position)


def _seat_field(letter: str, seat: Seat) -> str:
    parts = [letter, "token", token_text(seat.token)]
    for name, cards in (("up", seat.up), ("down", seat.down)):
        if cards:
            parts += [name, _names(cards)]
    if seat.bullets:
        parts += ["bullets", bullets_text(seat.bullets)]
    return " ".join(parts)


def _moment(position: Position) -> Iterator[str]:
    if position.offered != UNSEEN:
        yield f"offer {offer_text(position.offered)}"
    if position.target != NOBODY:
        yield f"to {seat_name(position.target)}"
    if position.claim != UNSEEN:
        claim = "-" if position.claim == Move.SILENCE else _names((position.claim - Move.CLAIM,))
        yield f"claim {claim}"
    if position.taker != NOBODY:
        yield f"taker {seat_name(position.taker)}"
    if position.bullet != UNSEEN:
        yield f"bullet {bullets_text((position.bullet,))}"
    if position.phase != usual_phase(position):
        yield f"phase {PHASES[position.phase]}"


def position_form() -> PositionForm:
    """What can be edited in a position."""
    return PositionForm(
        numbers=[],
        seat="turn",
        role="token",
        roles=list(SIDE_NAMES),
        rows=["up", "down"],
        parts=["bullets"],
        piles=["turned", "bottom"],
        slots=[],
        derived=["un"],
        cards=[*(_NAMES[card] for card in range(len(_NAMES))), *[""] * BULLETS],
        single=False,
        example=(
            "players 4; turn A; centre KGB\n"
            "A token KGB up Double-Agent Politician Journalist Scientist\n"
            "B token CIA up Detective\n"
            "C token Hippie up Psychiatrist Journalist Scientist Diplomat\n"
            "D token CIA up Double-Agent Politician Scientist Diplomat\n"
            "turned Double-Agent Politician"
        ),
    )


def token_text(token: int) -> str:
    return {UNKNOWN: "?", NOT_DEALT: "-"}.get(token) or SIDE_NAMES[token]


def bullets_text(bullets: CardTuple) -> str:
    return " ".join("?" if bullet == UNKNOWN else bullet_text(bullet) for bullet in bullets)


def offer_text(offered: int) -> str:
    return "?" if offered == UNKNOWN else _names((offered,))


def _names(cards: CardTuple) -> str:
    words = []
    for card, run in groupby(cards):
        count = len(list(run))
        words.append(f"{_NAMES[card]} x{count}" if count > 1 else _NAMES[card])
    return " ".join(words)
