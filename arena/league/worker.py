"""Plays single games of a league; runs in worker processes and, for samples, in the main one."""

import io
import logging
import traceback
from collections.abc import MutableSequence, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final

from arena.league.config import League
from arena.league.outcome import (
    Crashed,
    Fault,
    Finished,
    Outcome,
    pack_moves,
    pack_notes,
    pack_times,
    position_digest,
)
from arena.league.schedule import GameKey
from arena.match.bot_factory import RUNS, bot_factory
from arena.match.clock import Clock, late_after, new_board
from arena.match.referee import BotFault, run_game
from arena.match.repeat import fault_lines, repeat_command
from arena.sandbox.bot_process import Limits
from arena.seeds import derive_seed
from bots.bot import Budget
from bots.runtime.faults import FaultKind, MachineFault, printable
from games.registry import Game, game
from games.replay import Replay
from games.seats import seat_name
from games.state import CHANCE, Rng, State

MOST_OUTPUT: Final = 4000  # characters saved of what the bots print in a game
ATTEMPTS: Final = 10  # times a game is tried if the machine fails or a bot's process is killed

log = logging.getLogger(__name__)


class GameRunner:
    """Plays games of a league: turns game keys into outcomes."""

    def __init__(
        self,
        league: League,
        board: MutableSequence[float] | None = None,
        hidden: Sequence[Path] = (),
    ) -> None:
        """`hidden`: files that isolated bots must not see, even next to their own files."""
        self.league = league
        self.rules = game(league.game)
        # The limits of isolated bots; 0 keeps the default.
        move = late_after(league.seconds_per_move) if league.seconds_per_move else Limits().move
        limits = Limits(move, league.seconds_per_move, league.seconds_per_game or Limits().game)
        self.factories = [
            bot_factory(spec.bot, league.isolated(spec.bot), limits, (RUNS, *hidden))
            for spec in league.bots
        ]
        self.budget = Budget(league.iterations, league.seconds_per_move)
        self.board = new_board() if board is None else board

    def play(self, key: GameKey) -> Outcome:
        """Play one game; a bot's fault or a crash of the rules is an outcome, not an exception."""
        try:
            return self._attempt(key)
        except Exception as error:  # noqa: BLE001  (a bug in the rules or the arena)
            text = "".join(traceback.format_exception(error))
            log.error("a game crashed:\n%s", text.rstrip())
            return Crashed(key.number, f"{type(error).__name__}: {error}")

    def _attempt(
        self, key: GameKey, attempts: int = ATTEMPTS, killed: Fault | None = None
    ) -> Finished:
        """Play the game, and again if the machine fails, up to `attempts` times.

        A bot's process that was killed was killed by something else on the machine: an isolated
        bot cannot do that. A program that is not isolated can, and is at fault if it happens at
        the same decision again; `killed` is how the last attempt ended. The time of a failed
        attempt is charged to nobody.
        """
        league = self.league
        clock = Clock(key.players, league.seconds_per_move, league.seconds_per_game, self.board)
        clock.begin(key.number)
        tail = _Tail()
        try:
            with redirect_stdout(tail), redirect_stderr(tail):
                outcome = self._play(key, clock, tail)
            fault = outcome.fault
            if attempts == 1 or fault is None or fault.kind != FaultKind.KILLED:
                return outcome
            isolated = league.isolated(league.bots[key.seats[fault.seat]].bot)
            if killed is not None and not isolated and fault[:3] == killed[:3]:
                problem = f"{fault.problem}, again at the same decision"
                return outcome._replace(
                    fault=fault._replace(kind=FaultKind.DIED.value, problem=problem)
                )
            killed, why = fault, fault.problem
        except MachineFault as error:
            if attempts == 1:
                raise
            why = str(error)
        finally:
            clock.end()
        log.warning("playing a game again: %s", why)
        return self._attempt(key, attempts - 1, killed)

    def _play(self, key: GameKey, clock: Clock, tail: "_Tail") -> Finished:
        factories = [self.factories[bot] for bot in key.seats]
        options = dict(self.league.options)
        try:
            result = run_game(self.rules, factories, key.seed, options, self.budget, clock=clock)
        except BotFault as error:
            error.name = self.league.names[key.seats[error.seat]]
            lines = fault_lines(error, command_of(self.league, key))
            # Without the game's number, which changes when a bot leaves; the command stays true.
            log.warning("%s", "\n".join(lines))
            tail.write(error.stderr)
            if error.frames:
                tail.write(f"{error.problem}\n{error.frames}")
            at = (error.seat, error.kind.value, error.decision)
            fault = Fault(*at, error.problem, error.where)
            outcome = aborted_game(self.league, key, fault, error.replay)
            replay = error.replay
        else:
            replay, count = result.replay, result.decisions
            outcome = finished_game(key, self.rules, result.state, replay.moves, count)
            tail.write("\n".join(filter(None, result.stderr)))
            outcome = outcome._replace(winners=result.winners)
            self._log_refused(key, result.refused)
        if replay is not None:
            notes, times = pack_notes(replay.notes), pack_times(replay.seconds)
            outcome = outcome._replace(notes=notes, times=times)
        if outcome.fault is None and log.isEnabledFor(logging.DEBUG):
            log.debug("%s", self._told(key, outcome, sum(clock.seconds)))
        spent = tuple(zip(clock.decisions, clock.seconds, clock.slowest, strict=True))
        return outcome._replace(output=tail.text(), spent=spent)

    def _log_refused(self, key: GameKey, refused: Sequence[dict[str, int]]) -> None:
        """Log the system calls that sandboxes refused: an honest bot makes none of them."""
        for bot, calls in zip(key.seats, refused, strict=True):
            if calls:
                listed = ", ".join(f"{name} ({count})" for name, count in sorted(calls.items()))
                name = self.league.names[bot]
                log.info("game %d: %s: refused system calls: %s", key.number, name, listed)

    def _told(self, key: GameKey, outcome: Finished, seconds: float) -> str:
        """A finished game for the log."""
        names = [self.league.names[bot] for bot in key.seats]
        seats = ", ".join(f"{seat_name(seat)} {name}" for seat, name in enumerate(names))
        won = " and ".join(map(seat_name, outcome.winners)) or "nobody"
        took = f"{outcome.decisions} decisions, {seconds:.2f} s"
        return f"game {key.number}: {seats}: {won} won; {took}"


