"""Checks a bot: legal, deterministic, fast, low on memory, uses only what its seat can see.

The bot plays in its own process against random bots, every game twice with the same seed. The
second time Python's hash seed differs, which exposes a bot that depends on the order of a set.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Final

from tabulate import tabulate

from arena.match.bot_factory import ProcessFactory, bot_factory, check_matches, isolated_class
from arena.match.referee import BotFactory, BotFault, run_game
from arena.match.repeat import budget_words, move_limit_words, repeat_command, trace_lines
from arena.sandbox.bot_process import BotProcess, Limits
from bots.bot import Budget, Match
from bots.runtime.faults import FaultKind
from bots.runtime.loading import PROGRAM_PREFIX
from games.registry import DEFAULT_GAME, Game, game
from games.replay import Replay
from games.state import CHANCE
from games.wording import counted

OPPONENT: Final = "random"
MOST_SHOWN: Final = 3
"""Problems of a kind that are shown with their lines and commands."""
MOST_ACCESSES: Final = 10
"""Accesses besides the view that are listed."""
TIMES: Final = 2  # how often every game is played


@dataclass(frozen=True)
class CheckPlan:
    """Which bot to check, and how."""

    game: Game
    bot: str
    games: int
    seed: int
    budget: Budget
    limits: Limits

    def seats(self, players: int, number: int) -> list[str]:
        """The names at the table; the bot moves on by one seat each game."""
        return [self.bot if seat == number % players else OPPONENT for seat in range(players)]

    def example(self) -> str:
        """The command of an example game to watch."""
        others = ["greedy", "ismcts", *["greedy"] * (self.game.min_players - 3)]
        return shlex.join(["arena", "match", self.bot, *others, "--show", *self.game_option()])

    def game_option(self) -> list[str]:
        return [] if self.game.name == DEFAULT_GAME else ["--game", self.game.name]

    def command(self, players: int, number: int) -> str:
        """The command that plays one of the games again."""
        bots, seed = self.seats(players, number), self.seed + number
        game, budget, limit = self.game.name, self.budget, self.limits.move
        return repeat_command(bots, seed, game, {}, budget, isolate=True, move_limit=limit)

    def check_command(self, players: int, number: int) -> str:
        """The command that checks up to one of the games: for what `arena match` cannot show."""
        words = ["arena", "check", self.bot, "--players", str(players), "--games", str(number + 1)]
        words += ["--seed", str(self.seed), *self.game_option(), *budget_words(self.budget)]
        return shlex.join([*words, *move_limit_words(self.limits.move)])


@dataclass(frozen=True)
class BotProblem:
    """A problem in a game, and the command that reproduces it."""

    kind: str
    """The kind of a fault, or "unrepeatable"."""
    problem: str
    command: str
    stderr: str = ""
    where: str = ""
    """The line of the bot's own code that failed."""
    trace: tuple[str, ...] = ()
    """The frames of its own code that lead there, or the end of a program's stderr."""


@dataclass
class Findings:
    """The measurements and problems at one player count."""

    players: int
    games: int = 0
    finished: int = 0
    """Games that finished, counting both times that each is played."""
    repeated: int = 0
    """Games that finished twice and so could be compared."""
    seconds: list[float] = field(default_factory=list)
    """Duration of each decision."""
    memory: int = 0
    """Peak memory in bytes."""
    faults: list[BotProblem] = field(default_factory=list)
    differences: list[BotProblem] = field(default_factory=list)
    touched: dict[str, str] = field(default_factory=dict)
    """What it accessed besides its view -> the command that shows it."""

    def as_json(self) -> dict[str, float]:
        times = sorted(self.seconds) or [0.0]
        median, p95, worst = (
            round(1000 * times[min(int(share * len(times)), len(times) - 1)], 3)
            for share in (0.5, 0.95, 1.0)
        )
        return {
            "players": self.players,
            "games": self.games,
            "decisions": len(self.seconds),
            "median_ms": median,
            "p95_ms": p95,
            "worst_ms": worst,
            "memory_bytes": self.memory,
            "faults": len(self.faults),
        }


