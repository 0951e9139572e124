"""The referee: deals, asks, checks and records one game between bots.

A game is a function of the rules, its seed and the bots: luck and every bot have streams of their
own, derived from the seed, so that no bot can shift another's cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
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
    heed,
    raised,
)
from games.errors import GameError
from games.registry import Game
from games.replay import Note, Replay
from games.seats import seat_name
from games.state import CHANCE, NOBODY, Rng, State

T = TypeVar("T")

NOTHING: Final = Note()
"""Said about a move by bots that explain nothing."""


class BotFault(GameError):
    """A bot broke the rules or broke down; the message says which seat, when and how."""

    def __init__(
        self, seat: int, name: str, decision: int, kind: FaultKind, problem: str, stderr: str = ""
    ) -> None:
        self.seat = seat
        self.name = name
        self.decision = decision
        """Decisions asked for so far, of anybody; 0 before the first."""
        self.kind = kind
        self.problem = problem
        self.stderr = stderr
        """The last of what the bot's process wrote there."""
        self.replay: Replay | None = None
        """The game up to the fault."""
        super().__init__(f"{seat_name(seat)} ({name}) at decision {decision}: {problem}")

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are rebuilt from their message; this one needs its parts to cross processes.
        parts = (self.seat, self.name, self.decision, self.kind, self.problem, self.stderr)
        return type(self), parts, {"replay": self.replay}


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
    seconds: tuple[tuple[float, ...], ...] = ()
    """Of each seat: how long each of its choices took."""
    stderr: tuple[str, ...] = ()
    """Of each seat: the last of what its process wrote there; empty for bots without one."""
    memory: tuple[int, ...] = ()
    """Of each seat: bytes its process used at most; 0 for bots without one."""


Watcher = Callable[[State, int, str], None]
"""Told of every move before it is played: the state, the move, the bot's reason."""


class BotFactory(Protocol):
    """Whoever may be seated: a class (`bots.runtime.loading.ClassFactory`) or a process (`arena.match.bot_factory`)."""

    @property
    def name(self) -> str:
        """As written by whoever named it."""

    def make(self, seat: int, seed: int, budget: Budget | None, match: Match | None) -> Bot:
        """A fresh instance for one seat of one game."""


def play_game(
    game: Game,
    factories: Sequence[BotFactory],
    seed: int,
    options: dict[str, object] | None = None,
    budget: Budget | None = None,
    watch: Watcher | None = None,
    clock: Clock | None = None,
) -> Result:
    """Play one game to its end; BotFault if a bot does not play by the rules.

    MachineFault if that is nobody's fault: such a game may be played again.
    Whatever happens, no bot's process is left when this returns or raises.
    """
    luck = Rng(derive_seed(seed, "deal"))
    table = Table(game, dict(enumerate(factories)), len(factories), options, clock)
    record = _Record(table, seed)
    try:
        table.begin(seed, budget)
        while table.state.actor != NOBODY:
            if table.state.actor == CHANCE:
                record.moves.append(table.state.sample_chance(luck))
            else:
                record.decide(watch)
        table.end()
    except BotFault as fault:
        fault.replay = record.replay()
        table.tell(fault)
        raise
    finally:
        table.close()
    return record.result()


