"""Counts of what happened in the games of a run: wins, duels, lengths, times and faults.

Confidence intervals are over deals. Games of one deal share their random events, so a deal is one
observation. The standard error of a share is estimated from the spread between deals and converted
to an effective number of independent games, for which Wilson's interval is given. Rotating seats
makes deals more alike than single games, and so the interval narrower. With few deals, Student's t
makes it wider.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean
from typing import Final, TypeVar

from arena.stats.game_record import GameRecord
from arena.stats.intervals import student, wilson
from arena.stats.run import Run

_Key = TypeVar("_Key", bound=Hashable)
Deal = tuple[int, int]
"""(player count, number): deals of different player counts are different deals."""


@dataclass(frozen=True)
class WinRate:
    """A share of wins with its 95 % confidence interval over deals."""

    share: float
    low: float
    high: float
    seen: int
    """The number of seats or games it is a share of."""
    deals: int


NOTHING: Final = WinRate(0.0, 0.0, 1.0, 0, 0)  # the win rate of what never happened


@dataclass
class _Tally:
    """Wins and chances to win, deal by deal."""

    won: dict[Deal, float]
    seen: dict[Deal, int]

    def rate(self) -> WinRate:
        deals = len(self.seen)
        seen = sum(self.seen.values())
        share = min(1.0, sum(self.won.values()) / seen)
        residuals = [self.won[deal] - share * seen for deal, seen in self.seen.items()]
        if 0 < share < 1 and deals > 1:
            # At least the variance of one game that could have gone the other way.
            squares = deals / (deals - 1) * sum(residual * residual for residual in residuals)
            effective = share * (1 - share) / (max(1.0, squares) / seen**2)
        else:
            effective = deals
        interval = wilson(share * effective, effective, student(deals - 1))
        return WinRate(share, *interval, seen, deals)


class _Tallies(dict[_Key, _Tally]):
    """A tally for each key."""

    def add(self, key: _Key, game: GameRecord, won: float) -> None:
        tally = self.setdefault(key, _Tally({}, {}))
        deal = (game.players, game.deal)
        tally.won[deal] = tally.won.get(deal, 0.0) + won
        tally.seen[deal] = tally.seen.get(deal, 0) + 1

    def rates(self) -> dict[_Key, WinRate]:
        return {key: tally.rate() for key, tally in self.items()}


def wins(
    games: Iterable[GameRecord], group: Callable[[GameRecord, int], _Key]
) -> dict[_Key, WinRate]:
    """The win rate of every group of seats; `group` maps a game and seat to its group."""
    tallies = _Tallies[_Key]()
    for game in games:
        for seat, share in enumerate(game.shares()):
            tallies.add(group(game, seat), game, share)
    return tallies.rates()


def duels(games: Iterable[GameRecord]) -> dict[tuple[str, str], WinRate]:
    """(bot, other) -> how often the bot ranked above the other, ties left out.

    Every pair of their seats at a table counts, so that a bot gains nothing from copies.
    """
    tallies = _Tallies[tuple[str, str]]()
    for game in games:
        ranks = game.ranks()
        for a, b in permutations(range(game.players), 2):
            if game.seats[a] != game.seats[b] and ranks[a] != ranks[b]:
                tallies.add((game.seats[a], game.seats[b]), game, float(ranks[a] < ranks[b]))
    return tallies.rates()


@dataclass(frozen=True)
class Lengths:
    """The number and mean length of games."""

    games: int
    deals: int
    decisions: float
    turns: float
    nobody: WinRate
    """Games that nobody won, of those that ended without a fault."""


def lengths(games: Sequence[GameRecord]) -> Lengths:
    nobody = _Tallies[str]()
    for game in games:
        if game.faulty is None:
            nobody.add("", game, float(not game.winners))
    return Lengths(
        len(games),
        len({(game.players, game.deal) for game in games}),
        fmean(game.decisions for game in games),
        fmean(game.turns for game in games),
        nobody.rates().get("", NOTHING),
    )


@dataclass(frozen=True)
class ThinkingTime:
    """The mean and longest time of a bot, over the games that were timed."""

    decisions: float
    """Per seat and game."""
    seconds: float
    """Per decision."""
    slowest: float


def thinking_times(run: Run) -> dict[str, ThinkingTime]:
    """The times of each bot; bots that were not timed are left out."""
    seats = {game.number: game.seats for game in run.games}
    times: dict[str, ThinkingTime] = {}
    for bot in run.bots:
        spent = [time for time in run.spent if seats[time.number][time.seat] == bot]
        decisions = sum(time.decisions for time in spent)
        if decisions:
            times[bot] = ThinkingTime(
                decisions / len(spent),
                sum(time.seconds for time in spent) / decisions,
                max(time.slowest for time in spent),
            )
    return times
