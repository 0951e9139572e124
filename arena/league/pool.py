"""Worker pools: game keys go in, outcomes come out in any order.

`Pool` is the interface a league uses. `LocalPool` runs worker processes on this machine: it keeps
every worker busy, replaces those that die, and kills those that hang.
"""

import logging
import os
import threading
from collections import Counter, deque
from collections.abc import Iterator, MutableSequence, Sequence
from contextlib import contextmanager, suppress
from logging.handlers import QueueHandler
from multiprocessing import current_process
from multiprocessing.connection import Connection, wait
from multiprocessing.queues import Queue
from pathlib import Path
from signal import SIGKILL, SIGTERM
from time import monotonic
from typing import Final, Protocol

from multiprocessing_logging import MultiProcessingHandler

from arena.league.config import League
from arena.league.outcome import Crashed, Fault, Outcome
from arena.league.schedule import GameKey
from arena.league.worker import GameRunner, aborted_game, command_of
from arena.match.clock import Board, late_after, new_board
from arena.sandbox.bot_process import Limits
from arena.sandbox.scratch import sweep
from arena.worker_processes import WORKERS
from bots.runtime.faults import FaultKind
from bots.runtime.processes import count_pauses, pauses, signal_name, start_child
from games.errors import GameError
from games.seats import seat_name

SUPPLY: Final = 0.25  # seconds of games queued at each worker, so that it never waits for more
MOST_SUPPLY: Final = 250
FLUSH: Final = 0.05  # seconds after which a worker sends what it has finished
STRIKES: Final = 3
"""The number of workers dying in one game from which the machine is no longer blamed."""

STRIKES_IF_KILLED: Final = 10
"""The same for workers ended by SIGKILL or SIGTERM, which mostly come from outside."""

FAILED_STARTS: Final = 25  # workers in a row that may die before playing a game
ANY_ANSWER: Final = 600.0  # seconds after which a bot counts as hanging if no limit is set
RULES_ANSWER: Final = 120.0  # seconds after which the rules count as hanging
LOG_DRAIN: Final = 1.0  # seconds to wait for the last log lines of workers

log = logging.getLogger(__name__)


class Pool(Protocol):
    """Plays games for a league."""

    def room(self) -> int:
        """How many more games to submit now: enough to stay busy, few enough to stop quickly."""

    def submit(self, games: Sequence[GameKey]) -> None:
        """Queue these games; returns at once."""

    def results(self, timeout: float) -> list[Outcome]:
        """The games finished since the last call; waits up to `timeout` seconds for the first."""

    def busy(self) -> int:
        """The number of games submitted and not yet returned."""

    def finish(self) -> None:
        """Start no more games; results of those under way can still be fetched."""

    def close(self) -> None:
        """Stop at once and end all workers."""


class PoolBroken(GameError):
    """The pool cannot play any games."""


# ---- in the worker ------------------------------------------------------------------------------


def work(
    league: League,
    pipe: Connection,
    board: MutableSequence[float],
    logs: "Queue[logging.LogRecord]",
    hidden: Sequence[Path],
    level: int,
) -> None:
    """Play the games that arrive through the pipe, until None arrives.

    Log lines of that level or above are sent home.
    """
    start_child()
    root = logging.getLogger()
    root.addHandler(QueueHandler(logs))
    root.setLevel(level)
    log.info("%s plays, process %d", current_process().name, os.getpid())
    runner = GameRunner(league, board, hidden)
    todo: deque[GameKey] = deque()
    done: list[Outcome] = []
    flushed = monotonic()
    while True:
        with _end_with_league():
            while not todo or pipe.poll():
                games = pipe.recv()
                if games is None:
                    pipe.send(done)
                    return
                todo.extend(games)
        done.append(runner.play(todo.popleft()))
        if not todo or monotonic() > flushed + FLUSH:
            with _end_with_league():
                pipe.send(done)
            done = []
            flushed = monotonic()


@contextmanager
def _end_with_league() -> Iterator[None]:
    """Whose pipe is broken has lost its league, which was killed: no traceback is due."""
    try:
        yield
    except (EOFError, OSError):
        os._exit(1)  # as start_child() does, whichever of the two notices first


# ---- in the main process ------------------------------------------------------------------------


