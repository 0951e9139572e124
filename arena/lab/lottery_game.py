"""A lottery: an artificial game with exactly known odds, to test the harness with.

Every seat in turn buys 1 to 20 tickets; one ticket is drawn, and its owner wins. So chances are
proportional to tickets. The same referee plays it as any other game.
"""

from collections import Counter
from typing import Final

from bots.bot import Bot
from bots.options import Option
from games.errors import GameError
from games.registry import Game, GameText
from games.state import CHANCE, NOBODY, State
from games.view import View

MOST_TICKETS: Final = 20  # the most tickets that a seat may buy
TURN, BOUGHT, DRAWN = range(3)
"""Events: (TURN, seat), (BOUGHT, seat, tickets), (DRAWN, seat)."""


class LotteryState(State):
    """How many tickets each seat has bought, and whose ticket was drawn."""

    def __init__(self, players: int) -> None:
        super().__init__(players)
        self.actor = 0
        self.move_limit = MOST_TICKETS * players + 1
        self.count = MOST_TICKETS
        for i in range(MOST_TICKETS):
            self.legal[i] = i + 1
        self.tickets: list[int] = []
        self.winner = NOBODY
        self.events: list[list[tuple[int, ...]]] = []

    def moves(self) -> list[int]:
        return list(range(sum(self.tickets))) if self.actor == CHANCE else super().moves()

    def play(self, move: int) -> None:
        if self.actor == CHANCE:
            owners = [seat for seat, count in enumerate(self.tickets) for _ in range(count)]
            self.winner = owners[move]
            self.actor = NOBODY
            self.count = 0
            self._add_event((DRAWN, self.winner))
            return
        self._add_event((BOUGHT, int(self.actor), move))
        self.tickets.append(move)
        self.actor = len(self.tickets)
        if self.actor == self.players:
            self.actor = CHANCE
        else:
            self._add_event((TURN, int(self.actor)))

    def copy(self) -> "LotteryState":
        copy = LotteryState(int(self.players))
        copy.actor, copy.count = self.actor, self.count
        copy.tickets, copy.winner = [*self.tickets], self.winner
        return copy

    def winners(self) -> tuple[int, ...]:
        return () if self.winner == NOBODY else (self.winner,)

    def key(self) -> bytes:
        return repr((self.players, self.tickets, self.winner)).encode()

    def record(self) -> None:
        self.events = [[] for _ in range(self.players)]
        self._add_event((TURN, int(self.actor)))

    def take_events(self, seat: int) -> list[tuple[int, ...]]:
        events, self.events[seat] = self.events[seat], []
        return events

    def _add_event(self, event: tuple[int, ...]) -> None:
        for events in self.events:
            events.append(event)


class LotteryView(View):
    """There is no hidden information in this game."""

    def __init__(self, seat: int, players: int) -> None:
        super().__init__(seat, players)
        self.tickets: list[int] = []

    def observe(self, event: tuple[int, ...]) -> None:
        if event[0] == TURN:
            self.actor = event[1]
            self.decisions += 1
        else:
            self.actor = NOBODY
            self.tickets += event[2:]
        self.moves = list(range(1, MOST_TICKETS + 1)) if self.actor == self.seat else []

    def key(self) -> bytes:
        return repr((self.seat, self.players, self.actor, self.tickets)).encode()


class Buyer(Bot):
    """Buys a fixed number of tickets."""

    tickets = Option(10, "tickets to buy", least=1, most=MOST_TICKETS)

    def choose(self, _view: View) -> int:
        return self.tickets


class _Text(GameText):
    def move(self, state: State, move: int) -> str:
        return f"draw ticket {move}" if state.actor == CHANCE else f"buy {move}"

    def parse(self, state: State, words: str) -> int:
        for move in state.moves():
            if self.move(state, move) == words:
                return move
        raise GameError(f"{words!r} is not a legal move; write it like {self.move(state, 1)!r}")

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


def deal_distribution(first: int, second: int) -> dict[float, float]:
    """The probability of each difference in a two-player deal between these numbers of tickets.

    Both games of a deal draw the same ticket number; the first seat's tickets come first.
    """
    total = first + second
    won = Counter((ticket < first) + (ticket >= second) for ticket in range(total))
    return {float(games - 1): tickets / total for games, tickets in won.items()}
