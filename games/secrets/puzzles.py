"""Puzzle material of Secrets: endings, simpler positions, themes and words."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from games.puzzle_material import PosedQuestion, PuzzleMaterial, SolutionLine
from games.questions import PosedPosition
from games.seats import seat_name
from games.secrets import puzzle_words
from games.secrets.constants import FEWEST_PLAYERS, THRESHOLDS, Phase, Token
from games.secrets.position import CardTuple, Position, Seat, position_of
from games.secrets.puzzle_themes import Theme, line_themes
from games.secrets.random_endings import hide_cards, random_ending
from games.secrets.state import Secrets
from games.secrets.worlds import PosedSecrets
from games.state import NOBODY, State

_ASKED: Final = (
    *(Phase.CHOOSE, Phase.TARGET, Phase.UN, Phase.ANSWER),
    *(Phase.SWAP, Phase.PASS_ON, Phase.NEIGHBOUR, Phase.GIVE),
)
"""Decisions that puzzles are about; claims and looks change nothing."""
_AGAINST: Final = "coalition"
_SELFISH: Final = "selfish"
_RANDOM: Final = "random"
_MOST_WORLDS: Final = 40
_KNOWN_CARDS: Final = 4
"""Cards of the deck in puzzles of two turns; all are known."""
_FEWEST_CHOICES: Final = 3
_HEROES: Final = {Token.CIA: "the CIA", Token.KGB: "the KGB", Token.HIPPIE: "a Hippie"}


class SecretsPuzzles(PuzzleMaterial):
    """Endings, themes and words for puzzles of Secrets."""

    hidden_theme = Theme.HIDDEN_TOKENS
    denial_theme = ""

    def ending_of(self, state: State) -> PosedPosition | None:
        """A seat decides something that matters, and one more card would end the game."""
        assert isinstance(state, Secrets)
        if state.actor < 0 or state.phase not in _ASKED:
            return None
        if max(state.size(seat) for seat in range(state.players)) < state.threshold - 1:
            return None
        return PosedSecrets(turned(position_of(state), int(state.actor)))

    def random_ending(self, dice: random.Random, players: int, theme: str) -> PosedPosition | None:
        state = random_ending(dice, players)
        wanted = {phase for phase in _ASKED if theme == Theme.BULLET and phase == Phase.GIVE}
        if state is None or (wanted and state.phase not in wanted):
            return None
        return self.ending_of(state)

    def questions(self, dice: random.Random, position: PosedPosition) -> list[PosedQuestion]:
        """Wins and defences, this turn or with the next, with all tokens known or some hidden."""
        table = _position(position)
        rest = table.bottom[:_KNOWN_CARDS]
        short = PosedSecrets(replace(table, deck=(), bottom=rest))
        denied = f"deny:{seat_name(dice.randrange(1, table.players))}"
        questions = [
            PosedQuestion(position, goal, 1, others)
            for goal in ("win", denied)
            for others in (_AGAINST, _SELFISH, _RANDOM)
        ]
        if len(set(rest)) > 1 and not short.position.problems():
            questions += [
                PosedQuestion(short, goal, 2, others)
                for goal in ("win", denied)
                for others in (_AGAINST, _SELFISH)
            ]
        for others in (_AGAINST, _RANDOM):
            hidden = PosedSecrets(hide_cards(dice, table))
            if not hidden.position.problems() and 1 < hidden.world_count() <= _MOST_WORLDS:
                questions.append(PosedQuestion(hidden, "win", 1, others))
        return questions

    def with_full_deck(self, position: PosedPosition) -> PosedPosition | None:
        full = replace(_position(position), deck=None, bottom=())
        return None if full.problems() else PosedSecrets(full)

    def simpler(self, position: PosedPosition) -> Iterator[PosedPosition]:
        table = _position(position)
        for less in thinner(table):
            if not less.problems() and _may_still_end(less):
                yield PosedSecrets(less)

    def enough_choices(self, moves: Sequence[int]) -> bool:
        return len(moves) >= _FEWEST_CHOICES

    line_themes = staticmethod(line_themes)

    def plain_theme(self, line: SolutionLine, ends: Sequence[State]) -> str:  # noqa: ARG002
        """A card passed on without any of the other effects is something offered."""
        return Theme.OFFER

    def hero(self, position: PosedPosition) -> str:
        return _HEROES.get(_position(position).seats[0].token, "")

    def remarks(self, position: PosedPosition, dice: random.Random) -> list[str]:
        return puzzle_words.remarks(_position(position), dice)


def turned(position: Position, actor: int) -> Position:
    """The position with the seat that decides as A."""

    def seat(number: int) -> int:
        return number if number == NOBODY else (number - actor) % position.players

    return replace(
        position,
        seats=position.seats[actor:] + position.seats[:actor],
        turn=seat(position.turn),
        target=seat(position.target),
        taker=seat(position.taker),
        un=None,
        facts=(),
    )


def thinner(position: Position) -> Iterator[Position]:
    """Positions with one card or Bullet less, or with one card less to come."""
    for at in range(len(position.bottom)):
        yield replace(position, bottom=position.bottom[:at] + position.bottom[at + 1 :])
    for number in reversed(range(position.players)):
        seat = position.seats[number]
        for less in _one_less(seat.down):
            yield _with_seat(position, number, replace(seat, down=less))
        for less in _one_less(seat.bullets):
            yield _with_seat(position, number, replace(seat, bullets=less))
        for less in _one_less(seat.up):
            yield _with_seat(position, number, replace(seat, up=less))


def _one_less(cards: CardTuple) -> Iterator[CardTuple]:
    for at in range(len(cards)):
        yield cards[:at] + cards[at + 1 :]


def _with_seat(position: Position, number: int, seat: Seat) -> Position:
    seats = (*position.seats[:number], seat, *position.seats[number + 1 :])
    return replace(position, seats=seats)


def _may_still_end(position: Position) -> bool:
    """Whether one more card may end the game, so that the puzzle is still about its end."""
    most = max(seat.size for seat in position.seats)
    return most >= THRESHOLDS[position.players - FEWEST_PLAYERS] - 1


def _position(posed: PosedPosition) -> Position:
    assert isinstance(posed, PosedSecrets)
    return posed.position