class Table:
    """The bots at one game, and what they have been told; a seat without one is a person's."""

    def __init__(
        self,
        game: Game,
        factories: Mapping[int, BotFactory],
        players: int,
        options: dict[str, object] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.clock = clock or Clock(players)
        self.match = Match(game.name, players, options or {})
        self.factories = factories
        self.state = game.new(players, **{**self.match.options, "record": True})
        self.views = {seat: game.view(seat, players, **self.match.options) for seat in factories}
        self.bots: dict[int, Bot] = {}
        self.decisions = 0
        """Asked of bots so far."""
        self.seconds: dict[int, list[float]] = {seat: [] for seat in factories}

    def begin(self, seed: int, budget: Budget | None = None) -> None:
        """Make all bots, so that processes start side by side, then let each begin."""
        for seat, bot_factory in self.factories.items():
            dice = derive_seed(seed, "bot", seat)
            bot = self.call(seat, partial(bot_factory.make, seat, dice, budget, self.match))
            assert isinstance(bot, Bot)
            self.bots[seat] = bot
        for seat, bot in self.bots.items():
            self.call(seat, partial(bot.start, self.views[seat]))
        self.clock.all_ready()

    def inform(self) -> None:
        """Tell every bot what its seat has perceived since it was last told."""
        for seat, bot in self.bots.items():
            view = self.views[seat]
            for event in self.state.take_events(seat):
                view.observe(event)
                if type(bot).observe is not Bot.observe:
                    self.call(seat, partial(bot.observe, event))

    def ask(self) -> tuple[int, Note]:
        """The actor's move, checked, and what it says about it."""
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
        move = self.checked(seat, check_move, chosen)
        if move not in legal:
            problem = f"chose {move}, which is not legal; legal are {legal}"
            raise self.fault(seat, BotFailure(FaultKind.ILLEGAL, problem))
        return move, self.note(seat, bot)

    def note(self, seat: int, bot: Bot) -> Note:
        """What the bot says about its last move; most have nothing to say and are not asked."""
        kind = type(bot)
        if kind.explain is Bot.explain and kind.belief is Bot.belief:
            return NOTHING
        reason = self.checked(seat, check_reason, self.call(seat, bot.explain))
        belief = self.checked(seat, check_belief, self.call(seat, bot.belief))
        return Note(reason, belief)

    def call(self, seat: int, ask: Callable[[], object]) -> object:
        """Ask a bot for something; whatever it raises is its fault, not ours."""
        self.clock.ask(seat)
        try:
            return ask()
        except BotFailure as breakdown:
            raise self.fault(seat, breakdown) from breakdown
        except MachineFault:
            raise
        except BaseException as error:
            heed(error)
            raise self.fault(seat, raised(error)) from error
        finally:
            self.clock.answered(seat)

    def checked(self, seat: int, check: Callable[[object], T], said: object) -> T:
        """What a bot said, in the form it must have."""
        try:
            return check(said)
        except BotFailure as breakdown:
            raise self.fault(seat, breakdown) from None
        except BaseException as error:  # what a bot says may be of a class of its own
            heed(error)
            raise self.fault(seat, raised(error)) from error

    def fault(self, seat: int, breakdown: BotFailure) -> BotFault:
        bot = self.bots.get(seat)
        stderr = bot.stderr if isinstance(bot, BotProcess) else ""
        name, problem = self.factories[seat].name, breakdown.problem
        return BotFault(seat, name, self.decisions, breakdown.kind, problem, stderr)

    def tell(self, fault: BotFault) -> None:
        """Let the bot's process know why the game ends for it."""
        bot = self.bots.get(fault.seat)
        if isinstance(bot, BotProcess):
            bot.refuse(fault.kind, fault.problem)

    def end(self) -> None:
        """Tell everybody how it ended; all processes, before any is waited for."""
        self.inform()
        for process in self.processes():
            process.end(self.state.winners())

    def close(self) -> None:
        """End all processes, the others even if one cannot be ended."""
        with ExitStack() as ends:
            for process in self.processes():
                ends.callback(process.close)

    def processes(self) -> list[BotProcess]:
        return [bot for bot in self.bots.values() if isinstance(bot, BotProcess)]


class _Record:
    """What has been done in a game between bots."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.seed = seed
        self.moves: list[int] = []
        self.notes: dict[int, Note] = {}

    def decide(self, watch: Watcher | None) -> None:
        """Let the actor choose, and play its move."""
        state = self.table.state
        move, note = self.table.ask()
        if watch is not None:
            watch(state, move, note.reason)
        if note:
            self.notes[len(self.moves)] = note
        self.moves.append(move)
        state.play(move)

    def replay(self) -> Replay:
        """The game so far."""
        match = self.table.match
        names = [bot_factory.name for bot_factory in self.table.factories.values()]
        extra = {"seed": self.seed, "seats": names}
        return Replay(
            match.game, match.players, tuple(self.moves), match.options, extra, dict(self.notes)
        )

    def result(self) -> Result:
        """The finished game."""
        table = self.table
        processes = {process.seat: process for process in table.processes()}
        seats = range(table.match.players)
        return Result(
            self.replay(),
            table.state.winners(),
            table.decisions,
            table.state,
            reasons={ply: note.reason for ply, note in self.notes.items() if note.reason},
            seconds=tuple(tuple(table.seconds[seat]) for seat in seats),
            stderr=tuple(processes[seat].stderr if seat in processes else "" for seat in seats),
            memory=tuple(processes[seat].memory if seat in processes else 0 for seat in seats),
        )