@dataclass(frozen=True)
class BotReport:
    """All findings and the verdict."""

    plan: CheckPlan
    findings: list[Findings]

    @property
    def faults(self) -> list[BotProblem]:
        return [fault for findings in self.findings for fault in findings.faults]

    @property
    def differences(self) -> list[BotProblem]:
        return [problem for findings in self.findings for problem in findings.differences]

    @property
    def repeated(self) -> int:
        return sum(findings.repeated for findings in self.findings)

    @property
    def finished(self) -> int:
        return sum(findings.finished for findings in self.findings)

    @property
    def touched(self) -> dict[str, str]:
        """What it accessed besides its view -> the first command that shows it."""
        first: dict[str, str] = {}
        for findings in self.findings:
            for action, command in findings.touched.items():
                first.setdefault(action, command)
        return first

    @property
    def passed(self) -> bool:
        return not (self.faults or self.differences or self.touched)

    def next_steps(self) -> Iterator[str]:
        """What the author should do next."""
        if self.faults:
            yield "reproduce the first fault with the command below it, and fix it"
        if self.differences:
            yield "use self.rng for random choices, use no clock, and sort sets before iterating"
        if self.touched:
            yield "decide by the View alone; a sandboxed league denies everything else"
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
            "own_view": self.own_view,
            "touched": list(self.touched),
            "faults": [vars(fault) for fault in self.faults],
            "differences": [vars(problem) for problem in self.differences],
            "counts": [findings.as_json() for findings in self.findings],
        }

    @property
    def watched(self) -> bool:
        """Whether its actions can be observed: those of classes, not of programs."""
        return not self.plan.bot.startswith(PROGRAM_PREFIX)

    @property
    def decisions(self) -> int:
        return sum(len(findings.seconds) for findings in self.findings)

    @property
    def own_view(self) -> bool | None:
        """Whether it used its View alone; None if that was not checked, at least in one whole game.

        A program's system calls that the sandbox refused are known, whatever else it did is not.
        """
        if self.touched:
            return False
        return True if self.watched and self.finished and self.decisions else None

    def as_text(self) -> str:
        """The table, a line per check, the verdict and the next steps."""
        begun = chain(["next"], repeat("then"))
        steps = "\n".join(
            f"{word}: {step}" for word, step in zip(begun, self.next_steps(), strict=False)
        )
        verdict = f"verdict: {'PASS' if self.passed else 'FAIL'}"
        return "\n".join([self.table(), "", *self.answers(), "", verdict, steps])

    def table(self) -> str:
        headers = [
            "players",
            "games",
            "decisions",
            "median\nms",
            "95 %\nms",
            "worst\nms",
            "MB",
            "faults",
        ]
        rows: list[list[object]] = []
        for findings in self.findings:
            *counts, median, p95, worst, memory, faults = findings.as_json().values()
            times = [f"{time:.1f}" for time in (median, p95, worst)]
            rows.append([*counts, *times, f"{memory / 1e6:.0f}", faults])
        return tabulate(rows, headers=headers, disable_numparse=True, stralign="right")

    def answers(self) -> Iterator[str]:
        """A line for each check, followed by its problems."""
        count = len(self.faults)
        faults, decisions = counted(count, "fault"), counted(self.decisions, "decision")
        yield f"legal:       {f'no, {faults}' if count else f'yes, {decisions}'}"
        yield from _problem_lines(self.faults)
        if self.plan.budget.seconds:
            yield "repeatable:  not checked, because it has a time budget"
        elif not self.repeated:
            yield "repeatable:  not checked, because no game was finished"
        elif self.differences:
            yield "repeatable:  no"
            yield from _problem_lines(self.differences)
        else:
            were = "was" if self.repeated == 1 else "were"
            yield f"repeatable:  yes, {counted(self.repeated, 'game')} {were} the same twice"
        if self.own_view:
            yield "own view:    yes, it used no file, socket, process, frame or gc"
        elif self.touched:
            yield "own view:    no"
            actions = list(self.touched)
            yield from (f"  {action}" for action in actions[:MOST_ACCESSES])
            if len(actions) > MOST_ACCESSES:
                yield f"  and {len(actions) - MOST_ACCESSES} more"
            yield f"    to reproduce it: {self.touched[actions[0]]}"
        elif not self.watched:
            yield "own view:    not checked, because programs cannot be observed"
        elif not self.decisions:
            yield "own view:    not checked, because it decided nothing"
        else:
            yield "own view:    not checked, because no game was finished"


