"""Several games between the same bots: the seeds follow each other, and the seats rotate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.match.referee import BotFactory, BotFault, Result, Watcher, run_game
from arena.match.repeat import repeat_command, trace_lines
from arena.match.start import Start
from bots.bot import Budget
from games.registry import Game
from games.seats import seat_name


@dataclass(frozen=True)
class SeriesPlan:
    """What is played, and what is needed to play one of the games again."""

    rules: Game
    factories: Sequence[BotFactory]
    seed: int
    options: Mapping[str, object]
    budget: Budget
    isolate: bool = False
    move_limit: float = 0.0
    start: Start | None = None
    """Where the games begin, if not with the deal."""

    def table(self, number: int) -> list[BotFactory]:
        """The bots in seats A, B, ... of one game; each game moves them on by one seat."""
        shift = number % len(self.factories)
        return [*self.factories[shift:], *self.factories[:shift]]

    def command(self, number: int) -> str:
        """The command that plays one of the games again."""
        names = [factory.name for factory in self.table(number)]
        return repeat_command(
            names,
            self.seed + number,
            self.rules.name,
            self.options,
            self.budget,
            isolate=self.isolate,
            move_limit=self.move_limit,
            start=self.start.words if self.start else (),
        )

    def play(self, number: int, watch: Watcher | None = None) -> Result:
        """Play one of the games; raises BotFault if a bot fails."""
        seed = self.seed + number
        opening = self.start.opening(seed) if self.start else None
        table, options = self.table(number), dict(self.options)
        return run_game(self.rules, table, seed, options, self.budget, watch, opening=opening)


@dataclass(frozen=True)
class SeriesGame:
    """One game of a series; either it has a result, or a bot's fault ended it."""

    number: int
    seed: int
    seats: tuple[str, ...]
    result: Result | None
    fault: BotFault | None
    command: str
    """Plays it again."""

    @property
    def winners(self) -> tuple[int, ...]:
        return () if self.result is None else self.result.winners

    @property
    def decisions(self) -> int:
        if self.fault is not None:
            return self.fault.decision
        return 0 if self.result is None else self.result.decisions

    def as_json(self) -> dict[str, object]:
        fault = None
        if self.fault is not None:
            fault = {
                "seat": seat_name(self.fault.seat),
                "kind": self.fault.kind,
                "problem": self.fault.problem,
                "where": self.fault.where,
                "trace": trace_lines(self.fault),
            }
        return {
            "seed": self.seed,
            "seats": list(self.seats),
            "winners": [seat_name(seat) for seat in self.winners],
            "decisions": self.decisions,
            "fault": fault,
            "command": self.command,
        }


def play_series(plan: SeriesPlan, games: int) -> Iterator[SeriesGame]:
    """Play the games one after the other; a bot's fault ends its game, not the series."""
    for number in range(games):
        table = plan.table(number)
        seed, names = plan.seed + number, tuple(factory.name for factory in table)
        result = fault = None
        try:
            result = plan.play(number)
        except BotFault as raised:
            fault = raised
        yield SeriesGame(number, seed, names, result, fault, plan.command(number))
