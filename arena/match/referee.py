"""The referee: deals, asks the bots, checks their moves and records one game.

A game is a function of the rules, the seed and the bots. Chance and every bot have their own random
streams, derived from the seed, so no bot can change another's cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Final, Protocol, TypeVar

from arena.match.clock import Clock
from arena.sandbox.bot_process import BotProcess
from arena.seeds import derive_seed
from bots.bot import Bot, Budget, Match
from bots.runtime.faults import (
    BotFailure,
    FaultKind,
    MachineFault,
    check_belief,
    check_move,
    check_reason,
    failure_from,
    reraise_ctrl_c,
)
from games.errors import GameError
from games.registry import Game
from games.replay import Note, Replay
from games.seats import seat_name
from games.state import CHANCE, NOBODY, Rng, State

_T = TypeVar("_T")

PERSON: Final = "you"
"""What a person is called next to the bots' names."""

NO_NOTE: Final = Note()
"""For a move of a bot that explains nothing."""


class BotFault(GameError):
    """A bot crashed, was late or broke the rules; the message says which seat, when and how."""

    def __init__(
        self, seat: int, name: str, decision: int, kind: FaultKind, problem: str, stderr: str = ""
    ) -> None:
        self.seat = seat
        self.name = name
        self.decision = decision
        """Number of the decision, counting those of all bots; 0 before the first."""
        self.kind = kind
        self.problem = problem
        self.stderr = stderr
        """The end of what the bot's process wrote there."""
        self.replay: Replay | None = None
        """The game up to the fault."""
        super().__init__(seat, name, decision, kind, problem, stderr)  # what pickle needs

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} ({self.name}) at decision {self.decision}: {self.problem}"


@dataclass
class Result:
    """A finished game."""

    replay: Replay
    winners: tuple[int, ...]
    decisions: int
    state: State
    """The final position."""
    reasons: dict[int, str] = field(default_factory=dict)
    """Ply -> why the bot says it chose that move."""
    seconds: tuple[tuple[float, ...], ...] = ()
    """Per seat: how long each of its choices took."""
    stderr: tuple[str, ...] = ()
    """Per seat: the end of what its process wrote there; empty without a process."""
    memory: tuple[int, ...] = ()
    """Per seat: peak memory of its process in bytes; 0 without a process."""


Watcher = Callable[[State, int, str], None]
"""Called before every move is played: with the state, the move and the bot's reason."""


class BotFactory(Protocol):
    """Makes instances of one bot, each for one seat of one game: see bot_factory.py."""

    @property
    def name(self) -> str:
        """As the user wrote it."""

    def make(self, seat: int, seed: int, budget: Budget | None, match: Match | None) -> Bot:
        """A fresh instance for one seat of one game."""


def run_game(
    rules: Game,
    factories: Sequence[BotFactory],
    seed: int,
    options: dict[str, object] | None = None,
    budget: Budget | None = None,
    watch: Watcher | None = None,
    clock: Clock | None = None,
    opening: Replay | None = None,
) -> Result:
    """Play one game to its end; raises BotFault if a bot fails.

    An `opening` is the game so far, or a position, and brings its own options; play goes on there.

    MachineFault means that no bot is to blame, and the game may be played again. No process of a
    bot outlives the call, whether it returns or raises.
    """
    opening = opening or Replay(rules.name, len(factories), (), options or {})
    live = LiveGame(rules, opening, dict(enumerate(factories)), seed, clock)
    try:
        live.begin(budget)
        while live.state.actor != NOBODY:
            if live.state.actor == CHANCE:
                live.sample_chance()
                continue
            move, note = live.ask()
            if watch is not None:
                watch(live.state, move, note.reason)
            if note:
                live.notes[len(live.moves)] = note
            live.play(move)
        live.end()
    except BotFault as fault:
        fault.replay = live.replay()
        if process := live.processes().get(fault.seat):
            process.report_fault(fault.kind, fault.problem)
        raise
    finally:
        live.close()
    return live.result()


