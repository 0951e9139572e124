"""An artificial game whose odds are known exactly, to test the harness with.

Every player in turn puts tickets into an urn, 1 to 20 as they like; one is drawn, and its owner
wins. Chances are proportional to tickets. It is played by the same referee as any other game.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from bots.bot import Bot
from bots.options import Option
from games.errors import GameError
from games.registry import Game, GameText
from games.state import CHANCE, NOBODY, State
from games.view import View

MOST: Final = 20
"""Tickets that a player may put in."""

ASKED, PUT, DRAWN = range(3)
"""Events: (ASKED, seat), (PUT, seat, tickets), (DRAWN, seat)."""


class LotteryState(State):
    """Who has put in how many, and whose ticket was drawn."""

    def __init__(self, players: int) -> None:
        super().__init__(players)
        self.actor = 0
        self.move_limit = MOST * players + 1
        self.count = MOST
        for i in range(MOST):
            self.legal[i] = i + 1
        self.tickets: list[int] = []
        self.winner = NOBODY
        self.events: list[list[tuple[int, ...]]] = []

    def moves(self) -> list[int]:
        return list(range(sum(self.tickets))) if self.actor == CHANCE else super().moves()

    def play(self, move: int) -> None:
        if self.actor == CHANCE:
            owners = [seat for seat, many in enumerate(self.tickets) for _ in range(many)]
            self.winner = owners[move]
            self.actor = NOBODY
            self.count = 0
            self._tell((DRAWN, self.winner))
            return
        self._tell((PUT, int(self.actor), move))
        self.tickets.append(move)
        self.actor = len(self.tickets)
        if self.actor == self.players:
            self.actor = CHANCE
        else:
            self._tell((ASKED, int(self.actor)))

    def copy(self) -> LotteryState:
        twin = LotteryState(int(self.players))
        twin.actor, twin.count = self.actor, self.count
        twin.tickets, twin.winner = [*self.tickets], self.winner
        return twin

    def winners(self) -> tuple[int, ...]:
        return () if self.winner == NOBODY else (self.winner,)

    def key(self) -> bytes:
        return repr((self.players, self.tickets, self.winner)).encode()

    def record(self) -> None:
        self.events = [[] for _ in range(self.players)]
        self._tell((ASKED, int(self.actor)))

    def take_events(self, seat: int) -> list[tuple[int, ...]]:
        news, self.events[seat] = self.events[seat], []
        return news

    def _tell(self, event: tuple[int, ...]) -> None:
        for told in self.events:
            told.append(event)


class LotteryView(View):
    """Everything is open in this game."""

    def __init__(self, seat: int, players: int) -> None:
        super().__init__(seat, players)
        self.tickets: list[int] = []

    def observe(self, event: tuple[int, ...]) -> None:
        if event[0] == ASKED:
            self.actor = event[1]
            self.decisions += 1
        else:
            self.actor = NOBODY
            self.tickets += event[2:]
        self.moves = list(range(1, MOST + 1)) if self.actor == self.seat else []

    def key(self) -> bytes:
        return repr((self.seat, self.players, self.actor, self.tickets)).encode()


class Buyer(Bot):
    """Puts in a fixed number of tickets."""

    tickets = Option(10, "tickets to put in", least=1, most=MOST)

    def choose(self, _view: View) -> int:
        return self.tickets


class _Text(GameText):
    def move(self, state: State, move: int) -> str:
        return f"draw ticket {move}" if state.actor == CHANCE else f"put in {move}"

    def parse(self, state: State, words: str) -> int:
        for move in state.moves():
            if self.move(state, move) == words:
                return move
        raise GameError(f"{words!r} is no move here; moves are like {self.move(state, 1)!r}")

    def draw(self, state: State, _seat: int | None) -> str:
        assert isinstance(state, LotteryState)
        return f"tickets {state.tickets}, winner {state.winners()}"


class LotteryGame(Game):
    """The lottery, for 2 to 6 players."""

    name = "lottery"
    title = "Lottery"
    rules_version = 1
    min_players = 2
    max_players = 6
    text = _Text()

    def new(self, players: int, **options: object) -> State:
        state = LotteryState(players)
        if options.get("record"):
            state.record()
        return state

    def view(self, seat: int, players: int, **_options: object) -> View:
        return LotteryView(seat, players)


LOTTERY: Final = LotteryGame()


def law(first: int, second: int) -> dict[float, float]:
    """How likely each difference of a deal is when these numbers of tickets meet at two players.

    The two games of a deal draw the same ticket number; the first player's lie before the other's.
    """
    total = first + second
    found: dict[float, Fraction] = {}
    for ticket in range(total):
        won = (ticket < first) + (ticket >= second)
        difference = float(won - 1)
        found[difference] = found.get(difference, Fraction(0)) + Fraction(1, total)
    return {difference: float(chance) for difference, chance in found.items()}
