"""Examines a bot: is it legal, repeatable, quick, modest, and content with its View?

It plays in a process of its own against random players, every game twice from the same seed. The
second time Python's hashes differ, so that a bot which goes through a set of words, and would play
differently tomorrow, is found out today.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from tabulate import tabulate

from arena.match.bot_factory import ProcessFactory, bot_factory, isolated_class
from arena.match.referee import BotFactory, BotFault, play_game
from arena.sandbox.bot_process import BotProcess, Limits
from bots.bot import Budget, Match
from bots.runtime.faults import FaultKind
from bots.runtime.loading import PROGRAM_PREFIX
from games.registry import DEFAULT_GAME, Game

OPPONENT: Final = "random"
MOST_SHOWN: Final = 3
TIMES: Final = 2
"""Every game is played so often."""


@dataclass(frozen=True)
class Examination:
    """What is to be examined, and how."""

    game: Game
    bot: str
    games: int
    seed: int
    budget: Budget
    limits: Limits

    def seats(self, players: int, number: int) -> list[str]:
        """Who sits where in a game: the bot one seat further each time."""
        names = [OPPONENT] * players
        names[number % players] = self.bot
        return names

    def example(self) -> str:
        """The command of a game to watch."""
        others = ["greedy", "ismcts", *["greedy"] * (self.game.min_players - 3)]
        return shlex.join(["arena", "match", self.bot, *others, "--show", *self.of_game()])

    def of_game(self) -> list[str]:
        return [] if self.game.name == DEFAULT_GAME else ["--game", self.game.name]

    def command(self, players: int, number: int) -> str:
        """The command that plays one of the games again."""
        words = ["arena", "match", *self.seats(players, number), "--seed", str(self.seed + number)]
        words += ["--isolate"]
        if self.budget.iterations:
            words += ["--iterations", str(self.budget.iterations)]
        if self.budget.seconds:
            words += ["--seconds", f"{self.budget.seconds:g}"]
        if self.limits.move:
            words += ["--move-limit", f"{self.limits.move:g}"]
        return shlex.join([*words, *self.of_game()])


@dataclass(frozen=True)
class Trouble:
    """Something wrong in one game, and how to see it again."""

    kind: str
    """The class of a fault, or "unrepeatable"."""
    problem: str
    command: str
    stderr: str = ""


@dataclass
class Findings:
    """What was found at one player count."""

    players: int
    games: int = 0
    repeated: int = 0
    """Games that came to their end twice, and so could be compared."""
    seconds: list[float] = field(default_factory=list)
    """Of each decision of the bot."""
    memory: int = 0
    """Bytes at most."""
    faults: list[Trouble] = field(default_factory=list)
    differences: list[Trouble] = field(default_factory=list)
    touched: dict[str, None] = field(default_factory=dict)

    def quantile(self, share: float) -> float:
        """Seconds that this share of the decisions did not exceed."""
        times = sorted(self.seconds)
        return times[min(int(share * len(times)), len(times) - 1)] if times else 0.0


class _Examinee:
    """The bot, seated in a process that is remembered when the game is over."""

    def __init__(self, outsider: ProcessFactory) -> None:
        self.name = outsider.name
        self.outsider = outsider
        self.process: BotProcess | None = None

    def make(
        self, seat: int, seed: int, budget: Budget | None = None, match: Match | None = None
    ) -> BotProcess:
        self.process = self.outsider.make(seat, seed, budget, match)
        return self.process


def examine(
    plan: Examination, counts: Sequence[int], played: Callable[[int], object]
) -> list[Findings]:
    """What was found at each player count; `played` is told of every game, for a progress bar."""
    found: list[Findings] = []
    for players in counts:
        findings = Findings(players)
        found.append(findings)
        for number in range(plan.games):
            examine_game(plan, findings, number)
            played(1)
            if any(fault.kind == FaultKind.START for fault in findings.faults):
                return found  # it will not start next time either
    return found


def examine_game(plan: Examination, findings: Findings, number: int) -> None:
    """Play one game twice and note what came of it."""
    findings.games += 1
    accounts = []
    for hashes in range(TIMES):
        moves, trouble = play_once(plan, findings, number, hashes)
        accounts.append(moves)
        if trouble is not None:
            if trouble.problem not in {known.problem for known in findings.faults}:
                findings.faults.append(trouble)
            return
    if plan.budget.seconds:
        return
    findings.repeated += 1
    if accounts[0] != accounts[1]:
        pairs = zip(*accounts, strict=False)
        ply = next((i for i, (one, other) in enumerate(pairs) if one != other), len(accounts[0]))
        problem = f"played another move after {ply} moves when the game was played again"
        command = plan.command(findings.players, number)
        findings.differences.append(Trouble("unrepeatable", problem, command))


def play_once(
    plan: Examination, findings: Findings, number: int, hashes: int
) -> tuple[tuple[int, ...], Trouble | None]:
    """The moves of one game, and what went wrong in it."""
    if plan.bot.startswith(PROGRAM_PREFIX):
        program = bot_factory(plan.bot, isolated=True, limits=plan.limits)
        assert isinstance(program, ProcessFactory)
        examinee = _Examinee(program)
    else:
        examinee = _Examinee(isolated_class(plan.bot, plan.limits, watched=True, hash_seed=hashes))
    seats: list[BotFactory] = [bot_factory(OPPONENT)] * findings.players
    seats[number % findings.players] = examinee
    trouble = None
    moves: tuple[int, ...] = ()
    try:
        moves = play_game(plan.game, seats, plan.seed + number, budget=plan.budget).replay.moves
    except BotFault as fault:
        command = plan.command(findings.players, number)
        trouble = Trouble(fault.kind, str(fault), command, fault.stderr)
    if examinee.process is not None:
        findings.seconds += examinee.process.seconds
        findings.memory = max(findings.memory, examinee.process.memory)
        findings.touched.update(dict.fromkeys(examinee.process.touched))
    return moves, trouble


# ---- reporting ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Report:
    """The findings and what they amount to."""

    plan: Examination
    found: Sequence[Findings]

    @property
    def faults(self) -> list[Trouble]:
        return [fault for findings in self.found for fault in findings.faults]

    @property
    def differences(self) -> list[Trouble]:
        return [one for findings in self.found for one in findings.differences]

    @property
    def repeated(self) -> int:
        return sum(findings.repeated for findings in self.found)

    @property
    def touched(self) -> list[str]:
        return list(dict.fromkeys(deed for findings in self.found for deed in findings.touched))

    @property
    def passed(self) -> bool:
        return not (self.faults or self.differences or self.touched)

    @property
    def decisions(self) -> int:
        return sum(len(findings.seconds) for findings in self.found)

    def next_steps(self) -> Iterator[str]:
        """What the author should do now."""
        if self.faults:
            yield "play the game of the first fault again by the command below it, and mend that"
        if self.differences:
            yield "use self.rng for luck, no clock, and sort sets before going through them"
        if self.touched:
            yield "let it decide by its View alone: a league may refuse it what it reached for"
        if self.passed:
            yield self.plan.example()

    def as_json(self) -> dict[str, object]:
        plan = self.plan
        return {
            "bot": plan.bot,
            "game": plan.game.name,
            "seed": plan.seed,
            "passed": self.passed,
            "legal": not self.faults,
            "repeatable": not self.differences if self.repeated else None,
            "watched": self.watched,
            "touched": self.touched,
            "faults": [vars(fault) for fault in self.faults],
            "differences": [vars(one) for one in self.differences],
            "counts": [
                {
                    "players": findings.players,
                    "games": findings.games,
                    "decisions": len(findings.seconds),
                    "median_ms": round(1000 * findings.quantile(0.5), 3),
                    "p95_ms": round(1000 * findings.quantile(0.95), 3),
                    "worst_ms": round(1000 * findings.quantile(1.0), 3),
                    "memory_bytes": findings.memory,
                    "faults": len(findings.faults),
                }
                for findings in self.found
            ],
        }

    @property
    def watched(self) -> bool:
        """Whether what it reaches for can be noticed: of classes, not of programs."""
        return not self.plan.bot.startswith(PROGRAM_PREFIX)

    def as_text(self) -> str:
        """For a person: the table, a line per question, the verdict and what to do next."""
        steps = "\n".join(f"next: {step}" for step in self.next_steps())
        verdict = f"verdict: {'PASS' if self.passed else 'FAIL'}"
        return "\n".join([self.table(), "", *self.answers(), "", verdict, steps])

    def table(self) -> str:
        headers = [
            "players",
            "games",
            "decisions",
            "median ms",
            "95 % ms",
            "worst ms",
            "MB",
            "faults",
        ]
        rows = [
            [
                findings.players,
                findings.games,
                len(findings.seconds),
                *(f"{1000 * findings.quantile(share):.1f}" for share in (0.5, 0.95, 1.0)),
                f"{findings.memory / 1e6:.0f}",
                len(findings.faults),
            ]
            for findings in self.found
        ]
        return tabulate(rows, headers=headers, disable_numparse=True, stralign="right")

    def answers(self) -> Iterator[str]:
        """A line for each question, and below it what is wrong."""
        many = len(self.faults)
        legal = (
            f"no, {many} fault{'s' * (many > 1)}" if many else f"yes, {self.decisions} decisions"
        )
        yield f"legal:       {legal}"
        yield from shown(self.faults)
        if self.plan.budget.seconds:
            yield "repeatable:  not examined, it was told to think by the clock"
        elif not self.repeated:
            yield "repeatable:  not examined, no game came to its end"
        elif self.differences:
            yield "repeatable:  no"
            yield from shown(self.differences)
        else:
            yield f"repeatable:  yes, {self.repeated} games went the same way twice"
        if not self.watched:
            yield "own view:    not watched, a program's doings cannot be; a sandbox bounds them"
        elif self.touched:
            yield "own view:    no, it reached for more"
            yield from (f"  {deed}" for deed in self.touched)
        else:
            yield "own view:    yes, no file, socket, process, frame or gc was touched"


def shown(troubles: Sequence[Trouble]) -> Iterator[str]:
    for trouble in troubles[:MOST_SHOWN]:
        yield f"  {trouble.kind}: {trouble.problem}"
        yield f"    see it again: {trouble.command}"
    if len(troubles) > MOST_SHOWN:
        yield f"  and {len(troubles) - MOST_SHOWN} more"
