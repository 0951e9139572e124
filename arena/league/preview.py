"""What a league will play and what that will cost, before anything is played in earnest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean
from time import perf_counter
from typing import Final

from arena.league.config import League
from arena.league.schedule import GameKey, game_count, games_of_round, round_count
from arena.league.worker import GamePlayer
from arena.seeds import derive_seed
from games.engine import engine_name
from games.seats import seat_name
from games.state import Rng

SAMPLE: Final = 3.0
"""Seconds after which no more games are played to estimate the cost."""


def plan(league: League, workers: int) -> Iterator[str]:
    """Lines of text: the cost first, then every game."""
    rounds = round_count(league)
    games = list(games_of_round(league, 0, ()))
    deals = games[-1].deal + 1
    counts = ", ".join(map(str, league.players))
    yield f"{league.format} of {len(league.bots)} bots at {counts} players"
    yield f"{game_count(league)} games, {rounds * deals} deals, seats rotated in each"
    sampled, seconds = estimate(league, games)
    yield (
        f"about {words(rounds * seconds / workers)} with {workers} workers, "
        f"judged by {sampled} games played now ({engine_name()} engine)"
    )
    if rounds > 1:
        yield f"round 1 of {rounds}; who meets whom later depends on the results"
    for game in games:
        seats = ", ".join(
            f"{seat_name(seat)} {league.names[bot]}" for seat, bot in enumerate(game.seats)
        )
        yield f"game {game.number}: deal {game.deal}, {seats}"


def estimate(league: League, games: Sequence[GameKey]) -> tuple[int, float]:
    """Games tried, and the seconds that all of them would take one after the other."""
    player = GamePlayer(league)
    rng = Rng(derive_seed(league.seed, "sample"))
    taken: dict[int, list[float]] = {players: [] for players in league.players}
    began = perf_counter()
    while perf_counter() < began + SAMPLE:
        # The count with the fewest games so far is next: all of them are tried before any twice.
        players = min(taken, key=lambda count: len(taken[count]))
        key = games[rng.below(len(games))]
        if key.players == players:
            start = perf_counter()
            player.play(key)
            taken[players].append(perf_counter() - start)
    seen = [seconds for found in taken.values() for seconds in found]
    each = {count: fmean(found or seen) for count, found in taken.items()}
    many = Counter(key.players for key in games)
    return len(seen), sum(each[count] * many[count] for count in many)


def words(seconds: float) -> str:
    """A time as a person would say it."""
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 1 else "a second"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
