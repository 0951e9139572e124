"""The harness put to the test with cases whose right answer is known.

* Copies of a bot under different names, seats rotated: each meets the same luck in the same seats,
  so wins, strengths and duels must come out exactly equal, whatever the bot does. That holds
  because a bot's own luck, too, belongs to the seat and the deal and not to its name.
* A player of the urn game (`arena.lab.lottery_game`) who puts in more tickets: how likely each result of a deal
  is can be counted, and so how many deals `arena compare` needs. It must find the better player
  every time, in no more deals than the slowest of many simulated comparisons with those odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from random import Random
from statistics import median
from typing import Final

from arena.lab.compare import Pairing, Progress, run
from arena.lab.lottery_game import LOTTERY, law
from arena.match.referee import play_game
from arena.seeds import derive_seed
from arena.stats.game_record import Played
from arena.stats.plackett_luce import CLOSE, fit
from arena.stats.sequential_test import Comparison, Verdict, simulate
from arena.stats.tally import duels, wins
from bots.runtime.loading import load_bot
from games.registry import DEFAULT_GAME, game

BOTS: Final = ("random", "greedy", "ismcts:iterations=5")
TICKETS: Final = (12, 9)
COMPARISONS: Final = 20
SIMULATIONS: Final = 2000
MOST_DEALS: Final = 2000


@dataclass(frozen=True)
class Check:
    """One question, and how it was answered."""

    passed: bool
    what: str
    found: str

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'}  {self.what}: {self.found}"


# ---- identical bots -----------------------------------------------------------------------------

Rotation = tuple[str, int, int, int]
"""A bot, how many players, the deal, and by how much the copies have moved on."""


def play_rotation(task: Rotation) -> Played:
    """A game of copies, told apart by name only. Runs in a worker."""
    bot, players, deal, shift = task
    names = tuple(f"copy {(seat + shift) % players + 1}" for seat in range(players))
    table = [replace(load_bot(bot), name=name) for name in names]
    result = play_game(game(DEFAULT_GAME), table, deal)
    number = deal * players + shift
    roles = ("",) * players
    return Played(number, players, deal, names, result.winners, roles, result.decisions, 0)


def identical(
    bot: str, counts: Sequence[int], deals: Sequence[int], pool: Executor | None
) -> Check:
    """Whether copies of a bot come out exactly equal over rotated deals."""
    played = 0
    for players in counts:
        tasks = [(bot, players, deal, shift) for deal in deals for shift in range(players)]
        many = map(play_rotation, tasks) if pool is None else pool.map(play_rotation, tasks)
        games = list(many)
        played += len(games)
        told = difference_of_copies(games)
        if told:
            return Check(False, f"copies of {bot} tie exactly", f"{players} players: {told}")
    at = ", ".join(map(str, counts))
    return Check(True, f"copies of {bot} tie exactly", f"{played} games at {at} players")


def difference_of_copies(games: Sequence[Played]) -> str:
    """What is not equal among the bots of these games; empty if everything is."""
    for deal in sorted({one.deal for one in games}):
        same = [one for one in games if one.deal == deal]
        shares = {bot: rate.share for bot, rate in wins(same, _bot).items()}
        if len(set(shares.values())) > 1:
            return f"deal {deal}, shares won {shares}"
    ahead = {pair: rate.share for pair, rate in duels(games).items()}
    if set(ahead.values()) - {0.5}:
        return f"duels won {ahead}"
    bots = sorted(set(games[0].seats))
    strengths = {bot: one.value for bot, one in fit(games, bots).bots.items()}
    if max(map(abs, strengths.values())) > CLOSE:
        return f"strengths {strengths}"
    return ""


def _bot(one: Played, seat: int) -> str:
    return one.seats[seat]


# ---- a known advantage --------------------------------------------------------------------------


@dataclass(frozen=True)
class Prediction:
    """How many deals comparisons need that follow a law."""

    half: float
    """Deals that half of them need at most."""
    most: int
    """Deals of the slowest."""


def predict(odds: dict[float, float], seed: int) -> Prediction:
    rng = Random(seed)
    needed = [simulate(odds, MOST_DEALS, rng)[1] for _ in range(SIMULATIONS)]
    return Prediction(median(needed), max(needed))


def known_advantage(seed: int, pool: Executor | None) -> Check:
    """Whether comparisons find the one with more tickets as soon as predicted."""
    more, less = TICKETS
    expected = predict(law(more, less), seed)
    what = f"{more} tickets are found to beat {less}"
    needed = []
    for number in range(COMPARISONS):
        pairing = Pairing(
            f"arena.lab.lottery_game:Buyer:tickets={more}",
            f"arena.lab.lottery_game:Buyer:tickets={less}",
            seed=derive_seed(seed, "selftest", number),
            rules=LOTTERY,
        )
        progress = Progress(pairing, Comparison(), MOST_DEALS)
        for _ in run(progress, pool):
            pass
        if progress.comparison.verdict is not Verdict.BETTER or progress.deals > expected.most:
            said = progress.comparison.verdict
            words = "no verdict" if said is None else f"verdict {said.value!r}"
            limit = f"predicted: better, within {expected.most}"
            return Check(False, what, f"{words} after {progress.deals} deals ({limit})")
        needed.append(progress.deals)
    return Check(
        True,
        what,
        f"{COMPARISONS} comparisons, half within {median(needed):g} deals and all within "
        f"{max(needed)} (predicted: {expected.half:g} and {expected.most})",
    )


# ---- all of it ----------------------------------------------------------------------------------


def checks(counts: Sequence[int], deals: int, seed: int, pool: Executor | None) -> Iterator[Check]:
    """Every check, as it is done."""
    seeds = range(seed, seed + deals)
    for bot in BOTS:
        yield identical(bot, counts, seeds, pool)
    yield known_advantage(seed, pool)
