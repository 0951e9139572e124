"""What happened in the games of a run, counted: wins, duels, lengths, times and faults.

Intervals are over deals. Games of one deal share their luck, so a deal is one observation: the
error of a share is estimated from how much deals differ, and turned into the number of independent
games that would be as sure; the interval is Wilson's for that number. Rotated seats make deals more
alike than games are, and the interval narrower for it. With few deals Student's factor widens it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean
from typing import TypeVar

from arena.stats.game_record import Played
from arena.stats.intervals import student, wilson
from arena.stats.run import Run

Key = TypeVar("Key", bound=Hashable)
Deal = tuple[int, int]
"""Player count and number: a deal at another player count is another deal."""


@dataclass(frozen=True)
class Rate:
    """A share, of how many games it is, and its 95 % interval over deals."""

    share: float
    low: float
    high: float
    seen: int
    deals: int


@dataclass
class _Tally:
    """What was won, and what could have been, deal by deal."""

    won: dict[Deal, float]
    seen: dict[Deal, int]

    def rate(self) -> Rate:
        deals = len(self.seen)
        seen = sum(self.seen.values())
        share = min(1.0, sum(self.won.values()) / seen)
        rest = [self.won[deal] - share * many for deal, many in self.seen.items()]
        if 0 < share < 1 and deals > 1:
            # At least as unsure as if one game could have gone the other way.
            variance = max(1.0, deals / (deals - 1) * sum(one * one for one in rest)) / seen**2
            worth = share * (1 - share) / variance
        else:
            worth = deals
        return Rate(share, *wilson(share * worth, worth, student(deals - 1)), seen, deals)


class _Tallies(dict[Key, _Tally]):
    """A tally for each of several things."""

    def add(self, key: Key, game: Played, won: float) -> None:
        tally = self.setdefault(key, _Tally({}, {}))
        deal = (game.players, game.deal)
        tally.won[deal] = tally.won.get(deal, 0.0) + won
        tally.seen[deal] = tally.seen.get(deal, 0) + 1

    def rates(self) -> dict[Key, Rate]:
        return {key: tally.rate() for key, tally in self.items()}


def wins(games: Iterable[Played], group: Callable[[Played, int], Key]) -> dict[Key, Rate]:
    """How much of its games every group of seats won; `group` says where a seat belongs."""
    found: _Tallies[Key] = _Tallies()
    for game in games:
        for seat, share in enumerate(game.shares()):
            found.add(group(game, seat), game, share)
    return found.rates()


def duels(games: Iterable[Played]) -> dict[tuple[str, str], Rate]:
    """(one, other) -> of the times one of the two came out ahead, how often it was the one.

    Every pair of their seats at one table counts, so that a bot gains nothing from copies.
    """
    found: _Tallies[tuple[str, str]] = _Tallies()
    for game in games:
        ranks = game.ranks()
        for one, other in permutations(range(game.players), 2):
            if game.seats[one] != game.seats[other] and ranks[one] != ranks[other]:
                pair = game.seats[one], game.seats[other]
                found.add(pair, game, float(ranks[one] < ranks[other]))
    return found.rates()


@dataclass(frozen=True)
class Lengths:
    """How long games are."""

    games: int
    deals: int
    decisions: float
    turns: float
    nobody: Rate
    """Games that nobody won, of those played to their end."""


def lengths(games: Sequence[Played]) -> Lengths:
    whole = [game for game in games if game.faulty is None]
    ended: _Tallies[str] = _Tallies()
    for game in whole:
        ended.add("nobody", game, float(not game.winners))
    return Lengths(
        len(games),
        len({(game.players, game.deal) for game in games}),
        fmean(game.decisions for game in games),
        fmean(game.turns for game in games),
        ended.rates().get("nobody", Rate(0.0, 0.0, 1.0, 0, 0)),
    )


@dataclass(frozen=True)
class ThinkingTime:
    """What a bot spent, of the games in which its time was taken."""

    decisions: float
    """For each seat it held in a game."""
    seconds: float
    """For each decision."""
    slowest: float


def efforts(run: Run) -> dict[str, ThinkingTime]:
    """What each bot spent; bots whose time was not taken are left out."""
    seats = {game.number: game.seats for game in run.games}
    found: dict[str, ThinkingTime] = {}
    for bot in run.bots:
        own = [one for one in run.spent if seats[one.number][one.seat] == bot]
        decisions = sum(one.decisions for one in own)
        if decisions:
            found[bot] = ThinkingTime(
                decisions / len(own),
                sum(one.seconds for one in own) / decisions,
                max(one.slowest for one in own),
            )
    return found


def faults(run: Run) -> dict[str, int]:
    """How often each bot broke down."""
    broken = [game.seats[game.faulty] for game in run.games if game.faulty is not None]
    return {bot: broken.count(bot) for bot in run.bots}
