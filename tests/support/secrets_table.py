"""Tests of Secrets as short stories: lay out a table, play moves as texts, check the outcome.

    game = given("CIA KGB Hippie CIA", centre="KGB", deck=["Scientist", "Detective"])
    game.play("offer Detective", "to B", "say nothing", "accept", "look at the centre")
    assert game.display(1) == ["Detective"]

GIVEN. The sides of all seats and of the centre. The deck is listed from the top and its order is
known, as if its cards had all been put back; all other cards are out of the game. `displays` are
the cards in front of each seat: a name is face up, a name in brackets face down, `Bullet -2` a
Bullet. It is the turn of seat `turn`, 0 by default, and the UN token is where the displays put it.

WHEN. `game.play(*texts)` answers one question per text, whichever seat is asked; `Bullet -2` is an
outcome of chance. It fails if a text does not fit and lists the legal ones.

THEN. `game.display(seat)` and similar methods return names, `game.news(seat)` everything the seat
has perceived, and `game.view(seat)` the View built from that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.secrets.constants import (
    BULLETS,
    CENTRE,
    CHARACTER_NAMES,
    KINDS,
    SIDE_NAMES,
    Character,
    Move,
)
from games.secrets.moves import find_character, move_text, parse_move
from games.secrets.scoring import score
from games.secrets.state import Secrets, blank
from games.secrets.table import BAG, BOTTOM, DOWN, FACELESS, SHOT, SIZE, TOKENS, UP
from games.secrets.view import SecretsView
from games.state import CHANCE, NOBODY
from games.view import EventTuple


class Story:
    """A game in progress, driven by texts and read by names."""

    def __init__(self, state: Secrets) -> None:
        self.state = state
        self.received: dict[int, list[EventTuple]] = {seat: [] for seat in range(state.players)}

    # ---- playing --------------------------------------------------------------------------

    def play(self, *texts: str) -> Story:
        for text in texts:
            if self.state.actor == CHANCE:
                assert text.startswith("Bullet "), f"chance decides before {text!r}"
                self.state.play(Move.BULLET - int(text.split()[1]))
            else:
                self.state.play(parse_move(self.state, text))
        return self

    def offer(self, character: str, target: str, *then: str) -> Story:
        return self.play(f"offer {character}", f"to {target}", "say nothing", *then)

    # ---- reading --------------------------------------------------------------------------

    @property
    def actor(self) -> int:
        return self.state.actor

    @property
    def options(self) -> list[str]:
        return [move_text(self.state, move) for move in self.state.moves()]

    def side(self, place: int) -> str:
        return SIDE_NAMES[self.state.token(place)]

    @property
    def sides(self) -> str:
        """The sides of all seats and of the centre."""
        return " ".join(self.side(place) for place in [*range(self.state.players), CENTRE])

    def display(self, seat: int) -> list[str]:
        return [
            CHARACTER_NAMES[c]
            for c in range(Character.COUNT)
            for _ in range(self.state.up(seat, c))
        ]

    def down(self, seat: int) -> list[str]:
        return [
            CHARACTER_NAMES[c]
            for c in range(Character.COUNT)
            for _ in range(self.state.down(seat, c))
        ]

    def bullets(self, seat: int) -> list[int]:
        return [-k for k in range(BULLETS) if self.state.m[SHOT + seat] >> k & 1]

    def score(self, seat: int) -> int:
        return score(self.state, seat)

    @property
    def deck(self) -> list[str]:
        return [CHARACTER_NAMES[card] for card in self.state.bottom_cards()]

    @property
    def over(self) -> bool:
        return self.state.actor == NOBODY

    def news(self, seat: int) -> list[EventTuple]:
        self.received[seat] += self.state.take_events(seat)
        return self.received[seat]

    def view(self, seat: int) -> SecretsView:
        """The View of a seat that joined at the start of the story and saw all cards then."""
        view = SecretsView(seat, self.state.players)
        lay_out(view, self.before)
        for event in self.news(seat):
            view.observe(event)
        return view

    before: Secrets


def lay_out(view: SecretsView, table: Secrets) -> None:
    """Show the View the cards of the table, but neither tokens nor Bullets."""
    board = view.board()
    for at in range(UP, BOTTOM + table.bottom):
        board.m[at] = table.m[at]
    for seat in range(table.players):
        board.m[SHOT + seat] = 0
        shot = int(table.m[SHOT + seat]).bit_count()
        board.m[FACELESS + seat] = shot
        board.bullets -= shot
    board.bag, board.bottom = table.bag, table.bottom
    board.un, board.player, board.first = table.un, table.player, table.first
    board.threshold = table.threshold
    board.notes = view._board.notes
    view._board = board


def given(
    sides: str,
    centre: str,
    deck: Sequence[str] = (),
    displays: Mapping[int, Sequence[str]] | None = None,
    turn: int = 0,
) -> Story:
    """A table at the start of a turn."""
    tokens = [SIDE_NAMES.index(side) for side in sides.split()]
    state = blank(len(tokens))
    state.dealt = len(tokens) + 1
    for c in range(Character.COUNT):
        state.m[BAG + c] = 0
    state.bag = 0
    for seat, token in enumerate(tokens):
        state.m[TOKENS + seat] = token
    state.m[TOKENS + CENTRE] = SIDE_NAMES.index(centre)
    for seat, cards in (displays or {}).items():
        for card in cards:
            put(state, seat, card)
    for name in deck:
        state.m[BOTTOM + state.bottom] = find_character(name)
        state.bottom += 1
    state.first = state.player = turn
    state.move_un()
    story = Story(state)
    story.before = state.copy()
    state.record()
    state.begin_turn()
    return story


def put(state: Secrets, seat: int, card: str) -> None:
    state.m[SIZE + seat] += 1
    if card.startswith("Bullet "):
        bullet = -int(card.split()[1])
        state.m[SHOT + seat] |= 1 << bullet
        state.pile &= ~(1 << bullet)
        state.bullets -= 1
        return
    at = DOWN if card.startswith("(") else UP
    state.m[at + seat * KINDS + find_character(card.strip("()"))] += 1
