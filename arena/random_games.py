"""Games between players who choose at random: what the rules alone do to factions and seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tabulate import tabulate

from arena.intervals import wilson
from games.engine import engine_name
from games.hidden_leaders import RULES_VERSION
from games.hidden_leaders.cards import LEADERS
from games.hidden_leaders.state import new_game
from games.hidden_leaders.words import FACTION_NAMES, FACTIONS, LEADER_COUNT
from games.state import NOBODY, Rng


@dataclass
class Share:
    """How often something happened, of how many times it could have."""

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


def shares(many: int) -> list[Share]:
    return [Share() for _ in range(many)]


@dataclass
class Results:
    """What came of the games at one player count."""

    players: int
    games: int = 0
    decisions: int = 0
    turns: int = 0
    no_winner: Share = field(default_factory=Share)
    stopped: Share = field(default_factory=Share)
    """Games ended by the turn limit."""
    factions: list[Share] = field(default_factory=lambda: shares(len(FACTIONS)))
    """How often each faction was the winning one, whether or not somebody supported it."""
    leaders: list[Share] = field(default_factory=lambda: shares(LEADER_COUNT))
    """How often each leader won, of the games it was dealt in."""
    seats: list[Share] = field(default_factory=list)
    order: list[Share] = field(default_factory=list)
    """By place in turn order: 0 began."""

    def __post_init__(self) -> None:
        self.seats = shares(self.players)
        self.order = shares(self.players)


def play_one(results: Results, seed: int) -> None:
    """Play one game and add what came of it."""
    players = results.players
    state = new_game(players)
    results.decisions += state.playout(Rng(seed))
    results.games += 1
    results.turns += state.turns
    winner = state.winner
    results.no_winner.count(winner == NOBODY)
    results.stopped.count(state.faction == 0)
    for share, faction in zip(results.factions, FACTIONS, strict=True):
        share.count(state.faction == faction)
    for seat in range(players):
        won = seat == winner
        results.leaders[state.leader(seat)].count(won)
        results.seats[seat].count(won)
        results.order[(seat - state.first) % players].count(won)


def play(
    counts: Sequence[int], games: int, seed: int, played: Callable[[int], object]
) -> list[Results]:
    """The results at each player count; `played` is told of every game, for a progress bar."""
    found: list[Results] = []
    for players in counts:
        results = Results(players)
        for number in range(games):
            play_one(results, game_seed(seed, players, number))
            played(1)
        found.append(results)
    return found


def game_seed(seed: int, players: int, number: int) -> int:
    """A seed of its own for every game of a run, so that runs of any length share their games."""
    return (seed << 32) + (players << 28) + number


# ---- reporting ----------------------------------------------------------------------------------


def as_json(found: Sequence[Results], seed: int) -> dict[str, object]:
    return {
        "rules_version": RULES_VERSION,
        "engine": engine_name(),
        "seed": seed,
        "interval": "Wilson, 95 %",
        "results": [_one_as_json(results) for results in found],
    }


def _one_as_json(results: Results) -> dict[str, object]:
    return {
        "players": results.players,
        "games": results.games,
        "decisions_per_game": round(results.decisions / results.games, 3),
        "turns_per_game": round(results.turns / results.games, 3),
        "without_winner": results.no_winner.as_json(),
        "stopped_at_turn_limit": results.stopped.as_json(),
        "winning_faction": {
            FACTION_NAMES[faction]: share.as_json()
            for faction, share in zip(FACTIONS, results.factions, strict=True)
        },
        "wins_by_leader": {
            leader.name: share.as_json()
            for leader, share in zip(LEADERS, results.leaders, strict=True)
        },
        "wins_by_seat": [share.as_json() for share in results.seats],
        "wins_by_turn_order": [share.as_json() for share in results.order],
    }


def as_text(found: Sequence[Results]) -> str:
    """The tables a person reads: a column per player count, a 95 % interval in every cell."""
    most = max(results.players for results in found)
    factions = [FACTION_NAMES[faction] for faction in FACTIONS]
    leaders = [leader.name for leader in LEADERS]
    seats = [f"seat {seat}" for seat in range(most)]
    order = ["who begins", *(f"{place} later" for place in range(1, most))]
    parts = [
        _overview(found),
        _table("Winning faction, % of games", factions, found, lambda r: r.factions),
        _table("Wins by leader, % of the games it was in", leaders, found, lambda r: r.leaders),
        _table("Wins by seat, % of games", seats, found, lambda r: r.seats),
        _table("Wins by place in turn order, % of games", order, found, lambda r: r.order),
        "In brackets: 95 % intervals (Wilson).",
    ]
    return "\n\n".join(parts)


def _overview(found: Sequence[Results]) -> str:
    rows: list[list[object]] = [
        ["games", *(results.games for results in found)],
        ["decisions per game", *(f"{r.decisions / r.games:.1f}" for r in found)],
        ["turns per game", *(f"{r.turns / r.games:.1f}" for r in found)],
        ["without winner, %", *(str(results.no_winner) for results in found)],
        ["stopped at the turn limit, %", *(str(results.stopped) for results in found)],
    ]
    return f"Random games, {engine_name()} engine\n" + _lines(rows, found)


def _table(
    title: str,
    names: Sequence[str],
    found: Sequence[Results],
    pick: Callable[[Results], list[Share]],
) -> str:
    rows = []
    for i, name in enumerate(names):
        cells = [str(pick(r)[i]) if i < len(pick(r)) else "" for r in found]
        rows.append([name, *cells])
    return f"{title}\n" + _lines(rows, found)


def _lines(rows: Sequence[Sequence[object]], found: Sequence[Results]) -> str:
    headers = ["", *(f"{results.players} players" for results in found)]
    align = ["left", *("right" for _ in found)]
    return tabulate(rows, headers=headers, colalign=align, disable_numparse=True)