def command_of(league: League, key: GameKey) -> str:
    """The command that plays one game of a league again."""
    bots = [league.bots[bot].bot for bot in key.seats]
    isolate = any(map(league.isolated, bots))
    limit = late_after(league.seconds_per_move) if isolate and league.seconds_per_move else 0.0
    budget = Budget(league.iterations, league.seconds_per_move)
    return repeat_command(
        bots, key.seed, league.game, league.options, budget, isolate=isolate, move_limit=limit
    )


def finished_game(
    key: GameKey,
    rules: Game,
    state: State,
    moves: Sequence[int],
    decisions: int,
    fault: Fault | None = None,
) -> Finished:
    """The outcome of a game that ended in that state; the winners are left empty."""
    roles, first, position = rules.roles(state), rules.first(state), position_digest(state)
    spent = ((0, 0.0, 0.0),) * key.players
    packed, turns = pack_moves(moves), state.turns
    return Finished(
        key.number,
        (),
        roles,
        first,
        decisions,
        turns,
        packed,
        position,
        b"",
        fault,
        "",
        spent,
        turn_limit=rules.hit_turn_limit(state),
    )


def aborted_game(
    league: League, key: GameKey, fault: Fault, replay: Replay | None = None
) -> Finished:
    """The outcome of a game up to a bot's fault; only the deal, if no more moves are known."""
    rules = game(league.game)
    if replay is not None and replay.moves:
        return finished_game(key, rules, replay.state(), replay.moves, fault.decision, fault)
    state = rules.new(key.players, **league.options)
    rng = Rng(derive_seed(key.seed, "deal"))
    moves = []
    while state.actor == CHANCE:
        moves.append(state.sample_chance(rng))
    return finished_game(key, rules, state, moves, fault.decision, fault)


class _Tail(io.TextIOBase):
    """A stream that keeps only the end of what is written to it."""

    def __init__(self) -> None:
        self.kept = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.kept = (self.kept + text)[-MOST_OUTPUT:]
        return len(text)

    def text(self) -> str:
        return printable(self.kept.strip())  # a run file cannot hold half a surrogate pair