class _Worker:
    """A worker process, the games queued at it, and the queue of its log records."""

    def __init__(
        self, league: League, name: str, logs: logging.Handler, hidden: Sequence[Path]
    ) -> None:
        # One log queue per worker: a worker that is killed while writing blocks no other worker.
        # The handler's own queue is for forked processes, and ours are spawned.
        self.logs = MultiProcessingHandler(name, sub_handler=logs)
        self.logs.queue = WORKERS.Queue()
        self.board = WORKERS.RawArray("d", new_board())
        self.pipe, theirs = WORKERS.Pipe()
        arguments = (league, theirs, self.board, self.logs.queue, hidden, logs.level)
        self.process = WORKERS.Process(target=work, args=arguments, name=name, daemon=True)
        self.process.start()
        theirs.close()
        self.todo: dict[int, GameKey] = {}
        self.excused = 0.0
        """Until when its silence was not its own: it, or this process, was stopped."""

    def send(self, games: list[GameKey] | None) -> None:
        with suppress(OSError):  # it may have died; results() notices that
            self.pipe.send(games)

    def receive(self) -> list[Outcome]:
        """All outcomes it has sent, including those sent just before it died."""
        outcomes: list[Outcome] = []
        with suppress(EOFError, OSError):
            while self.pipe.poll():
                outcomes += self.pipe.recv()
        for outcome in outcomes:
            del self.todo[outcome.number]
        return outcomes

    def playing(self) -> tuple[GameKey | None, int, float]:
        """The game it is playing, the seat to move, and for how many seconds."""
        number, seat = int(self.board[Board.GAME]), int(self.board[Board.SEAT])
        since = self.board[Board.SINCE]
        if list(self.board) != [number, seat, since]:
            return None, seat, 0.0  # changed during the read, so nothing hangs
        return self.todo.get(number), seat, monotonic() - max(since, self.excused)

    def is_stopped(self) -> bool:
        """Whether somebody has stopped it with a signal; only Linux tells."""
        try:
            text = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        except OSError:
            return False
        return text.rpartition(")")[2].split()[0] in {"T", "t"}

    def kill(self) -> threading.Thread:
        """End the process; the returned thread ends when its last log records are handled."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        # In a thread, because closing waits some seconds for records that were cut off.
        listener = threading.Thread(target=self.logs.close, daemon=True)
        listener.start()
        return listener


class LocalPool:
    """Worker processes on this machine; isolated bots in them cannot see `hidden` files.

    Log lines of the workers go to the handler `logs`; its level decides which ones.
    """

    def __init__(
        self,
        league: League,
        workers: int,
        logs: logging.Handler | None = None,
        hidden: Sequence[Path] = (),
    ) -> None:
        self.league = league
        self.hidden = hidden
        self.logs = logs or logging.NullHandler(logging.WARNING)
        self.waiting: deque[GameKey] = deque()
        self.strikes = Counter[int]()
        self.failed_starts = 0
        self.finishing = False
        self.answer = _longest_answer(league)
        self.supply = 2
        self._played = 0
        self._began = monotonic()
        self._started = 0
        count_pauses()
        self._pauses = pauses()
        self.workers = [self._new_worker() for _ in range(workers)]

    def _new_worker(self) -> _Worker:
        self._started += 1
        return _Worker(self.league, f"worker {self._started}", self.logs, self.hidden)

    def room(self) -> int:
        return max(0, 2 * self.supply * len(self.workers) - self.busy())

    def submit(self, games: Sequence[GameKey]) -> None:
        self.waiting.extend(games)
        self._feed()

    def busy(self) -> int:
        return len(self.waiting) + sum(len(worker.todo) for worker in self.workers)

    def results(self, timeout: float) -> list[Outcome]:
        self._feed()
        pipes = [worker.pipe for worker in self.workers]
        wait([*pipes, *(worker.process.sentinel for worker in self.workers)], timeout)
        outcomes: list[Outcome] = []
        for worker in list(self.workers):
            alive = worker.process.is_alive()  # before receive(), to get all that a dead one sent
            received = worker.receive()
            outcomes += received
            if received:
                self.failed_starts = 0
            if not alive or self._hangs(worker):
                outcomes += self._replace(worker, died=not alive)
        self._adapt_supply(len(outcomes))
        return outcomes

    def finish(self) -> None:
        self.finishing = True
        self.waiting.clear()
        for worker in self.workers:
            worker.send(None)

    def close(self) -> None:
        self.waiting.clear()
        for worker in self.workers:
            worker.process.kill()
        listeners = [worker.kill() for worker in self.workers]
        self.workers = []
        sweep()  # a killed worker cannot remove its temporary folders
        for listener in listeners:
            listener.join(LOG_DRAIN)

    # ---- keeping workers busy ----------------------------------------------------------------

    def _feed(self) -> None:
        """Queue enough games at every worker, the idlest first."""
        if self.finishing or not self.waiting:
            return
        for worker in sorted(self.workers, key=lambda worker: len(worker.todo)):
            room = self.supply - len(worker.todo)
            if room >= self.supply // 2:
                games = [self.waiting.popleft() for _ in range(min(room, len(self.waiting)))]
                worker.todo.update((key.number, key) for key in games)
                if games:
                    worker.send(games)

    def _adapt_supply(self, finished: int) -> None:
        """Adapt the number of games queued at a worker to how long games take."""
        self._played += finished
        if self._played:
            seconds = (monotonic() - self._began) * len(self.workers) / self._played
            self.supply = max(2, min(MOST_SUPPLY, round(SUPPLY / max(seconds, 1e-6))))

    # ---- dead workers -------------------------------------------------------------------------

    def _hangs(self, worker: _Worker) -> bool:
        if self._pauses != pauses():
            self._pauses = pauses()
            for each in self.workers:
                each.excused = monotonic()
        game, seat, seconds = worker.playing()
        if game is None or seconds <= (self.answer if seat >= 0 else RULES_ANSWER):
            return False
        if worker.is_stopped():
            worker.excused = monotonic()
            return False
        return True

    def _replace(self, worker: _Worker, died: bool) -> list[Outcome]:
        """Replace a worker and requeue its games; returns its current game's outcome, if any."""
        game, seat, seconds = worker.playing()
        worker.kill()
        self.workers.remove(worker)
        if self.finishing:
            return []
        outcomes: list[Outcome] = []
        if game is not None:
            del worker.todo[game.number]
            how = exit_text(worker.process.exitcode) if died else self._no_answer(seconds)
            outcome = self._verdict(game, seat, worker.process.exitcode if died else None, how)
            if outcome is None:
                self.waiting.appendleft(game)
                log.warning("%s: %s; playing its game again", worker.process.name, how)
            else:
                outcomes.append(outcome)
        elif died:
            self.failed_starts += 1
            if self.failed_starts >= FAILED_STARTS:
                how = exit_text(worker.process.exitcode)
                raise PoolBroken(f"workers die before they have played a game ({how})")
        self.waiting.extendleft(reversed(worker.todo.values()))
        self.workers.append(self._new_worker())
        return outcomes

    def _no_answer(self, seconds: float) -> str:
        """That a bot hangs, with the limit as it was set; continues a sentence about the bot."""
        league = self.league
        limits = {"decision": league.seconds_per_move, "game": league.seconds_per_game}
        texts = [f"{limit:g} s per {what}" for what, limit in limits.items() if limit]
        limit = " and ".join(texts) or f"{ANY_ANSWER:g} s"
        return f"gave no answer in {seconds:.0f} s; the limit is {limit}"

    def _verdict(self, game: GameKey, seat: int, code: int | None, how: str) -> Outcome | None:
        """A fault of a bot, a crash of the rules, or None if the machine is to blame.

        `code` is the worker's exit code; None if it was killed because it hung.
        """
        self.strikes[game.number] += 1
        strikes = self.strikes[game.number]
        if code is not None:
            most = STRIKES_IF_KILLED if -code in (SIGKILL, SIGTERM) else STRIKES
            if strikes < most:
                return None
        times = "" if code is None else f" {strikes} times"
        if seat < 0:
            return Crashed(game.number, f"its worker died{times} while no bot was to move ({how})")
        name = self.league.names[game.seats[seat]]
        problem = how
        if code is not None:
            problem = f"had its worker die{times} while it was to move ({how})"
        again = command_of(self.league, game)
        text = "%s (%s): %s\n  to reproduce it: %s"
        log.warning(text, seat_name(seat), name, problem, again)
        kind = FaultKind.TIME if code is None else FaultKind.DIED
        # The moves, and at which decision it was, have gone with the worker: only the deal is left.
        fault = Fault(seat, kind.value, 0, problem)
        return aborted_game(self.league, game, fault)


def _longest_answer(league: League) -> float:
    """Seconds after which a bot that has not answered counts as hanging.

    Isolated bots have limits of their own that end them earlier, but may start slowly.
    """
    limits = [ANY_ANSWER]
    if league.seconds_per_move:
        limits.append(late_after(league.seconds_per_move) + 1)
    if league.seconds_per_game:
        limits.append(league.seconds_per_game + 1)
    return min(limits) + (Limits().start if league.isolated_names() else 0.0)


def exit_text(code: int | None) -> str:
    return signal_name(-code) if code is not None and code < 0 else f"exit code {code}"
