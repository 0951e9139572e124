"""Card tests as little stories: a table is given, texts are played, and the outcome is read off.

    from tests.support.scenario import chance, draws, given, markers, player

    def test_sharpshooter_buries_an_open_empire_hero() -> None:
        game = given(
            markers(red=4, green=6),
            player(0, hand=["Shaky Sharpshooter"]),
            player(1, open=["Flailing Knight", "Grumpy Guard"]),
        )

        game.play("Shaky Sharpshooter", "red +1", "bury Flailing Knight")

        assert game.red == 5
        assert game.graveyard == ["Flailing Knight"]
        assert game.open(1) == ["Grumpy Guard"]

GIVEN. Two players, or as many as are mentioned, or `players=`. Markers stand on 4 unless said
otherwise. Hands, parties, piles and the tavern are empty unless filled; piles are listed bottom to
top, hidden heroes oldest first, tavern slots left to right with None for an empty one. Every card
not mentioned is in the harbor, also the Emperor; with `harbor=[...]` exactly those are, and the
others have left the game. Leaders not mentioned are some unused ones. It is the action step of
`turn`, seat 0 by default. Names may be shortened as `find_card` allows.

WHEN. `game.play(hero, *texts)` plays a hand card and answers every question its ability asks, in
order, whoever is asked; `game.options()` lists the texts that can be answered now, `game.actor` is
the seat asked. It fails if a question is left without a text, or a text without a question: then
the card did not do what the test says. Luck inside a card is scripted too, among the texts:
`draws("Keen Koi", "Leery Lizard")` for cards off the harbor, `chance("Keen Koi")` for a random card
of a hand or party. It ends when the card has been resolved; the turn's draw step comes next.
`game.choose(*texts)` answers that many questions and requires nothing more. `game.end_turn(*texts)`
plays the turn to its end: first the texts, then by default nothing in the action step, harbor cards
in the draw step, any discard, any refill.

THEN. `game.red`, `game.green`, `game.tavern`, `game.graveyard`, `game.wilderness` (top last),
`game.harbor`, `game.open(seat)`, `game.hidden(seat)`, `game.hand(seat)` give numbers and names;
harbor, hands and open heroes in alphabetical order, since their order means nothing. `game.turn` is
the seat whose turn it is, `game.over` and `game.winner` tell the end, `game.events(seat)` what the
seat perceived since the last call (see `words`), and `game.state` is the engine's own state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from games.errors import IllegalMove, UnknownCard
from games.hidden_leaders.rules.bytecode import PROGRAM, TURN_START, Op
from games.hidden_leaders.rules.cards import HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import TAVERN_SLOTS, Move, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.state import HiddenLeaders, blank
from games.hidden_leaders.rules.table import END, FRAMES
from games.hidden_leaders.rules.table import LEADERS as LEADERS_AT
from games.hidden_leaders.text.moves import (
    draw_board,
    find_card,
    move_text,
    parse_move,
)
from games.seats import seat_name
from games.state import CHANCE, NOBODY


class BadScenario(AssertionError):
    """The test's story and the rules disagree; the message shows what could be answered."""


@dataclass(frozen=True)
class Markers:
    """Where the markers stand."""

    red: int
    green: int


@dataclass(frozen=True)
class Player:
    """What lies before one seat."""

    seat: int
    hand: Sequence[str]
    open: Sequence[str]
    hidden: Sequence[str]
    leader: str | None


@dataclass(frozen=True)
class Luck:
    """Scripted outcomes of chance, in order."""

    names: tuple[str, ...]
    from_harbor: bool


def markers(red: int = 4, green: int = 4) -> Markers:
    return Markers(red, green)


def player(
    seat: int,
    hand: Sequence[str] = (),
    open: Sequence[str] = (),  # noqa: A002  the game's own word
    hidden: Sequence[str] = (),
    leader: str | None = None,
) -> Player:
    return Player(seat, hand, open, hidden, leader)


def chance(*names: str) -> Luck:
    """Luck picks these cards, one after the other, from a hand, a party or the harbor."""
    return Luck(names, from_harbor=False)


def draws(*names: str) -> Luck:
    """These cards come off the harbor, one after the other."""
    return Luck(names, from_harbor=True)


def given(
    *parts: Markers | Player,
    tavern: Sequence[str | None] = (),
    graveyard: Sequence[str] = (),
    wilderness: Sequence[str] = (),
    harbor: Sequence[str] | None = None,
    turn: int = 0,
    players: int = 0,
    threshold: int = 0,
    turns: int = 0,
) -> Scenario:
    """A table in the action step of `turn`. `turns` have been completed before."""
    seats = [part for part in parts if isinstance(part, Player)]
    players = players or max([2, turn + 1, *(part.seat + 1 for part in seats)])
    table = _Table(players)
    state = table.state
    for part in parts:
        if isinstance(part, Markers):
            state.red, state.green = part.red, part.green
    for part in seats:
        table.seat(part)
    table.tavern(tavern)
    table.fill(Zone.GRAVEYARD, graveyard)
    table.fill(Zone.WILDERNESS, wilderness)
    table.harbor(harbor)
    table.leaders(seats)
    state.player = state.first = turn
    state.turns = turns
    if threshold:
        state.threshold = threshold
    state.record()
    state.push_frame(TURN_START, -1, 1)
    state.run()
    return Scenario(state)


