"""Positions as short text that a person can type and a puzzle can hold.

    players 3; turn B; red 4; green 6; tavern CrCa "Ghastly Granny" -; graveyard BuEm WrWa
    A leader Cyra hand ShSh ?x2 open JoCh hidden ?; B leader ? hand ?x3; C leader ? hand 3?

Fields are separated by semicolons or line ends, in any order; `#` begins a comment. A card is
written as its four-letter code, its name in quotes or with hyphens for spaces, or an unambiguous
part of it. `?` is an unknown card or leader, `?x3` or `3?` are three of them, `-` is an empty
tavern slot, a leader not dealt yet or, alone, no card. Seats are letters. Piles are listed bottom
to top, hidden heroes oldest first. After the semicolon: the default.

    players n          how many; two, or as many as the seats mentioned need
    red n, green n     spaces of the markers; 4
    turn A, first A    whose turn it is; who began (the same, `-` if chance has not decided)
    turns n, limit n   turns completed; turns after which the game stops
    threshold n        open heroes that end the game; the usual number
    deck               retail, beginner, or the cards in play; retail
    tavern, graveyard, wilderness, harbor, aside, drawn    cards
    rest place         where all other cards are: harbor, wilderness (below the others), or out (not
                       in the game); the harbor, but the Emperor is the lowest of the graveyard
    A ...              a seat: leader, hand, open, hidden, each followed by its cards
    A knows B ...      what A has learned of B: leader, hand, hidden, as named at seat B
    pending n n .. / n ..    raw frames, for a position in the middle of a turn or of setup
    luck harbor        in the draw step: a harbor card is about to be drawn
    over faction       the game is over and this faction has won (`over limit`: the turn limit)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from games.errors import UnknownCard, did_you_mean
from games.forms.position_form import NumberField, PositionForm
from games.hidden_leaders.positions.position import (
    LEAST_PLAYERS,
    NOT_DEALT,
    RUNNING,
    TURN_FRAME,
    TURN_LIMIT,
    UNKNOWN,
    CardTuple,
    Fact,
    Position,
    Seat,
    position_of,
    usual_threshold,
)
from games.hidden_leaders.rules.cards import BEGINNER, EMPEROR, HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import EMPTY, THRESHOLDS, Limit, Track
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.moves import find_card
from games.reading.fields import FieldReader, unknown_count
from games.seats import seat_name
from games.state import NOBODY, State

_NUMBERS: Final = ("players", "red", "green", "turns", "limit", "threshold")
_RESTS: Final = ("harbor", "wilderness", "out")
_PLACES: Final = ("tavern", "graveyard", "wilderness", "harbor", "aside", "drawn")
_OVER_WORDS: Final = {1: "undead", 2: "water", 4: "empire", 8: "tribes", TURN_LIMIT: "limit"}
_SEVERAL_WORDS: Final = {hero.name.casefold() for hero in HEROES if " " in hero.name}
_MOST_UNKNOWN: Final = len(RETAIL) + 1
"""A larger number of unknown cards is as wrong as this one, and is not counted out."""


# ---- reading ----------------------------------------------------------------------------------


def read(text: str) -> Position:
    """The position the text describes; BadPosition lists everything that is wrong with it."""
    reader = _Reader()
    reader.read(text)
    position = reader.position()
    # Beyond any deck, cards are not counted out, so nothing more can be said of the rest.
    reader.check([] if reader.beyond_count else [*position.problems(), *position.wrong_end()])
    return position


class _Reader(FieldReader):
    """The fields of a position of Hidden Leaders."""

    keys = (*_NUMBERS, "turn", "first", "deck", *_PLACES, "rest", "pending", "luck", "over")
    seat_keys = ("leader", "hand", "open", "hidden")
    fewest_players = LEAST_PLAYERS
    most_players = Limit.PLAYERS

    def __init__(self) -> None:
        super().__init__()
        self.deck: CardTuple = RETAIL
        self.pending: tuple[CardTuple, ...] = (TURN_FRAME,)
        self.over = RUNNING
        self.rest = ""
        self.facts: list[Fact] = []
        self.beyond_count = False
        """Whether more cards are unknown somewhere than any deck has."""

    def value(self, name: str, words: list[str]) -> None:
        if name in _NUMBERS:
            default = Track.START if name in ("red", "green") else LEAST_PLAYERS
            self.numbers[name] = self.number(name, words, default)
        elif name in ("turn", "first"):
            undecided = name == "first" and words == ["-"]
            self.numbers[name] = NOBODY if undecided else self.seat_field(name, words)
        elif name in _PLACES:
            self.cards[name] = self.card_list(name, words, EMPTY if name == "tavern" else None)
        else:
            rest: dict[str, Callable[[list[str]], None]] = {
                "deck": self.read_deck,
                "rest": self.read_rest,
                "pending": self.read_pending,
                "luck": self.read_luck,
                "over": self.read_over,
            }
            rest[name](words)

    def seat_value(self, seat: int, part: str, place: str, words: list[str]) -> None:
        if part == "leader":
            self.roles[seat] = self.leader(place, words)
        else:
            self.cards[place] = self.card_list(place, words)

    def learned_value(self, seat: int, other: int, part: str, place: str, words: list[str]) -> None:
        if part == "open":
            self.problems.append(f"{place}: everybody knows open heroes")
        elif part == "leader":
            self.facts.append(Fact(seat, other, part, (self.leader(place, words),)))
        else:
            self.facts.append(Fact(seat, other, part, self.card_list(place, words)))

    # ---- single fields ------------------------------------------------------------------------

    def leader(self, place: str, words: list[str]) -> int:
        name = " ".join(words).casefold()
        if name in ("?", "-"):
            return UNKNOWN if name == "?" else NOT_DEALT
        for number, leader in enumerate(LEADERS):
            if name == leader.name.casefold():
                return number
        names = [leader.name for leader in LEADERS]
        known = f" (known: {', '.join(names)}){did_you_mean(name, names)}"
        self.problems.append(f"{place}: there is no leader '{' '.join(words)}'{known}")
        return UNKNOWN

    def card_list(self, place: str, words: list[str], gap: int | None = None) -> CardTuple:
        if words == ["-"] and gap is None:
            return ()
        cards: list[int] = []
        for word in self.quoted(place, words):
            unknown = unknown_count(word)
            if unknown is not None:
                if unknown > _MOST_UNKNOWN:
                    self.beyond_count = True
                    self.problems.append(
                        f"{place}: {unknown} unknown cards, but the deck has {len(self.deck)}"
                    )
                cards += [UNKNOWN] * min(unknown, _MOST_UNKNOWN)
            elif word == "-" and gap is not None:
                cards.append(gap)
            else:
                cards += self.card(place, word)
        return tuple(cards)

    def quoted(self, place: str, words: list[str]) -> list[str]:
        """The words; a name written as several of them is a problem, and becomes one word."""
        joined: list[str] = []
        rest = list(words)
        while rest:
            for count in (3, 2):
                name = " ".join(rest[:count])
                if name.casefold() in _SEVERAL_WORDS and len(rest) >= count:
                    hint = f'write "{name}" in quotes or {name.replace(" ", "-")} with hyphens'
                    self.problems.append(f"{place}: '{name}' is one card; {hint}")
                    rest[:count] = [name]
                    break
            joined.append(rest.pop(0))
        return joined

    def card(self, place: str, word: str) -> list[int]:
        try:
            return [find_card(word)]
        except UnknownCard as error:
            self.problems.append(f"{place}: {error}")
            return []

    def read_deck(self, words: list[str]) -> None:
        named = {"retail": RETAIL, "beginner": BEGINNER}
        if len(words) == 1 and words[0].casefold() in named:
            self.deck = named[words[0].casefold()]
            return
        self.deck = tuple(sorted(self.card_list("deck", words)))
        if UNKNOWN in self.deck:
            self.problems.append("deck: all its cards must be named")
            self.deck = RETAIL

    def read_rest(self, words: list[str]) -> None:
        self.rest = " ".join(words).casefold()
        if self.rest not in _RESTS:
            known = ", ".join(_RESTS)
            self.problems.append(f"rest: one of {known} is needed, not '{' '.join(words)}'")

    def read_pending(self, words: list[str]) -> None:
        frames = " ".join(words).split("/")
        try:
            self.pending = tuple(tuple(int(word) for word in frame.split()) for frame in frames)
        except ValueError:
            self.problems.append("pending: only whole numbers and / are possible here")

    def read_luck(self, words: list[str]) -> None:
        if words != ["harbor"]:
            self.problems.append(f"luck: only 'harbor' is possible here, not '{' '.join(words)}'")

    def read_over(self, words: list[str]) -> None:
        for over, word in _OVER_WORDS.items():
            if words == [word]:
                self.over = over
        if self.over == RUNNING:
            known = ", ".join(_OVER_WORDS.values())
            self.problems.append(f"over: one of {known} is needed, not '{' '.join(words)}'")

    # ---- all together -------------------------------------------------------------------------

    def position(self) -> Position:
        numbers = self.numbers
        players, seats = self.player_counts()
        tavern = self.cards.get("tavern", ())
        tavern += (EMPTY,) * (Limit.TAVERN - len(tavern))
        turn = numbers.get("turn", 0)
        position = Position(
            players=players,
            red=numbers.get("red", Track.START),
            green=numbers.get("green", Track.START),
            turn=turn,
            first=numbers.get("first", turn),
            turns=numbers.get("turns", 0),
            limit=numbers.get("limit", Limit.ROUNDS * max(players, 1)),
            threshold=numbers.get("threshold", usual_threshold(players, self.deck)),
            deck=self.deck,
            tavern=tavern,
            graveyard=self.cards.get("graveyard", ()),
            wilderness=self.cards.get("wilderness", ()),
            harbor=self.cards.get("harbor"),
            aside=self.cards.get("aside", ()),
            drawn=self.cards.get("drawn", ()),
            seats=tuple(
                Seat(self.roles.get(seat, UNKNOWN), *self.seat_cards(seat)) for seat in range(seats)
            ),
            pending=self.pending,
            drawing="luck" in self.seen,
            over=self.over,
            facts=tuple(self.facts),
        )
        return self.with_rest(position)

    def with_rest(self, position: Position) -> Position:
        """Puts the cards that are named nowhere where `rest` says."""
        unused = position.unused()
        if not self.rest:
            if EMPEROR in unused and position.harbor is None:
                return replace(position, graveyard=(EMPEROR, *position.graveyard))
            return position
        if self.rest == "harbor":
            if position.harbor is not None:
                self.problems.append("rest harbor: the cards of the harbor are given, too")
            return position
        if position.unknowns() and any(UNKNOWN in cards for _, cards in position.places()):
            self.problems.append(f"rest {self.rest}: every card must be named, not written as ?")
            return position
        harbor = position.harbor or ()
        if self.rest == "out":
            left = set(unused)
            deck = tuple(card for card in position.deck if card not in left)
            return replace(position, deck=deck, harbor=harbor)
        return replace(position, wilderness=(*unused, *position.wilderness), harbor=harbor)


# ---- writing ----------------------------------------------------------------------------------


def write(state: State | Position) -> str:
    """A state or position as text; reading the text gives the same position."""
    if not isinstance(state, Position):
        assert isinstance(state, HiddenLeaders)
        state = position_of(state)
    return "; ".join(_fields(state))


def _fields(position: Position) -> Iterator[str]:
    players = position.players
    yield f"players {players}"
    yield f"turn {seat_name(position.turn)}"
    if position.first != position.turn:
        yield "first " + (seat_name(position.first) if position.first >= 0 else "-")
    yield f"red {position.red}"
    yield f"green {position.green}"
    if position.turns:
        yield f"turns {position.turns}"
    if position.limit != Limit.ROUNDS * players:
        yield f"limit {position.limit}"
    if position.threshold != usual_threshold(players, position.deck):
        yield f"threshold {position.threshold}"
    if tuple(sorted(position.deck)) != RETAIL:
        beginner = tuple(sorted(position.deck)) == BEGINNER
        yield "deck " + ("beginner" if beginner else codes(position.deck))
    if any(card != EMPTY for card in position.tavern):
        yield "tavern " + codes(position.tavern)
    for name, cards in position.places():
        if cards and name != "tavern" and " " not in name:
            yield f"{name} {codes(cards)}"
    if position.harbor == ():
        yield "harbor"
    if position.harbor is None and EMPEROR in position.unused():
        yield "rest harbor"
    for number, seat in enumerate(position.seats):
        yield _seat_field(seat_name(number), seat)
    yield from _known_fields(position)
    yield from _moment(position)


def _known_fields(position: Position) -> Iterator[str]:
    for (seat, other), facts in groupby(position.facts, key=lambda fact: fact[:2]):
        parts = [seat_name(seat), "knows", seat_name(other)]
        for fact in facts:
            leader = fact.part == "leader"
            parts += [fact.part, LEADERS[fact.cards[0]].name if leader else codes(fact.cards)]
        yield " ".join(parts)


def _seat_field(letter: str, seat: Seat) -> str:
    leader = {UNKNOWN: "?", NOT_DEALT: "-"}.get(seat.leader) or LEADERS[seat.leader].name
    parts = [letter, "leader", leader]
    for name, cards in (("hand", seat.hand), ("open", seat.open), ("hidden", seat.hidden)):
        if cards:
            parts += [name, codes(cards)]
    return " ".join(parts)


def _moment(position: Position) -> Iterator[str]:
    if position.pending != (TURN_FRAME,):
        frames = (" ".join(str(number) for number in frame) for frame in position.pending)
        yield "pending " + " / ".join(frames)
    if position.drawing:
        yield "luck harbor"
    if position.over != RUNNING:
        yield "over " + _OVER_WORDS[position.over]


def position_form() -> PositionForm:
    """What can be edited in a position."""
    return PositionForm(
        numbers=[
            NumberField(key="red", least=Track.FIRST, most=Track.LAST),
            NumberField(key="green", least=Track.FIRST, most=Track.LAST),
            NumberField(key="threshold", least=1, most=max(THRESHOLDS)),
        ],
        seat="turn",
        role="leader",
        roles=[leader.name for leader in LEADERS],
        rows=["hand", "open", "hidden"],
        parts=[],
        piles=["tavern", "graveyard", "wilderness", "harbor"],
        slots=["tavern"],
        derived=[],
        cards=[hero.code for hero in HEROES],
        single=True,
        example=(
            "players 3; red 7; green 5; threshold 4; rest harbor\n"
            "A leader Xiadul hand DoPr RoOr LeLi open FlKn ShSo CrCa\n"
            "B leader Pavyr hand KeKo open UnMe AcFi\nC leader Lemron hand ApWa open TrLi"
        ),
    )


def codes(cards: CardTuple) -> str:
    words = {UNKNOWN: "?", EMPTY: "-"}
    return " ".join(words.get(card) or HEROES[card].code for card in cards)
