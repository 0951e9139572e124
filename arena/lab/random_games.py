"""Random games: how the rules alone favour sides, roles and seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tabulate import tabulate

from arena.stats.intervals import wilson
from arena.stats.report import ordinal
from games.engine import engine_name
from games.registry import Game
from games.state import Rng


@dataclass
class Share:
    """How often something happened, of how often it could have."""

    hits: int = 0
    trials: int = 0

    def count(self, hit: bool) -> None:
        self.hits += hit
        self.trials += 1

    def as_json(self) -> dict[str, float]:
        low, high = wilson(self.hits, self.trials)
        share = self.hits / self.trials if self.trials else 0.0
        return {
            "hits": self.hits,
            "trials": self.trials,
            "share": round(share, 6),
            "low": round(low, 6),
            "high": round(high, 6),
        }

    def __str__(self) -> str:
        if not self.trials:
            return ""
        low, high = wilson(self.hits, self.trials)
        return f"{100 * self.hits / self.trials:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def shares(count: int) -> list[Share]:
    return [Share() for _ in range(count)]


@dataclass
class RandomResults:
    """The results of random games at one player count."""

    rules: Game
    players: int
    games: int = 0
    decisions: int = 0
    turns: int = 0
    no_winner: Share = field(default_factory=Share)
    undecided: Share = field(default_factory=Share)
    """Games without a verdict: stopped at a limit, or tied."""
    verdicts: list[Share] = field(default_factory=list)
    """How often each side or faction won, whether or not a seat belonged to it."""
    roles: list[Share] = field(default_factory=list)
    """How often each role won, of the seats that had it at the end."""
    seats: list[Share] = field(default_factory=list)
    order: list[Share] = field(default_factory=list)
    """By place in turn order."""

    def __post_init__(self) -> None:
        self.verdicts = shares(len(self.rules.verdicts))
        self.roles = shares(len(self.rules.role_names))
        self.seats = shares(self.players)
        self.order = shares(self.players)


def play_one(results: RandomResults, seed: int) -> None:
    """Play one game and add its result."""
    rules, players = results.rules, results.players
    state = rules.new(players)
    results.decisions += state.playout(Rng(seed))
    results.games += 1
    results.turns += state.turns
    winners = state.winners()
    verdict, first = rules.verdict(state), rules.first(state)
    results.no_winner.count(not winners)
    results.undecided.count(not verdict)
    for share, name in zip(results.verdicts, rules.verdicts, strict=True):
        share.count(verdict == name)
    for seat in range(players):
        won = seat in winners
        results.roles[state.role(seat)].count(won)
        results.seats[seat].count(won)
        results.order[(seat - first) % players].count(won)


def play_random_games(
    rules: Game, counts: Sequence[int], games: int, seed: int, progress: Callable[[int], object]
) -> list[RandomResults]:
    """The results at each player count; `progress(1)` is called after every game."""
    every: list[RandomResults] = []
    for players in counts:
        results = RandomResults(rules, players)
        for number in range(games):
            play_one(results, game_seed(seed, players, number))
            progress(1)
        every.append(results)
    return every


def game_seed(seed: int, players: int, number: int) -> int:
    """The seed of a game; a longer run starts with the same games as a shorter one."""
    return (seed << 32) + (players << 28) + number


# ---- reporting ----------------------------------------------------------------------------------


def random_games_json(every: Sequence[RandomResults], seed: int) -> dict[str, object]:
    return {
        "game": every[0].rules.name,
        "rules_version": every[0].rules.rules_version,
        "engine": engine_name(),
        "seed": seed,
        "interval": "Wilson, 95 %",
        "results": [_one_as_json(results) for results in every],
    }


def _one_as_json(results: RandomResults) -> dict[str, object]:
    rules = results.rules
    return {
        "players": results.players,
        "games": results.games,
        "decisions_per_game": round(results.decisions / results.games, 3),
        "turns_per_game": round(results.turns / results.games, 3),
        "without_winner": results.no_winner.as_json(),
        "undecided": results.undecided.as_json(),
        f"winning_{rules.verdict_word}": {
            name: share.as_json()
            for name, share in zip(rules.verdicts, results.verdicts, strict=True)
        },
        f"wins_by_{rules.role_word}": {
            name: share.as_json()
            for name, share in zip(rules.role_names, results.roles, strict=True)
        },
        "wins_by_seat": [share.as_json() for share in results.seats],
        "wins_by_turn_order": [share.as_json() for share in results.order],
    }


def random_games_text(every: Sequence[RandomResults]) -> str:
    """Tables with a column per player count and 95 % confidence intervals."""
    most = max(results.players for results in every)
    rules = every[0].rules
    what, role = rules.verdict_word, rules.role_word
    seats = [f"seat {seat}" for seat in range(most)]
    order = [f"{ordinal(place)} to move" for place in range(most)]
    parts = [
        _overview(every),
        _table(f"Winning {what}, % of games", rules.verdicts, every, lambda r: r.verdicts),
        _table(f"Wins by {role}, % of its seats", rules.role_names, every, lambda r: r.roles),
        _table("Wins by seat, % of games", seats, every, lambda r: r.seats),
        _table("Wins by place in turn order, % of games", order, every, lambda r: r.order),
        "In brackets: 95 % confidence intervals (Wilson).",
    ]
    return "\n\n".join(parts)


def _overview(every: Sequence[RandomResults]) -> str:
    rows: list[list[object]] = [
        ["games", *(results.games for results in every)],
        ["decisions per game", *(f"{r.decisions / r.games:.1f}" for r in every)],
        ["turns per game", *(f"{r.turns / r.games:.1f}" for r in every)],
        ["no winner, %", *(str(results.no_winner) for results in every)],
        ["stopped or tied, %", *(str(results.undecided) for results in every)],
    ]
    return f"Random games, {engine_name()} engine\n" + _lines(rows, every)


def _table(
    title: str,
    names: Sequence[str],
    every: Sequence[RandomResults],
    pick: Callable[[RandomResults], list[Share]],
) -> str:
    rows = []
    for i, name in enumerate(names):
        cells = [str(pick(r)[i]) if i < len(pick(r)) else "" for r in every]
        rows.append([name, *cells])
    return f"{title}\n" + _lines(rows, every)


def _lines(rows: Sequence[Sequence[object]], every: Sequence[RandomResults]) -> str:
    headers = ["", *(f"{results.players} players" for results in every)]
    align = ["left", *("right" for _ in every)]
    return tabulate(rows, headers=headers, colalign=align, disable_numparse=True)
