"""Tests the harness with cases whose correct answer is known.

* Copies of a bot under different names, with seats rotated: each gets the same random events in the
  same seats, so wins, strengths and duels must be exactly equal, whatever the bot does. This holds
  because a bot's random choices depend on the seat and the deal, not on its name.
* A bot that buys more tickets in a lottery (`arena.lab.lottery_game`): the probability of each
  result of a deal is known, and so is how many deals `arena compare` needs. It must find the better
  bot every time, in no more deals than the slowest of many simulated comparisons.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from random import Random
from statistics import median
from typing import Final

from arena.lab.compare import Comparison, Pairing, play_deals
from arena.lab.lottery_game import LOTTERY, deal_distribution
from arena.match.referee import run_game
from arena.seeds import derive_seed
from arena.stats.game_record import GameRecord
from arena.stats.plackett_luce import CLOSE, fit
from arena.stats.sequential_test import SequentialTest, Verdict, simulate
from arena.stats.tally import duels, wins
from bots.runtime.loading import load_bot
from games.registry import DEFAULT_GAME, game

BOTS: Final = ("random", "greedy", "ismcts:iterations=5")
TICKETS: Final = (12, 9)
COMPARISONS: Final = 20
SIMULATIONS: Final = 2000
_MOST_DEALS: Final = 2000


@dataclass(frozen=True)
class Check:
    """One check and its result."""

    passed: bool
    what: str
    result: str

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'}  {self.what}: {self.result}"


# ---- identical bots -----------------------------------------------------------------------------

Rotation = tuple[str, int, int, int]
"""(bot, players, deal, number of seats the copies have moved on)."""


def play_rotation(task: Rotation) -> GameRecord:
    """Play a game of copies that differ only in name. Runs in a worker."""
    bot, players, deal, shift = task
    names = tuple(f"copy {(seat + shift) % players + 1}" for seat in range(players))
    table = [replace(load_bot(bot), name=name) for name in names]
    result = run_game(game(DEFAULT_GAME), table, deal)
    number = deal * players + shift
    roles = ("",) * players
    return GameRecord(number, players, deal, names, result.winners, roles, result.decisions, 0)


def identical(
    bot: str, counts: Sequence[int], deals: Sequence[int], pool: Executor | None
) -> Check:
    """Check that copies of a bot come out exactly equal over rotated deals."""
    played = 0
    for players in counts:
        tasks = [(bot, players, deal, shift) for deal in deals for shift in range(players)]
        games = list((pool.map if pool else map)(play_rotation, tasks))
        played += len(games)
        if difference := difference_of_copies(games):
            return Check(False, f"copies of {bot} tie exactly", f"{players} players: {difference}")
    at = ", ".join(map(str, counts))
    return Check(True, f"copies of {bot} tie exactly", f"{played} games at {at} players")


def difference_of_copies(games: Sequence[GameRecord]) -> str:
    """What differs between the bots of these games; empty if nothing does."""
    for deal in sorted({record.deal for record in games}):
        same = [record for record in games if record.deal == deal]
        rates = wins(same, lambda record, seat: record.seats[seat])
        shares = {bot: rate.share for bot, rate in rates.items()}
        if len(set(shares.values())) > 1:
            return f"deal {deal}, shares won {shares}"
    ahead = {pair: rate.share for pair, rate in duels(games).items()}
    if set(ahead.values()) - {0.5}:
        return f"duels won {ahead}"
    bots = sorted(set(games[0].seats))
    strengths = {bot: estimate.value for bot, estimate in fit(games, bots).bots.items()}
    if max(map(abs, strengths.values())) > CLOSE:
        return f"strengths {strengths}"
    return ""


# ---- a known advantage --------------------------------------------------------------------------


def known_advantage(seed: int, pool: Executor | None) -> Check:
    """Check that comparisons find the bot with more tickets as soon as simulations predict."""
    more, less = TICKETS
    rng, odds = Random(seed), deal_distribution(more, less)
    predicted = [simulate(odds, _MOST_DEALS, rng)[1] for _ in range(SIMULATIONS)]
    most = max(predicted)
    what = f"{more} tickets are found to beat {less}"
    needed = []
    for number in range(COMPARISONS):
        pairing = Pairing(
            f"arena.lab.lottery_game:Buyer:tickets={more}",
            f"arena.lab.lottery_game:Buyer:tickets={less}",
            seed=derive_seed(seed, "selftest", number),
            rules=LOTTERY,
        )
        comparison = Comparison(pairing, SequentialTest(), _MOST_DEALS)
        for _ in play_deals(comparison, pool):
            pass
        verdict = comparison.verdict
        if verdict is not Verdict.BETTER or comparison.deals > most:
            text = "no verdict" if verdict is None else f"verdict {verdict.value!r}"
            limit = f"predicted: better, within {most}"
            return Check(False, what, f"{text} after {comparison.deals} deals ({limit})")
        needed.append(comparison.deals)
    text = f"{COMPARISONS} comparisons, half within {median(needed):g} deals and all within"
    text += f" {max(needed)} (predicted: {median(predicted):g} and {most})"
    return Check(True, what, text)


def checks(counts: Sequence[int], deals: int, seed: int, pool: Executor | None) -> Iterator[Check]:
    for bot in BOTS:
        yield identical(bot, counts, range(seed, seed + deals), pool)
    yield known_advantage(seed, pool)