class LiveGame:
    """A game in progress: its moves, the bots and their views; other seats are a person's."""

    def __init__(
        self,
        rules: Game,
        opening: Replay,
        factories: Mapping[int, BotFactory],
        seed: int,
        clock: Clock | None = None,
    ) -> None:
        players, options = opening.players, opening.options
        self.opening = opening
        """The game as it was before these players went on with it."""
        self.clock = clock or Clock(players)
        self.match = Match(opening.game, players, options)
        self.factories = factories
        self.names = [factories[s].name if s in factories else PERSON for s in range(players)]
        self.seed = seed
        self.luck = Rng(derive_seed(seed, "deal"))
        if opening.position:
            self.state = opening.new(record=True)
        else:  # of any game, not only those that the registry knows
            self.state = rules.new(players, **{**options, "record": True})
        self.views = {seat: rules.view(seat, players, **options) for seat in factories}
        self._unheard = {seat: opening.known_before(seat) for seat in factories}
        """Events from before the first move that a bot has not received yet."""
        self.bots: dict[int, Bot] = {}
        self.moves: list[int] = []
        for move in opening.moves:
            self.play(move)
        self.notes: dict[int, Note] = {}
        """Ply -> what the bot says about that move."""
        self.decisions = 0
        """How many the bots have been asked for."""
        self.seconds: dict[int, list[float]] = {seat: [] for seat in factories}

    def begin(self, budget: Budget | None = None) -> None:
        """Make all bots first, so that processes start in parallel, then start each."""
        for seat, bot_factory in self.factories.items():
            bot_seed = derive_seed(self.seed, "bot", seat)
            make = partial(bot_factory.make, seat, bot_seed, budget, self.match)
            self.bots[seat] = self.call(seat, make)
        for seat, bot in self.bots.items():
            self.call(seat, partial(bot.start, self.views[seat]))
        self.clock.all_ready()

    def sample_chance(self) -> None:
        self.moves.append(self.state.sample_chance(self.luck))

    def play(self, move: int) -> None:
        self.moves.append(move)
        self.state.play(move)

    def inform(self) -> None:
        """Send every bot the new events of its seat."""
        for seat, bot in self.bots.items():
            view = self.views[seat]
            for event in (*self._unheard.pop(seat, ()), *self.state.take_events(seat)):
                view.observe(event)
                if type(bot).observe is not Bot.observe:
                    self.call(seat, partial(bot.observe, event))

    def ask(self) -> tuple[int, Note]:
        """The actor's move, checked, and its note on it."""
        self.inform()
        self.decisions += 1
        seat = self.state.actor
        bot = self.bots[seat]
        legal = self.state.moves()
        began = perf_counter()
        chosen = self.call(seat, partial(bot.choose, self.views[seat]))
        self.seconds[seat].append(perf_counter() - began)
        if late := self.clock.decided(seat):
            raise self.fault(seat, BotFailure(FaultKind.TIME, late))
        move = self.call(seat, partial(check_move, chosen))
        if move not in legal:
            problem = f"chose {move}, which is not legal; legal moves: {legal}"
            raise self.fault(seat, BotFailure(FaultKind.ILLEGAL, problem))
        kind = type(bot)
        if kind.explain is Bot.explain and kind.belief is Bot.belief:
            return move, NO_NOTE
        reason = self.call(seat, lambda: check_reason(bot.explain()))
        belief = self.call(seat, lambda: check_belief(bot.belief()))
        return move, Note(reason, belief)

    def call(self, seat: int, ask: Callable[[], _T]) -> _T:
        """Call a bot's code, or methods of its answer; whatever that raises is the bot's fault."""
        self.clock.ask(seat)
        try:
            return ask()
        except BotFailure as failure:
            raise self.fault(seat, failure) from failure
        except MachineFault:
            raise
        except BaseException as error:
            reraise_ctrl_c(error)
            raise self.fault(seat, failure_from(error)) from error
        finally:
            self.clock.answered(seat)

    def fault(self, seat: int, failure: BotFailure) -> BotFault:
        process = self.processes().get(seat)
        stderr = process.stderr if process else ""
        name = self.names[seat]
        return BotFault(seat, name, self.decisions, failure.kind, failure.problem, stderr)

    def processes(self) -> dict[int, BotProcess]:
        return {seat: bot for seat, bot in self.bots.items() if isinstance(bot, BotProcess)}

    def end(self) -> None:
        """Send the result to all processes before waiting for any."""
        self.inform()
        for process in self.processes().values():
            process.end(self.state.winners())

    def close(self) -> None:
        """End all processes, even if ending one of them raises."""
        with ExitStack() as ends:
            for process in self.processes().values():
                ends.callback(process.close)

    def replay(self) -> Replay:
        """The game so far."""
        extra = {"seed": self.seed, "seats": self.names}
        notes = dict(self.notes)
        return replace(self.opening, moves=tuple(self.moves), extra=extra, notes=notes)

    def result(self) -> Result:
        """The finished game between bots."""
        processes = self.processes()
        seats = range(self.match.players)
        return Result(
            self.replay(),
            self.state.winners(),
            self.decisions,
            self.state,
            reasons={ply: note.reason for ply, note in self.notes.items() if note.reason},
            seconds=tuple(tuple(self.seconds[seat]) for seat in seats),
            stderr=tuple(processes[seat].stderr if seat in processes else "" for seat in seats),
            memory=tuple(processes[seat].memory if seat in processes else 0 for seat in seats),
        )