def _problem_lines(problems: Sequence[BotProblem]) -> Iterator[str]:
    for problem in problems[:MOST_SHOWN]:
        yield f"  {problem.kind}: {problem.problem}"
        yield from (f"  {line}" for line in problem.trace)
        yield f"    to reproduce it: {problem.command}"
    if len(problems) > MOST_SHOWN:
        yield f"  and {len(problems) - MOST_SHOWN} more"


# ---- playing -----------------------------------------------------------------------------------


class _RecordingFactory:
    """Remembers the bot's process after the game."""

    def __init__(self, factory: ProcessFactory) -> None:
        self.name = factory.name
        self.factory = factory
        self.process: BotProcess | None = None

    def make(
        self, seat: int, seed: int, budget: Budget | None = None, match: Match | None = None
    ) -> BotProcess:
        self.process = self.factory.make(seat, seed, budget, match)
        return self.process


def check_bot(
    plan: CheckPlan, counts: Sequence[int], progress: Callable[[int], object]
) -> BotReport:
    """Check a bot at each player count; `progress(1)` is called after every game."""
    if not plan.bot.startswith(PROGRAM_PREFIX):
        check_matches(plan.bot, True, [Match(plan.game.name, players) for players in counts])
    report = BotReport(plan, [])
    for players in counts:
        findings = Findings(players)
        report.findings.append(findings)
        for number in range(plan.games):
            check_bot_game(plan, findings, number)
            progress(1)
            if any(fault.kind == FaultKind.START for fault in findings.faults):
                return report  # it will not start next time either
    return report


def check_bot_game(plan: CheckPlan, findings: Findings, number: int) -> None:
    """Play one game twice and add what was found."""
    findings.games += 1
    games = []
    for hashes in range(TIMES):
        replay, fault = play_once(plan, findings, number, hashes)
        if fault is not None:
            if fault.problem not in {known.problem for known in findings.faults}:
                findings.faults.append(fault)
            return
        assert replay is not None
        findings.finished += 1
        games.append(replay)
    if plan.budget.seconds:
        return
    findings.repeated += 1
    if games[0].moves != games[1].moves:
        command = plan.check_command(findings.players, number)
        findings.differences.append(BotProblem("unrepeatable", where_they_part(*games), command))


def where_they_part(first: Replay, second: Replay) -> str:
    """Where two games of the same seed part, in words; they do."""
    state, words = first.new(), game(first.game).text.move
    decisions = 0
    for move, other in zip(first.moves, second.moves, strict=False):
        if move != other:
            break
        decisions += state.actor != CHANCE
        state.play(move)
    return (
        f"played a different move after {counted(decisions, 'move')} when the game was repeated: "
        f"{words(state, move)!r}, then {words(state, other)!r}"
    )


def play_once(
    plan: CheckPlan, findings: Findings, number: int, hashes: int
) -> tuple[Replay | None, BotProblem | None]:
    """One game, or the fault that ended it."""
    if plan.bot.startswith(PROGRAM_PREFIX):
        factory = bot_factory(plan.bot, isolated=True, limits=plan.limits)
        assert isinstance(factory, ProcessFactory)
    else:
        factory = isolated_class(plan.bot, plan.limits, watched=True, hash_seed=hashes)
    recorder = _RecordingFactory(factory)
    seats: list[BotFactory] = [bot_factory(OPPONENT)] * findings.players
    seats[number % findings.players] = recorder
    problem, replay = None, None
    try:
        replay = run_game(plan.game, seats, plan.seed + number, budget=plan.budget).replay
    except BotFault as fault:
        command = plan.command(findings.players, number)
        trace = tuple(trace_lines(fault))
        problem = BotProblem(fault.kind, str(fault), command, fault.stderr, fault.where, trace)
    if recorder.process is not None:
        findings.seconds += recorder.process.seconds
        findings.memory = max(findings.memory, recorder.process.memory)
        actions = recorder.process.touched
        if not (findings.touched or actions):  # else they are most likely the same, seen from below
            actions = [f"makes the system call {name}" for name in recorder.process.refused]
        for action in actions:
            findings.touched.setdefault(action, plan.check_command(findings.players, number))
    return replay, problem
