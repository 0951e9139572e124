"""The preview of a league (`--dry-run`): its games, and an estimate of how long they take."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean
from time import perf_counter
from typing import Final

from arena.league.config import League
from arena.league.plan import first_games
from arena.league.schedule import GameKey, game_count, is_swiss, round_count
from arena.league.worker import GameRunner
from arena.seeds import derive_seed
from games.engine import engine_name
from games.seats import seat_name
from games.state import Rng
from games.wording import counted

SAMPLE: Final = 3.0  # seconds of sample games that are played for the estimate


def preview(league: League, workers: int) -> Iterator[str]:
    """Lines of text: every game, then a summary with the estimate."""
    games = [game.key for game in first_games(league)]
    rounds = round_count(league) if is_swiss(league) else 1
    for game in games:
        seats = ", ".join(
            f"{seat_name(seat)} {league.names[bot]}" for seat, bot in enumerate(game.seats)
        )
        yield f"game {game.number}: deal {game.deal}, {seats}"
    if rounds > 1:
        yield f"round 1 of {rounds}; later pairings depend on the results"
    deals = games[-1].deal + 1
    counts = ", ".join(map(str, league.players))
    yield f"{league.format} of {counted(len(league.bots), 'bot')} at {counts} players"
    sampled, seconds = estimate(league, games)
    basis = f"estimated from {counted(sampled, 'sample game')} ({engine_name()} engine)"
    if league.until_settled:
        rate = workers * len(games) / seconds
        yield f"the first {counted(len(games), 'game')}; the others depend on the results"
        yield f"until the order is settled; about {rate:.0f} games a second, {basis}"
    else:
        yield (
            f"{counted(game_count(league), 'game')}, {counted(rounds * deals, 'deal')}, "
            "seats rotated in each"
        )
        duration = duration_text(rounds * seconds / workers)
        yield f"about {duration} with {counted(workers, 'worker')}, {basis}"


def estimate(league: League, games: Sequence[GameKey]) -> tuple[int, float]:
    """The number of sample games, and the estimated seconds for all games on one worker."""
    runner = GameRunner(league)
    rng = Rng(derive_seed(league.seed, "sample"))
    taken: dict[int, list[float]] = {players: [] for players in league.players}
    began = perf_counter()
    while perf_counter() < began + SAMPLE:
        # Next is the player count with the fewest samples, so that every count gets one first.
        players = min(taken, key=lambda count: len(taken[count]))
        key = games[rng.below(len(games))]
        if key.players == players:
            start = perf_counter()
            runner.play(key)
            taken[players].append(perf_counter() - start)
    samples = [seconds for times in taken.values() for seconds in times]
    means = {count: fmean(times or samples) for count, times in taken.items()}
    counts = Counter(key.players for key in games)
    return len(samples), sum(means[count] * number for count, number in counts.items())


def duration_text(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 1 else "a second"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
