"""Worker pools: games go in as keys, outcomes come out as plain data, in any order.

`Pool` is all a league knows of its workers. `LocalPool` is a process per core of this machine: it
keeps every worker supplied, replaces those that die, and kills those that are stuck.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import MutableSequence, Sequence
from contextlib import suppress
from logging.handlers import QueueHandler
from multiprocessing.connection import Connection, wait
from multiprocessing.queues import Queue
from pathlib import Path
from signal import SIGKILL, SIGTERM
from time import monotonic
from typing import Final, Protocol

from multiprocessing_logging import MultiProcessingHandler

from arena.league.config import League
from arena.league.outcome import Broken, Fault, Outcome
from arena.league.schedule import GameKey
from arena.league.worker import GamePlayer, broken_off
from arena.match.clock import NUMBER, SEAT, SINCE, latest, new_board
from arena.sandbox.bot_process import Limits
from bots.runtime.faults import FaultKind
from bots.runtime.processes import CHILDREN, signal_name, start_child
from games.errors import GameError
from games.seats import seat_name

SUPPLY: Final = 0.25
"""Seconds of games a worker has before it, so that it need not wait for more."""

MOST_SUPPLY: Final = 250
FLUSH: Final = 0.05
"""Seconds after which a worker hands over what it has finished."""

STRIKES: Final = 3
"""Workers a game may cost before it is no longer the machine's fault."""

STRIKES_FROM_OUTSIDE: Final = 10
"""The same where they were ended by a signal that mostly comes from somebody else."""

STILLBORN: Final = 25
"""Workers in a row that may die without a finished game while none was being played."""

ANY_ANSWER: Final = 600.0
"""Seconds one answer of a bot may take where no limit is set; then it is stuck."""

RULES_ANSWER: Final = 120.0
"""Seconds the rules may take between two answers of bots."""

LAST_WORDS: Final = 1.0
"""Seconds to wait for the last log lines of workers."""

log = logging.getLogger(__name__)


class Pool(Protocol):
    """Whoever plays games for a league."""

    def room(self) -> int:
        """How many more games it should have now: enough to stay busy, and few to take back."""

    def submit(self, games: Sequence[GameKey]) -> None:
        """Take these games on; returns at once."""

    def results(self, patience: float) -> list[Outcome]:
        """What has been finished since; waits at most so many seconds for the first."""

    def busy(self) -> int:
        """Games taken on and not yet handed back."""

    def finish(self) -> None:
        """Begin no more games; the results of those under way may still be asked for."""

    def close(self) -> None:
        """Stop at once, leaving nothing behind."""


class PoolBroken(GameError):
    """The workers of a pool cannot work at all."""


# ---- in the worker ------------------------------------------------------------------------------


def work(
    league: League,
    pipe: Connection,
    board: MutableSequence[float],
    logs: Queue[logging.LogRecord],
    hidden: Sequence[Path],
) -> None:
    """Play whatever games come through the pipe until None comes."""
    start_child()
    root = logging.getLogger()
    root.addHandler(QueueHandler(logs))
    root.setLevel(logging.INFO)
    player = GamePlayer(league, board, hidden)
    todo: deque[GameKey] = deque()
    done: list[Outcome] = []
    flushed = monotonic()
    while True:
        while not todo or pipe.poll():
            order = pipe.recv()
            if order is None:
                pipe.send(done)
                return
            todo.extend(order)
        done.append(player.play(todo.popleft()))
        if not todo or monotonic() > flushed + FLUSH:
            pipe.send(done)
            done = []
            flushed = monotonic()


# ---- at home ------------------------------------------------------------------------------------


