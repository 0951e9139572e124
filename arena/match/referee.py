"""The referee: deals, asks the bots, checks their moves and records one game.

A game is a function of the rules, the seed and the bots. Chance and every bot have their own random
streams, derived from the seed, so no bot can change another's cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Protocol, TypeVar

from arena.match.clock import Clock
from arena.sandbox.bot_process import BotProcess
from arena.seeds import derive_seed
from bots.bot import Bot, Budget, Match
from bots.runtime.faults import (
    MOST_WORDS,
    BotFailure,
    FaultKind,
    MachineFault,
    check_move,
    clean_line,
    reraise_ctrl_c,
)
from bots.runtime.frames import OwnCode, failure_from, frames_text, innermost, own_code
from bots.runtime.loading import ClassFactory
from bots.runtime.notes import MOST_NOTES, length, note_of, says_nothing
from games.errors import GameError
from games.registry import Game
from games.replay import Note, Replay
from games.seats import seat_name
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View

_T = TypeVar("_T")

PERSON: Final = "you"
"""What a person is called next to the bots' names."""

NO_NOTE: Final = Note()
"""For a move of a bot that says nothing about it."""

MOST_LEGAL: Final = 8
"""Legal moves that are listed to a bot that played another one."""


class BotFault(GameError):
    """A bot crashed, was late or broke the rules; the message says which seat, when and how."""

    def __init__(
        self,
        seat: int,
        name: str,
        decision: int,
        kind: FaultKind,
        problem: str,
        stderr: str = "",
        where: str = "",
        frames: str = "",
    ) -> None:
        self.seat = seat
        self.name = name
        self.decision = decision
        """Number of the decision, counting those of all bots; 0 before the first."""
        self.kind = kind
        self.problem = problem
        self.stderr = stderr
        """The end of what the bot's process wrote there."""
        self.where = where
        """The line of its own code that failed, like `my_bot.py, line 12, in choose`, or empty."""
        self.frames = frames
        """The frames of its own code that lead there, a few lines of text, or empty."""
        self.replay: Replay | None = None
        """The game up to the fault."""
        super().__init__(seat, name, decision, kind, problem, stderr, where, frames)  # for pickle

    def __str__(self) -> str:
        when = f"at decision {self.decision}" if self.decision else "before its first decision"
        who = f"{seat_name(self.seat)} ({self.name}) {when}"
        return f"{who}: {self.problem}" + (f" ({self.where})" if self.where else "")


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
    refused: tuple[dict[str, int], ...] = ()
    """Per seat: system calls that its sandbox refused, and how often."""


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
        self.silent: set[int] = set()
        """Seats of bots that never say anything about their moves."""
        self.moves: list[int] = []
        for move in opening.moves:
            self.play(move)
        self.notes: dict[int, Note] = {}
        """Ply -> what the bot says about that move."""
        self.note_sizes = Counter[int]()
        """Seat -> how much it has said about its moves, so that no bot can fill the run file."""
        self.decisions = 0
        """How many the bots have been asked for."""
        self.seconds: dict[int, list[float]] = {seat: [] for seat in factories}
        self.times: dict[int, float] = {}
        """Ply -> how many seconds the bot thought."""

    def begin(self, budget: Budget | None = None) -> None:
        """Make all bots first, so that processes start in parallel, then start each."""
        for seat, bot_factory in self.factories.items():
            bot_seed = derive_seed(self.seed, "bot", seat)
            make = partial(bot_factory.make, seat, bot_seed, budget, self.match)
            self.bots[seat] = self.call(seat, make)
            if says_nothing(self.bots[seat]):
                self.silent.add(seat)
        for seat, bot in self.bots.items():
            self.call(seat, partial(bot.start, self.views[seat]))
        self.clock.all_ready()

    def replace_bot(self, seat: int, factory: BotFactory) -> None:
        """Another bot takes over the seat, with everything that the seat has seen so far."""
        if process := self.processes().get(seat):
            process.close()
        self.factories = {**self.factories, seat: factory}
        self.names[seat] = factory.name
        # The failed bot may have broken off between two events, so all are read again.
        past = self.opening.new(record=True)
        for move in self.moves:
            past.play(move)
        self.state.take_events(seat)
        self._unheard.pop(seat, None)
        self.views[seat] = view = self.opening.view(seat)
        for event in past.take_events(seat):
            view.observe(event)
        bot_seed = derive_seed(self.seed, "bot", seat)
        self.bots[seat] = factory.make(seat, bot_seed, None, self.match)
        self.silent.discard(seat)
        self.call(seat, partial(self.bots[seat].start, view))

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
        """The actor's move, checked, and its note on it; both are kept for the replay."""
        self.inform()
        self.decisions += 1
        seat = self.state.actor
        bot = self.bots[seat]
        legal = self.state.moves()
        chosen = self.call(seat, partial(bot.choose, self.views[seat]))
        seconds = self.clock.last
        self.seconds[seat].append(seconds)
        if late := self.clock.decided(seat):
            raise self.fault(seat, BotFailure(FaultKind.TIME, late))
        move = self.checked(seat, chosen, legal)
        ply = len(self.moves)
        self.times[ply] = seconds
        if seat in self.silent:
            return move, NO_NOTE
        note = self.call(seat, partial(note_of, bot, legal, self.match.players))
        self.note_sizes[seat] += length(note)
        if note and self.note_sizes[seat] <= MOST_NOTES:
            self.notes[ply] = note
        return move, note

    def checked(self, seat: int, chosen: object, legal: Sequence[int]) -> int:
        """The choice as a legal move."""
        if type(chosen) is int and chosen in legal:
            return chosen
        move = self.call(seat, partial(check_move, chosen))
        if move not in legal:
            problem = illegal_move_text(self.state, self.views[seat], move)
            raise self.fault(seat, BotFailure(FaultKind.ILLEGAL, problem))
        return move

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
            raise self.fault(seat, failure_from(error, self.own_code(seat))) from error
        finally:
            self.clock.answered(seat)

    def fault(self, seat: int, failure: BotFailure) -> BotFault:
        process = self.processes().get(seat)
        stderr = process.stderr if process else ""
        at = (seat, self.names[seat], self.decisions)
        where, frames = innermost(failure.frames), frames_text(failure.frames)
        return BotFault(*at, failure.kind, failure.problem, stderr, where, frames)

    def own_code(self, seat: int) -> OwnCode | None:
        """The files of a bot that plays in this process."""
        factory = self.factories[seat]
        return own_code(factory.bot) if isinstance(factory, ClassFactory) else None

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
        extra: dict[str, object] = {"seed": self.seed, "seats": self.names}
        moves, notes = tuple(self.moves), dict(self.notes)
        # A decision takes a microsecond at least, or it would look like one that was not timed.
        times = {ply: max(1e-6, round(seconds, 6)) for ply, seconds in self.times.items()}
        return replace(self.opening, moves=moves, extra=extra, notes=notes, seconds=times)

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
            refused=tuple(processes[seat].refused if seat in processes else {} for seat in seats),
        )


def illegal_move_text(state: State, view: View, move: int) -> str:
    """What is wrong with a move that is not legal, and which moves are."""
    words = _words(view, move) if 0 <= move < state.move_limit else ""
    legal = state.moves()
    listed = [_words(view, each) or str(each) for each in legal[:MOST_LEGAL]]
    more = f" ({len(legal) - MOST_LEGAL} more)" if len(legal) > MOST_LEGAL else ""
    played = f"played {move}{words and f' ({words!r})'}, which is not legal here"
    return f"{played}; legal are: {', '.join(map(repr, listed))}{more}"


def _words(view: View, move: int) -> str:
    """The move in words; empty if it means nothing here."""
    try:
        return clean_line(view.text(move), MOST_WORDS)
    except Exception:  # noqa: BLE001  (texts are made for legal moves only)
        return ""
