"""The referee: deals, asks, checks and records one game between bots.

A game is a function of the rules, its seed and the bots: luck and every bot have streams of their
own, derived from the seed, so that no bot can shift another's cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from arena.clock import Clock
from bots.base import Bot, Budget
from bots.loading import Entrant
from games.errors import GameError
from games.registry import Game
from games.replay import Replay, seat_name
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View


class BotFault(GameError):
    """A bot broke the rules or broke down; the message says which seat, when and how."""

    def __init__(
        self, seat: int, name: str, decision: int, kind: str, problem: str, stderr: str = ""
    ) -> None:
        self.seat = seat
        self.name = name
        self.decision = decision
        """Decisions asked for so far, of anybody; 0 before the first."""
        self.kind = kind
        self.problem = problem
        self.stderr = stderr
        self.replay: Replay | None = None
        """The game up to the fault."""
        super().__init__(f"{seat_name(seat)} ({name}) at decision {decision}: {problem}")


@dataclass
class Result:
    """A finished game."""

    replay: Replay
    winners: tuple[int, ...]
    decisions: int
    state: State
    """The game at its end."""
    reasons: dict[int, str] = field(default_factory=dict)
    """Ply -> what the bot said about its choice."""


MOST_WORDS: Final = 200
"""Letters of what a bot said that fit into a fault."""

Watcher = Callable[[State, int, str], None]
"""Told of every move before it is played: the state, the move, the bot's reason."""


def stream(seed: int, *names: object) -> int:
    """The seed of one of the independent streams of a game."""
    words = "/".join(str(name) for name in (seed, *names))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:7], "big")


def play_game(
    game: Game,
    entrants: Sequence[Entrant],
    seed: int,
    options: dict[str, object] | None = None,
    budget: Budget | None = None,
    watch: Watcher | None = None,
    clock: Clock | None = None,
) -> Result:
    """Play one game to its end; BotFault if a bot does not play by the rules."""
    asked = options or {}
    players = len(entrants)
    state = game.new(players, **{**asked, "record": True})
    views = [game.view(seat, players, **asked) for seat in range(players)]
    table = Table(state, views, dict(enumerate(entrants)), clock)
    luck = Rng(stream(seed, "deal"))
    moves: list[int] = []
    reasons: dict[int, str] = {}
    extra = {"seed": seed, "seats": [entrant.name for entrant in entrants]}
    try:
        table.begin(seed, budget)
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                moves.append(state.roll(luck))
                continue
            move, reason = table.ask()
            if watch is not None:
                watch(state, move, reason)
            if reason:
                reasons[len(moves)] = reason
            moves.append(move)
            state.play(move)
        table.inform()
    except BotFault as fault:
        fault.replay = Replay(game.name, players, tuple(moves), asked, extra)
        raise
    replay = Replay(game.name, players, tuple(moves), asked, extra)
    return Result(replay, state.winners(), table.decisions, state, reasons)


class Table:
    """The bots at one game, and what they have been told; a seat without one is a person's."""

    def __init__(
        self,
        state: State,
        views: Sequence[View],
        entrants: Mapping[int, Entrant],
        clock: Clock | None = None,
    ) -> None:
        self.state = state
        self.clock = clock or Clock(len(views))
        self.views = views
        self.bots: dict[int, Bot] = {}
        self.entrants = entrants
        self.decisions = 0

    def begin(self, seed: int, budget: Budget | None = None) -> None:
        """Make every bot, then tell each that the game begins."""
        for seat, entrant in self.entrants.items():
            dice = stream(seed, "bot", seat)
            bot = self.call(seat, partial(entrant.make, seat, dice, budget))
            assert isinstance(bot, Bot)
            self.bots[seat] = bot
        for seat, bot in self.bots.items():
            self.call(seat, partial(bot.start, self.views[seat]))

    def inform(self) -> None:
        """Tell every bot what its seat has perceived since it was last told."""
        for seat, bot in self.bots.items():
            view = self.views[seat]
            for event in self.state.take_events(seat):
                view.observe(event)
                if type(bot).observe is not Bot.observe:
                    self.call(seat, partial(bot.observe, event))

    def ask(self) -> tuple[int, str]:
        """The actor's move, checked, and its reason."""
        self.inform()
        self.decisions += 1
        seat = self.state.actor
        bot = self.bots[seat]
        legal = self.state.moves()
        move = self.call(seat, partial(bot.choose, self.views[seat]))
        if late := self.clock.decided(seat):
            raise self.fault(seat, "time", late)
        if not isinstance(move, int) or isinstance(move, bool):
            problem = f"chose {told(move)}, which is not a number of a move"
            raise self.fault(seat, "not-a-move", problem)
        if move not in legal:
            problem = f"chose {move}, which is not legal; legal are {legal}"
            raise self.fault(seat, "illegal", problem)
        return move, self.reason(seat)

    def reason(self, seat: int) -> str:
        """What the bot says about its choice; None is as good as nothing."""
        bot = self.bots[seat]
        if type(bot).explain is Bot.explain:
            return ""  # most bots keep their reasons to themselves
        reason = self.call(seat, bot.explain)
        if reason is not None and not isinstance(reason, str):
            problem = f"explained itself with {told(reason)}, which is not text"
            raise self.fault(seat, "protocol", problem)
        return reason or ""

    def call(self, seat: int, ask: Callable[[], object]) -> object:
        """Ask a bot for something; whatever it raises is its fault, not ours."""
        self.clock.ask(seat)
        try:
            return ask()
        except (Exception, SystemExit) as error:
            problem = f"raised {type(error).__name__}: {told(error, str)}"
            raise self.fault(seat, "exception", problem) from error
        finally:
            self.clock.answered(seat)

    def fault(self, seat: int, kind: str, problem: str) -> BotFault:
        return BotFault(seat, self.entrants[seat].name, self.decisions, kind, problem)


def told(thing: object, how: Callable[[object], str] = repr) -> str:
    """Whatever a bot came up with, on one line of bearable length."""
    try:
        words = " ".join(how(thing).split())
    except Exception:  # noqa: BLE001  (a bot's class may do anything here)
        words = f"a {type(thing).__name__}"
    return words if len(words) <= MOST_WORDS else words[: MOST_WORDS - 3] + "..."
