"""Card tests as short stories: lay out a table, play moves as texts, check what changed.

    from tests.support.scenario import chance, draws, given, markers, player

    def test_sharpshooter_buries_an_open_empire_hero() -> None:
        game = given(
            markers(red=4, green=6),
            player(0, hand=["Shaky Sharpshooter"]),
            player(1, open=["Flailing Knight", "Grumpy Guard"]),
        )

        game.play("Shaky Sharpshooter", "[red +1] / green -1", "bury Flailing Knight")

        assert game.changes() == {
            "markers": (5, 6),
            "B's open": ["Grumpy Guard"],
            "graveyard": ["Flailing Knight"],
        }

GIVEN. The table has two seats, or as many as are mentioned, or `players=`. Markers start on 4.
Hands, parties, piles and the tavern start empty. Piles are listed bottom to top, hidden heroes
oldest first, tavern slots left to right with None for an empty slot. All other cards are in the
harbor, the Emperor too; with `harbor=[...]` the harbor holds exactly those cards and the rest are
out of the game. Leaders that are not mentioned are arbitrary. The game is in the action step of
seat `turn`, 0 by default. Names may be abbreviated as `find_card` allows. The same table as text:

    given("markers 4 6; A hand Shaky Sharpshooter; B open Flailing Knight, Grumpy Guard")

Each piece is a seat with `hand`, `open`, `hidden` or `leader`, or one of `markers`, `tavern`,
`graveyard`, `wilderness`, `harbor`, `players`, `turn` (a seat's letter), `threshold` and `turns`.
A dash is an empty tavern slot, or nothing. `tests.support.stories` writes whole tests this way.

WHEN. `game.play(hero, *script)` plays a hand card and answers every question of its ability, in
order, whichever seat is wanted. It fails if the script runs out before the questions do, or the
other way round. `game.choose(*script)` plays the script and requires nothing more.
`game.end_turn(*script)` plays the script and then finishes the turn with default moves: do nothing,
draw from the harbor, discard and refill anything. A script consists of

* answers: "red +1", "bury Keen Koi", "pass";
* questions: "[red +1] / green -1" requires exactly these options, in this order, and picks the one
  in brackets; "B: [red +2] / red -2" also requires that seat B is wanted; without brackets the
  question is checked but not answered;
* outcomes of chance: `draws("Keen Koi", "Leery Lizard")` for cards drawn from the harbor,
  `chance("Keen Koi")` for a random card of a hand or party.

THEN. `game.changes()` lists everything that is no longer as given. `game.markers`, `game.tavern`,
`game.graveyard`, `game.wilderness` (top last), `game.harbor`, `game.open(seat)`,
`game.hidden(seat)` and `game.hand(seat)` read single parts; harbor, hands and open heroes are
sorted by name because their order means nothing. `game.actor` is the seat to decide,
`game.options()` its moves, `game.turn` the seat whose turn it is, `game.over` and `game.winner` the
result, `game.events(seat)` what the seat has perceived since the last call, and `game.state` the
engine's state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.errors import IllegalMove, UnknownCard
from games.hidden_leaders.rules.bytecode import PROGRAM, TURN_START
from games.hidden_leaders.rules.cards import HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import Limit, Move, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.opcodes import Op
from games.hidden_leaders.rules.state import HiddenLeaders, blank
from games.hidden_leaders.rules.table import FRAMES, LAST, LEADERS_AT
from games.hidden_leaders.text.board import draw_board
from games.hidden_leaders.text.moves import find_card, move_text, parse_move
from games.seats import seat_name
from games.state import CHANCE, NOBODY


class BadScenario(AssertionError):
    """The test and the rules disagree; the message lists the legal moves and draws the board."""


SEATS = "ABCDEF"

QUESTION = re.compile(r"(?:([A-F]): )?(.*\[.*|.* / .*|(?<=: ).*)")
"""A seat letter and options separated by slashes, the one to pick in brackets."""


@dataclass(frozen=True)
class Markers:
    """The spaces of the markers."""

    red: int = 4
    green: int = 4


@dataclass(frozen=True)
class Player:
    """The cards and the leader of one seat."""

    seat: int
    hand: Sequence[str] = ()
    open: Sequence[str] = ()
    hidden: Sequence[str] = ()
    leader: str | None = None


markers, player = Markers, Player


@dataclass(frozen=True)
class Outcomes:
    """Scripted outcomes of chance, in order."""

    names: tuple[str, ...]
    from_harbor: bool


def chance(*names: str) -> Outcomes:
    """Chance picks these cards, one after the other, from a hand, a party or the harbor."""
    return Outcomes(names, from_harbor=False)


def draws(*names: str) -> Outcomes:
    """These cards are drawn from the harbor, one after the other."""
    return Outcomes(names, from_harbor=True)


def given(
    *parts: Markers | Player | str,
    tavern: Sequence[str | None] = (),
    graveyard: Sequence[str] = (),
    wilderness: Sequence[str] = (),
    harbor: Sequence[str] | None = None,
    turn: int = 0,
    players: int = 0,
    threshold: int = 0,
    turns: int = 0,
) -> Scenario:
    """A table in the action step of seat `turn`, after that many completed `turns`."""
    seats = [part for part in parts if isinstance(part, Player)]
    piles: dict[str, Sequence[str | None] | None] = {
        "tavern": tavern,
        "graveyard": graveyard,
        "wilderness": wilderness,
        "harbor": harbor,
    }
    numbers = {"turn": turn, "players": players, "threshold": threshold, "turns": turns}
    spaces = next((part for part in parts if isinstance(part, Markers)), Markers())
    for piece in (piece for part in parts if isinstance(part, str) for piece in part.split("; ")):
        key, _, value = piece.partition(" ")
        if key in SEATS:
            seats.append(_seat(SEATS.index(key), value))
        elif key == "markers":
            spaces = Markers(*map(int, value.split()))
        elif key in piles:
            piles[key] = card_list(value)
        elif key in numbers:
            numbers[key] = SEATS.index(value) if key == "turn" else int(value)
        else:
            raise BadScenario(f"'{key}' is no part of a table; {[*piles, *numbers]} are")
    return _lay_out(seats, spaces, piles, numbers)


def _seat(seat: int, text: str) -> Player:
    key, _, value = text.partition(" ")
    if key not in ("hand", "open", "hidden", "leader"):
        raise BadScenario(f"'{key}' is no part of a seat; hand, open, hidden and leader are")
    return Player(seat, **{key: value if key == "leader" else card_list(value)})  # type: ignore[arg-type]


def card_list(text: str) -> list[str | None]:
    """Names separated by commas; None for a dash, nothing for a single one."""
    names = [None if name == "-" else name for name in text.split(", ")]
    return [] if names == [None] else names


def _lay_out(
    seats: Sequence[Player],
    spaces: Markers,
    piles: Mapping[str, Sequence[str | None] | None],
    numbers: Mapping[str, int],
) -> Scenario:
    turn = numbers["turn"]
    table = _Table(numbers["players"] or max([2, turn + 1, *(part.seat + 1 for part in seats)]))
    state = table.state
    state.red, state.green = spaces.red, spaces.green
    for part in seats:
        table.seat(part)
    table.tavern(piles["tavern"] or ())
    table.fill(Zone.GRAVEYARD, piles["graveyard"] or ())
    table.fill(Zone.WILDERNESS, piles["wilderness"] or ())
    table.harbor(piles["harbor"])
    table.leaders(seats)
    state.player = state.first = turn
    state.turns = numbers["turns"]
    state.threshold = numbers["threshold"] or state.threshold
    state.record()
    state.push_frame(TURN_START, -1, 1)
    state.run()
    return Scenario(state)


@dataclass
class _Table:
    """A table being laid out; remembers which cards are used."""

    players: int
    state: HiddenLeaders = field(init=False)
    used: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.state = blank(self.players)

    def card(self, name: str | None) -> int:
        card = find_card(name or "-")
        if card in self.used:
            raise BadScenario(f"'{HEROES[card].name}' is mentioned twice")
        self.used.add(card)
        return card

    def fill(self, zone: int, names: Sequence[str | None]) -> None:
        for name in names:
            self.state.lay(zone, LAST, self.card(name))

    def seat(self, part: Player) -> None:
        if not 0 <= part.seat < self.players:
            raise BadScenario(f"there is no seat {part.seat} in a game of {self.players}")
        self.fill(Zone.HAND + part.seat, part.hand)
        self.fill(Zone.OPEN + part.seat, part.open)
        self.fill(Zone.HIDDEN + part.seat, part.hidden)

    def tavern(self, names: Sequence[str | None]) -> None:
        if len(names) > Limit.TAVERN:
            raise BadScenario(f"the tavern has {Limit.TAVERN} slots, not {len(names)}")
        for slot, name in enumerate(names):
            if name is not None:
                self.state.lay(Zone.TAVERN, slot, self.card(name))

    def harbor(self, names: Sequence[str | None] | None) -> None:
        if names is not None:
            self.fill(Zone.HARBOR, names)
            return
        for card in RETAIL:
            if card not in self.used:
                self.state.lay(Zone.HARBOR, LAST, card)

    def leaders(self, seats: Sequence[Player]) -> None:
        numbers = {leader.name.casefold(): number for number, leader in enumerate(LEADERS)}
        wanted = {part.seat: part.leader.casefold() for part in seats if part.leader is not None}
        for name in wanted.values():
            if name not in numbers or list(wanted.values()).count(name) > 1:
                raise BadScenario(f"leader '{name}' is unknown or mentioned twice")
        spare = [number for name, number in numbers.items() if name not in wanted.values()]
        for seat in range(self.players):
            number = numbers[wanted[seat]] if seat in wanted else spare.pop(0)
            self.state.m[LEADERS_AT + seat] = number


class Scenario:
    """A game in progress, driven by texts."""

    def __init__(self, state: HiddenLeaders) -> None:
        self.state = state
        self._markers = self.markers
        self._before = self._zones()

    # ---- when -----------------------------------------------------------------------------

    def play(self, hero: str, *script: str | Outcomes) -> None:
        """Play a hand card and answer all its questions; the script must fit exactly."""
        if not self._in_action():
            raise BadScenario(f"no card can be played now\n{self._situation()}")
        self._answer(self._playing(hero))
        rest = list(_items(script))
        while rest and self._resolving():
            self._answer(rest.pop(0))
        self.check_resolved()
        if rest:
            raise BadScenario(f"the card asks less: {rest} was not used\n{self._situation()}")

    def choose(self, *script: str | Outcomes) -> None:
        """Play the script, which need not finish the card."""
        for item in _items(script):
            self._answer(item)

    def end_turn(self, *script: str | Outcomes) -> None:
        """Finish the turn: the script first, then default moves."""
        if self.over:
            raise BadScenario("the game is over")
        turns = self.state.turns
        items = list(_items(script))
        while self.state.turns == turns:
            if items:
                self._answer(items.pop(0))
            elif self._resolving():
                raise BadScenario(f"a card needs a script\n{self._situation()}")
            else:
                self.state.play(self._simplest())
        if items:
            raise BadScenario(f"the turn is over: {items} was not used\n{self._situation()}")

    def check_resolved(self) -> None:
        if self._resolving():
            raise BadScenario(f"the card asks more than the script says\n{self._situation()}")

    def options(self) -> list[str]:
        """The legal moves as texts; at a chance node, the outcomes."""
        return [move_text(self.state, move) for move in self.state.moves()]

    # ---- then -----------------------------------------------------------------------------

    def changes(self) -> dict[str, object]:
        """What differs from the table as it was given: the name of each part and its new content.

        Parts are "markers", "tavern", "graveyard", "wilderness", and for every seat "A's open",
        "A's hidden" and "A's hand". A hero played from hand is expected to lie open and counts as
        a change only if it does not.
        """
        zones = self._zones()
        changed: dict[str, object] = {
            zone: cards for zone, cards in zones.items() if cards != self._before[zone]
        }
        return changed if self.markers == self._markers else {"markers": self.markers, **changed}

    @property
    def actor(self) -> int:
        """The seat that must decide, CHANCE, or NOBODY."""
        return self.state.actor

    @property
    def turn(self) -> int:
        return self.state.player

    @property
    def red(self) -> int:
        return self.state.red

    @property
    def green(self) -> int:
        return self.state.green

    @property
    def markers(self) -> tuple[int, int]:
        return self.state.red, self.state.green

    @property
    def over(self) -> bool:
        return self.state.actor == NOBODY

    @property
    def winner(self) -> int | None:
        """The winning seat; None if there is none (yet)."""
        return None if self.state.winner == NOBODY else self.state.winner

    @property
    def graveyard(self) -> list[str]:
        return _names(self.state.cards(Zone.GRAVEYARD))

    @property
    def wilderness(self) -> list[str]:
        return _names(self.state.cards(Zone.WILDERNESS))

    @property
    def harbor(self) -> list[str]:
        return sorted(_names(self.state.cards(Zone.HARBOR)))

    @property
    def tavern(self) -> list[str | None]:
        return [HEROES[card].name if card >= 0 else None for card in self.state.cards(Zone.TAVERN)]

    def open(self, seat: int) -> list[str]:
        return sorted(_names(self.state.cards(Zone.OPEN + seat)))

    def hidden(self, seat: int) -> list[str]:
        return _names(self.state.cards(Zone.HIDDEN + seat))

    def hand(self, seat: int) -> list[str]:
        return sorted(_names(self.state.cards(Zone.HAND + seat)))

    def events(self, seat: int) -> list[tuple[int, ...]]:
        """What the seat has perceived since the last call for it."""
        return self.state.take_events(seat)

    # ---- internals ------------------------------------------------------------------------

    def _zones(self) -> dict[str, list[str | None]]:
        zones: dict[str, list[str | None]] = {
            "tavern": self.tavern,
            "graveyard": [*self.graveyard],
            "wilderness": [*self.wilderness],
        }
        for seat in range(self.state.players):
            owner = seat_name(seat)
            zones[f"{owner}'s open"] = [*self.open(seat)]
            zones[f"{owner}'s hidden"] = [*self.hidden(seat)]
            zones[f"{owner}'s hand"] = [*self.hand(seat)]
        return zones

    def _in_action(self) -> bool:
        state = self.state
        return state.actor >= 0 and PROGRAM[state.m[state.frame + Frame.ROW]] == Op.ACTION

    def _resolving(self) -> bool:
        """Whether a card is being resolved: there are frames above that of the turn."""
        return self.state.actor != NOBODY and self.state.frame > FRAMES

    def _playing(self, hero: str) -> str:
        """The text for playing that hero; anything else is taken as it is."""
        try:
            return f"play {HEROES[find_card(hero)].name}"
        except UnknownCard:
            return hero

    def _answer(self, item: str | Outcomes) -> None:
        if isinstance(item, Outcomes):
            self._happen(item)
        elif question := QUESTION.fullmatch(item):
            self._check_question(item, question[1], question[2].split(" / "))
        elif self.state.actor == CHANCE:
            raise BadScenario(f"chance decides now, not '{item}'\n{self._situation()}")
        else:
            try:
                self._move(parse_move(self.state, item))
            except IllegalMove as error:
                raise BadScenario(f"{error}\n{self._situation()}") from None

    def _check_question(self, item: str, letter: str | None, options: list[str]) -> None:
        """Require this seat and these options; pick the option in brackets, if there is one."""
        if self.options() != [option.strip("[]") for option in options]:
            raise BadScenario(f"the question is not '{item}'\n{self._situation()}")
        if letter and (self.actor < 0 or seat_name(self.actor) != letter):
            raise BadScenario(f"seat {letter} is not asked\n{self._situation()}")
        for move, option in zip(self.state.moves(), options, strict=True):
            if option.startswith("["):
                self._move(move)
                return

    def _move(self, move: int) -> None:
        """Play a move; from now on a hero played from hand is expected to lie open."""
        if self.actor >= 0 and move_text(self.state, move).startswith("play "):
            owner, name = seat_name(self.actor), HEROES[move].name
            hand, party = self._before[f"{owner}'s hand"], self._before[f"{owner}'s open"]
            if name in hand:
                hand.remove(name)
                party.append(name)
                party.sort(key=str)
        self.state.play(move)

    def _happen(self, outcome: Outcomes) -> None:
        state, (name,) = self.state, outcome.names
        if state.actor != CHANCE:
            raise BadScenario(f"nothing is left to chance here, not '{name}'\n{self._situation()}")
        if outcome.from_harbor and state.chance != ChanceFrom.HARBOR:
            raise BadScenario(f"'{name}' is not drawn from the harbor\n{self._situation()}")
        card = find_card(name)
        if card not in state.moves():
            raise BadScenario(f"'{name}' cannot come up\n{self._situation()}")
        state.play(card)

    def _simplest(self) -> int:
        moves = self.state.moves()
        for plain in (Move.PASS, Move.TOP):
            if plain in moves:
                return plain
        return moves[0]

    def _situation(self) -> str:
        who = "chance" if self.actor == CHANCE else "nobody"
        if self.actor >= 0:
            who = f"seat {self.actor} ({seat_name(self.actor)})"
        options = "\n  ".join(self.options())
        return f"{who} decides:\n  {options}\n{draw_board(self.state)}"


def _items(script: Sequence[str | Outcomes]) -> Iterator[str | Outcomes]:
    """The script with every outcome of chance as an item of its own."""
    for item in script:
        if isinstance(item, Outcomes):
            for name in item.names:
                yield Outcomes((name,), item.from_harbor)
        else:
            yield item


def _names(cards: Sequence[int]) -> list[str]:
    return [HEROES[card].name for card in cards]
