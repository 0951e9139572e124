"""Plays the games of a league, one by one, in whatever process it is told to."""

from __future__ import annotations

import io
import logging
import traceback
from collections.abc import MutableSequence, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.league.config import League
from arena.league.outcome import Broken, Fault, Finished, Outcome, pack_moves, pack_notes
from arena.league.schedule import GameKey
from arena.match.bot_factory import RUNS, bot_factory
from arena.match.clock import Clock, latest, new_board
from arena.match.referee import BotFault, play_game
from arena.sandbox.bot_process import Limits
from arena.seeds import derive_seed
from bots.bot import Budget
from bots.runtime.faults import FaultKind, MachineFault
from games.registry import Game, game
from games.replay import Replay
from games.seats import seat_name
from games.state import CHANCE, Rng, State

MOST_OUTPUT: Final = 4000
"""Letters kept of what bots print in a game."""

ATTEMPTS: Final = 10
"""How often a game is played if the machine fails or a bot's process is killed."""

log = logging.getLogger(__name__)


class GamePlayer:
    """Knows a league's rules and bots, and turns game keys into outcomes."""

    def __init__(
        self,
        league: League,
        board: MutableSequence[float] | None = None,
        hidden: Sequence[Path] = (),
    ) -> None:
        """`hidden` is what isolated bots must not see even beside their own files."""
        self.league = league
        self.rules = game(league.game)
        limits = limits_of(league)
        self.factories = [
            bot_factory(one.bot, league.isolated(one.bot), limits, (RUNS, *hidden))
            for one in league.bots
        ]
        self.budget = Budget(league.iterations, league.seconds_per_move)
        self.board = new_board() if board is None else board

    def play(self, key: GameKey) -> Outcome:
        """The game's outcome; a bot's fault is one of them, and so is a failure of the rules."""
        try:
            return self._attempt(key, ATTEMPTS)
        except Exception as error:  # noqa: BLE001  (no bot's fault: the rules' or the arena's own)
            text = "".join(traceback.format_exception(error))
            log.error("game %d broke the rules:\n%s", key.number, text.rstrip())
            return Broken(key.number, f"{type(error).__name__}: {error}")

    def _attempt(self, key: GameKey, attempts: int) -> Finished:
        """The game played again if the machine fails, but not forever.

        A bot's process that was killed has most likely been so by somebody else. Nobody is charged
        for the time of an attempt in vain.
        """
        league = self.league
        clock = Clock(key.players, league.seconds_per_move, league.seconds_per_game, self.board)
        clock.begin(key.number)
        tail = _Tail()
        try:
            with redirect_stdout(tail), redirect_stderr(tail):
                found = self._finished(key, clock, tail)
            if attempts == 1 or found.fault is None or found.fault.kind != FaultKind.KILLED:
                return found
            why = found.fault.problem
        except MachineFault as error:
            if attempts == 1:
                raise
            why = str(error)
        finally:
            clock.end()
        log.warning("game %d is played again: %s", key.number, why)
        return self._attempt(key, attempts - 1)

    def _finished(self, key: GameKey, clock: Clock, tail: _Tail) -> Finished:
        factories = [self.factories[bot] for bot in key.seats]
        options = dict(self.league.options)
        try:
            result = play_game(self.rules, factories, key.seed, options, self.budget, clock=clock)
        except BotFault as broken:
            name = self.league.names[key.seats[broken.seat]]
            where = f"game {key.number}: {seat_name(broken.seat)} ({name})"
            log.warning("%s at decision %d: %s", where, broken.decision, broken.problem)
            tail.write(broken.stderr)
            fault = Fault(broken.seat, broken.kind.value, broken.decision, broken.problem)
            found = broken_off(self.league, key, fault, broken.replay)
        else:
            moves, count = result.replay.moves, result.decisions
            found = finished(key, self.rules, result.state, moves, count)
            tail.write("\n".join(filter(None, result.stderr)))
            found = found._replace(winners=result.winners, notes=pack_notes(result.replay.notes))
        spent = tuple(zip(clock.decisions, clock.seconds, clock.slowest, strict=True))
        return found._replace(output=tail.text(), spent=spent)


def limits_of(league: League) -> Limits:
    """What an isolated bot may take of the machine."""
    usual = Limits()
    move = latest(league.seconds_per_move) if league.seconds_per_move else usual.move
    return replace(usual, move=move, game=league.seconds_per_game or usual.game)


def finished(
    key: GameKey,
    rules: Game,
    state: State,
    moves: Sequence[int],
    decisions: int,
    fault: Fault | None = None,
) -> Finished:
    """The outcome of a game that has come to that state; who won is left to say."""
    return Finished(
        key.number,
        (),
        rules.roles(state),
        rules.first(state),
        decisions,
        state.turns,
        pack_moves(moves),
        mark(state),
        b"",
        fault,
        "",
        ((0, 0.0, 0.0),) * key.players,
    )


def broken_off(
    league: League, key: GameKey, fault: Fault, replay: Replay | None = None
) -> Finished:
    """A game up to a bot's fault; only the deal, if nothing else was played or is known."""
    rules = game(league.game)
    if replay is not None and replay.moves:
        return finished(key, rules, replay.state(), replay.moves, fault.decision, fault)
    state = rules.new(key.players, **league.options)
    luck = Rng(derive_seed(key.seed, "deal"))
    moves = []
    while state.actor == CHANCE:
        moves.append(state.sample_chance(luck))
    return finished(key, rules, state, moves, fault.decision, fault)


def mark(state: State) -> bytes:
    """Stands for a position."""
    return sha256(state.key()).digest()[:16]


class _Tail(io.TextIOBase):
    """Keeps the end of what is written to it."""

    def __init__(self) -> None:
        self.kept = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.kept = (self.kept + text)[-MOST_OUTPUT:]
        return len(text)

    def text(self) -> str:
        return self.kept.strip()