class _Worker:
    """One process, the games it has before it, and the line its log comes through."""

    def __init__(
        self, league: League, name: str, logs: logging.Handler, hidden: Sequence[Path]
    ) -> None:
        # One line for each worker: one that is killed while it writes blocks nobody else's. The
        # handler's own queue is made for forked processes, and ours are spawned.
        self.logs = MultiProcessingHandler(name, sub_handler=logs)
        self.logs.queue = CHILDREN.Queue()
        self.board = CHILDREN.RawArray("d", new_board())
        self.pipe, theirs = CHILDREN.Pipe()
        arguments = (league, theirs, self.board, self.logs.queue, hidden)
        self.process = CHILDREN.Process(target=work, args=arguments, name=name, daemon=True)
        self.process.start()
        theirs.close()
        self.todo: dict[int, GameKey] = {}

    def send(self, order: list[GameKey] | None) -> None:
        with suppress(OSError):  # it may have died; whoever waits for it will find out
            self.pipe.send(order)

    def receive(self) -> list[Outcome]:
        """Everything it has handed over, also just before it died."""
        found: list[Outcome] = []
        with suppress(EOFError, OSError):
            while self.pipe.poll():
                found += self.pipe.recv()
        for outcome in found:
            del self.todo[outcome.number]
        return found

    def playing(self) -> tuple[GameKey | None, int, float]:
        """The game it is at, the seat that is asked, and for how many seconds."""
        number, seat, since = int(self.board[NUMBER]), int(self.board[SEAT]), self.board[SINCE]
        if list(self.board) != [number, seat, since]:
            return None, seat, 0.0  # changed while we were looking: nobody is stuck
        return self.todo.get(number), seat, monotonic() - since

    def bury(self) -> threading.Thread:
        """End it; the thread returned ends when its last words have been heard."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        # Elsewhere, because words that it died over would be waited for, some seconds.
        listener = threading.Thread(target=self.logs.close, daemon=True)
        listener.start()
        return listener


class LocalPool:
    """Worker processes on this machine; isolated bots in them cannot see what is hidden."""

    def __init__(
        self,
        league: League,
        workers: int,
        logs: logging.Handler | None = None,
        hidden: Sequence[Path] = (),
    ) -> None:
        self.league = league
        self.hidden = hidden
        self.logs = logs or logging.NullHandler()
        self.waiting: deque[GameKey] = deque()
        self.strikes = Counter[int]()
        self.stillborn = 0
        self.finishing = False
        self.answer = _longest_answer(league)
        self.supply = 2
        self._played = 0
        self._began = monotonic()
        self._made = 0
        self.workers = [self._hire() for _ in range(workers)]

    def _hire(self) -> _Worker:
        self._made += 1
        return _Worker(self.league, f"worker {self._made}", self.logs, self.hidden)

    def room(self) -> int:
        return max(0, 2 * self.supply * len(self.workers) - self.busy())

    def submit(self, games: Sequence[GameKey]) -> None:
        self.waiting.extend(games)
        self._feed()

    def busy(self) -> int:
        return len(self.waiting) + sum(len(worker.todo) for worker in self.workers)

    def results(self, patience: float) -> list[Outcome]:
        self._feed()
        pipes = [worker.pipe for worker in self.workers]
        wait([*pipes, *(worker.process.sentinel for worker in self.workers)], patience)
        found: list[Outcome] = []
        for worker in list(self.workers):
            alive = worker.process.is_alive()  # asked first: what it sent before is then all there
            received = worker.receive()
            found += received
            if received:
                self.stillborn = 0
            if not alive:
                found += self._replace(worker, died=True)
            elif self._stuck(worker):
                found += self._replace(worker, died=False)
        self._pace(len(found))
        return found

    def finish(self) -> None:
        self.finishing = True
        self.waiting.clear()
        for worker in self.workers:
            worker.send(None)

    def close(self) -> None:
        self.waiting.clear()
        for worker in self.workers:
            worker.process.kill()
        listeners = [worker.bury() for worker in self.workers]
        self.workers = []
        for listener in listeners:
            listener.join(LAST_WORDS)

    # ---- keeping them busy ------------------------------------------------------------------

    def _feed(self) -> None:
        """Give every worker enough to do, the idlest first."""
        if self.finishing or not self.waiting:
            return
        for worker in sorted(self.workers, key=lambda worker: len(worker.todo)):
            room = self.supply - len(worker.todo)
            if room >= self.supply // 2:
                order = [self.waiting.popleft() for _ in range(min(room, len(self.waiting)))]
                worker.todo.update((key.number, key) for key in order)
                if order:
                    worker.send(order)

    def _pace(self, more: int) -> None:
        """Learn how many games a worker should have before it."""
        self._played += more
        if self._played:
            seconds = (monotonic() - self._began) * len(self.workers) / self._played
            self.supply = max(2, min(MOST_SUPPLY, round(SUPPLY / max(seconds, 1e-6))))

    # ---- death --------------------------------------------------------------------------------

    def _stuck(self, worker: _Worker) -> bool:
        game, seat, seconds = worker.playing()
        return game is not None and seconds > (self.answer if seat >= 0 else RULES_ANSWER)

    def _replace(self, worker: _Worker, died: bool) -> list[Outcome]:
        """Bury a worker, hand its games to others, and say what came of the one it was at."""
        game, seat, seconds = worker.playing()
        worker.bury()
        self.workers.remove(worker)
        if self.finishing:
            return []
        found: list[Outcome] = []
        if game is not None:
            del worker.todo[game.number]
            how = exit_words(worker.process.exitcode) if died else f"no answer in {seconds:.0f} s"
            outcome = self._verdict(game, seat, worker.process.exitcode if died else None, how)
            if outcome is None:
                self.waiting.appendleft(game)
                log.warning(
                    "%s: %s; game %d is played again", worker.process.name, how, game.number
                )
            else:
                found.append(outcome)
        elif died:
            self._count_stillborn(worker)
        self.waiting.extendleft(reversed(worker.todo.values()))
        self.workers.append(self._hire())
        return found

    def _verdict(self, game: GameKey, seat: int, code: int | None, how: str) -> Outcome | None:
        """Whose fault it is: a bot's, the rules' or, as None, the machine's.

        `code` is how the worker ended; None if it had to be ended because it was stuck.
        """
        self.strikes[game.number] += 1
        strikes = self.strikes[game.number]
        if code is not None and strikes < strikes_allowed(code):
            return None
        times = "" if code is None else f" {strikes} times"
        if seat < 0:
            return Broken(game.number, f"its worker ended{times} while no bot was asked ({how})")
        name = self.league.names[game.seats[seat]]
        problem = how if code is None else f"its worker ended{times} while it was asked ({how})"
        log.warning("game %d: %s (%s): %s", game.number, seat_name(seat), name, problem)
        fault = Fault(seat, (FaultKind.TIME if code is None else FaultKind.DIED).value, 0, problem)
        return broken_off(self.league, game, fault)

    def _count_stillborn(self, worker: _Worker) -> None:
        self.stillborn += 1
        if self.stillborn >= STILLBORN:
            how = exit_words(worker.process.exitcode)
            raise PoolBroken(f"workers end before they have played anything ({how})")


def _longest_answer(league: League) -> float:
    """Seconds after which a bot that has not answered is stuck.

    Processes of bots are watched more closely, and end before that; they may start slowly.
    """
    limits = [ANY_ANSWER]
    if league.seconds_per_move:
        limits.append(latest(league.seconds_per_move) + 1)
    if league.seconds_per_game:
        limits.append(league.seconds_per_game + 1)
    isolated = any(league.isolated(one.bot) for one in league.bots)
    return min(limits) + (Limits().start if isolated else 0.0)


def strikes_allowed(code: int) -> int:
    """Workers that may end like this in one game, the last of them by somebody's fault."""
    return STRIKES_FROM_OUTSIDE if -code in (SIGKILL, SIGTERM) else STRIKES


def exit_words(code: int | None) -> str:
    """How a process ended."""
    if code is not None and code < 0:
        return signal_name(-code)
    return f"exit code {code}"
