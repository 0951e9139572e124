"""Random games: how the rules alone favour sides, roles and seats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

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
        shares = {"share": self.hits / max(1, self.trials), "low": low, "high": high}
        return {**vars(self), **{name: round(value, 6) for name, value in shares.items()}}

    def __str__(self) -> str:
        if not self.trials:
            return ""
        low, high = wilson(self.hits, self.trials)
        return f"{100 * self.hits / self.trials:.1f} ({100 * low:.1f}-{100 * high:.1f})"


class RandomResults:
    """The results of random games at one player count."""

    def __init__(self, rules: Game, players: int) -> None:
        self.rules = rules
        self.players = players
        self.games = self.decisions = self.turns = 0
        self.no_winner = Share()
        self.undecided = Share()
        """Games without a verdict: stopped at a limit, or tied."""
        self.verdicts = [Share() for _ in rules.verdicts]
        """How often each side or faction won, whether or not a seat belonged to it."""
        self.roles = [Share() for _ in rules.role_names]
        """How often each role won, of the seats that had it at the end."""
        self.seats = [Share() for _ in range(players)]
        self.order = [Share() for _ in range(players)]
        """By place in turn order."""


def play_one(results: RandomResults, seed: int) -> None:
    rules, players = results.rules, results.players
    state = rules.new(players)
    results.decisions += state.playout(Rng(seed))
    results.games += 1
    results.turns += state.turns
    winners = state.winners()
    verdict, first = rules.verdict(state), rules.first(state)
    results.no_winner.count(not winners)
    results.undecided.count(bool(rules.verdicts) and not verdict)
    for share, name in zip(results.verdicts, rules.verdicts, strict=True):
        share.count(verdict == name)
    for seat in range(players):
        won = seat in winners
        if (role := state.role(seat)) >= 0:
            results.roles[role].count(won)
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
            # A longer run starts with the same games as a shorter one.
            play_one(results, (seed << 32) + (players << 28) + number)
            progress(1)
        every.append(results)
    return every


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
        f"winning_{rules.verdict_word}": _named(rules.verdicts, results.verdicts),
        f"wins_by_{rules.role_word}": _named(rules.role_names, results.roles),
        "wins_by_seat": [share.as_json() for share in results.seats],
        "wins_by_turn_order": [share.as_json() for share in results.order],
    }


def _named(names: Sequence[str], shares: Sequence[Share]) -> dict[str, object]:
    return {name: share.as_json() for name, share in zip(names, shares, strict=True)}


def random_games_text(every: Sequence[RandomResults], width: int = 80) -> str:
    """Tables with a column per player count and 95 % confidence intervals.

    A table that is wider than that is printed in parts, one below the other.
    """
    most = max(results.players for results in every)
    rules = every[0].rules
    what, role = rules.verdict_word, rules.role_word
    seats = [f"seat {seat}" for seat in range(most)]
    order = [f"{ordinal(place)} to move" for place in range(most)]
    parts = [
        _table(f"Winning {what}, % of games", rules.verdicts, every, "verdicts", width),
        _table(f"Wins by {role}, % of its seats", rules.role_names, every, "roles", width),
        _table("Wins by seat, % of games", seats, every, "seats", width),
        _table("Wins by place in turn order, % of games", order, every, "order", width),
    ]
    last = "In brackets: 95 % confidence intervals (Wilson)."
    return "\n\n".join([_overview(every, width), *filter(None, parts), last])


def _overview(every: Sequence[RandomResults], width: int) -> str:
    rows: list[list[object]] = [
        ["games", *(results.games for results in every)],
        ["decisions per game", *(f"{r.decisions / r.games:.1f}" for r in every)],
        ["turns per game", *(f"{r.turns / r.games:.1f}" for r in every)],
        ["no winner, %", *(str(results.no_winner) for results in every)],
    ]
    if every[0].rules.verdicts:
        rows.append(["stopped or tied, %", *(str(results.undecided) for results in every)])
    return f"Random games, {engine_name()} engine\n" + _lines(rows, every, width)


def _table(
    title: str, names: Sequence[str], every: Sequence[RandomResults], shares: str, width: int
) -> str:
    if not names:
        return ""  # a game without roles, or without sides that win
    rows = zip_longest(*(getattr(results, shares) for results in every), fillvalue="")
    lines = [[name, *map(str, row)] for name, row in zip(names, rows, strict=True)]
    return f"{title}\n" + _lines(lines, every, width)


def _lines(rows: Sequence[Sequence[object]], every: Sequence[RandomResults], width: int) -> str:
    headers = ["", *(f"{results.players} players" for results in every)]
    align = ["left", *("right" for _ in every)]
    table = tabulate(rows, headers=headers, colalign=align, disable_numparse=True)
    if len(table.partition("\n")[0]) <= width or len(every) == 1:
        return table
    half = (len(every) + 1) // 2
    first = [row[: half + 1] for row in rows]
    rest = [[row[0], *row[half + 1 :]] for row in rows]
    return f"{_lines(first, every[:half], width)}\n\n{_lines(rest, every[half:], width)}"