@dataclass
class _Table:
    """A table being laid, which knows what has been used."""

    players: int
    state: HiddenLeaders = field(init=False)
    used: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.state = blank(self.players)

    def card(self, name: str) -> int:
        card = find_card(name)
        if card in self.used:
            raise BadScenario(f"'{HEROES[card].name}' is mentioned twice")
        self.used.add(card)
        return card

    def fill(self, zone: int, names: Sequence[str]) -> None:
        for name in names:
            self.state.lay(zone, END, self.card(name))

    def seat(self, part: Player) -> None:
        if not 0 <= part.seat < self.players:
            raise BadScenario(f"seat {part.seat} in a game of {self.players}")
        self.fill(Zone.HAND + part.seat, part.hand)
        self.fill(Zone.OPEN + part.seat, part.open)
        self.fill(Zone.HIDDEN + part.seat, part.hidden)

    def tavern(self, names: Sequence[str | None]) -> None:
        if len(names) > TAVERN_SLOTS:
            raise BadScenario(f"the tavern has {TAVERN_SLOTS} slots, not {len(names)}")
        for slot, name in enumerate(names):
            if name is not None:
                self.state.lay(Zone.TAVERN, slot, self.card(name))

    def harbor(self, names: Sequence[str] | None) -> None:
        if names is not None:
            self.fill(Zone.HARBOR, names)
            return
        for card in RETAIL:
            if card not in self.used:
                self.state.lay(Zone.HARBOR, END, card)

    def leaders(self, seats: Sequence[Player]) -> None:
        numbers = {leader.name.casefold(): number for number, leader in enumerate(LEADERS)}
        asked = {part.seat: part.leader.casefold() for part in seats if part.leader is not None}
        for name in asked.values():
            if name not in numbers or list(asked.values()).count(name) > 1:
                raise BadScenario(f"leader '{name}' is unknown or mentioned twice")
        spare = [number for name, number in numbers.items() if name not in asked.values()]
        for seat in range(self.players):
            number = numbers[asked[seat]] if seat in asked else spare.pop(0)
            self.state.m[LEADERS_AT + seat] = number


class Scenario:
    """A game in progress, driven by texts."""

    def __init__(self, state: HiddenLeaders) -> None:
        self.state = state

    # ---- when -----------------------------------------------------------------------------

    def play(self, hero: str, *script: str | Luck) -> None:
        """Play a hand card and answer everything it asks, neither more nor less."""
        if not self._in_action():
            raise BadScenario(f"no card can be played now\n{self._situation()}")
        self._answer(self._playing(hero))
        rest = self._run(_items(script))
        if self._resolving():
            raise BadScenario(f"the card asks more than the script says\n{self._situation()}")
        if rest:
            raise BadScenario(f"the card asks less: {rest} was not used\n{self._situation()}")

    def choose(self, *script: str | Luck) -> None:
        """Answer the next questions, one for each text or outcome."""
        for item in _items(script):
            self._answer(item)

    def end_turn(self, *script: str | Luck) -> None:
        """Play the rest of the turn: the script first, then the simplest moves."""
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

    def options(self) -> list[str]:
        """The texts that can be answered now; at a chance node, the outcomes."""
        return [move_text(self.state, move) for move in self.state.moves()]

    # ---- then -----------------------------------------------------------------------------

    @property
    def actor(self) -> int:
        """The seat that must answer, CHANCE, or NOBODY."""
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
    def over(self) -> bool:
        return self.state.actor == NOBODY

    @property
    def winner(self) -> int | None:
        """The winning seat; None if nobody has won, or not yet."""
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
        """What the seat perceived since this was last called for it."""
        return self.state.take_events(seat)

    # ---- inside ---------------------------------------------------------------------------

    def _in_action(self) -> bool:
        state = self.state
        return state.actor >= 0 and PROGRAM[state.m[state.frame + Frame.ROW]] == Op.ACTION

    def _resolving(self) -> bool:
        """Whether a card is being resolved: frames lie above the turn's own."""
        return self.state.actor != NOBODY and self.state.frame > FRAMES

    def _playing(self, hero: str) -> str:
        """A bare name means to play that card."""
        try:
            return f"play {HEROES[find_card(hero)].name}"
        except UnknownCard:
            return hero

    def _run(self, items: Iterator[str | Luck]) -> list[str | Luck]:
        """Answer until the card is resolved or the script used up; returns what is left."""
        left = list(items)
        while left and self._resolving():
            self._answer(left.pop(0))
        return left

    def _answer(self, item: str | Luck) -> None:
        state = self.state
        if isinstance(item, Luck):
            self._happen(item)
            return
        if state.actor == CHANCE:
            raise BadScenario(f"luck decides now, not '{item}'\n{self._situation()}")
        try:
            state.play(parse_move(state, item))
        except IllegalMove as error:
            raise BadScenario(f"{error}\n{self._situation()}") from None

    def _happen(self, luck: Luck) -> None:
        state, (name,) = self.state, luck.names
        if state.actor != CHANCE:
            raise BadScenario(f"nothing is left to luck here, not '{name}'\n{self._situation()}")
        if luck.from_harbor and state.chance != ChanceFrom.HARBOR:
            raise BadScenario(f"'{name}' does not come off the harbor\n{self._situation()}")
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
        who = "luck" if self.actor == CHANCE else "nobody"
        if self.actor >= 0:
            who = f"seat {self.actor} ({seat_name(self.actor)})"
        options = "\n  ".join(self.options())
        return f"{who} decides:\n  {options}\n{draw_board(self.state)}"


def _items(script: Sequence[str | Luck]) -> Iterator[str | Luck]:
    """The script with every outcome of luck as an item of its own."""
    for item in script:
        if isinstance(item, Luck):
            for name in item.names:
                yield Luck((name,), item.from_harbor)
        else:
            yield item


def _names(cards: Sequence[int]) -> list[str]:
    return [HEROES[card].name for card in cards]
