"""TrueSkill ratings of the bots of a league, computed by the package `trueskill`.

The package leaves these choices open:

* Bots do not learn between games, so ratings do not drift (`tau=0`). Games are rated in schedule
  order, no matter when they finished.
* Winners are first and the others tie behind them; if nobody won, all tie; a bot whose fault ended
  the game is last and the others tie before it (`GameRecord.ranks`).
* The draw probability is estimated for each player count from the games: the share of pairs of
  seats of different bots that tied, after adding one pair that tied and one that did not. At six
  players most pairs tie because both lost, which says little; a fixed probability would read too
  much into it.
* If a bot has several seats, the game is rated once for every way to pick one seat per bot, each
  time from the ratings before the game, and the new rating is the mean. So a bot gains nothing from
  copies, and copies are never compared with each other. A table of copies of one bot changes
  nothing.
* Among tied bots, the package's result depends slightly on their order. The order is alphabetical,
  rotated by one place from game to game, so that it favours no bot.
* A result too unlikely for floating-point numbers is rated with mpmath, as the package recommends.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from statistics import fmean
from typing import Any

import trueskill

from arena.stats.game_record import GameRecord, Rating
from arena.stats.intervals import Z_95

DIGITS = 6  # decimal places of saved ratings; further ones may differ between machines


@dataclass(frozen=True)
class Skill:
    """A bot's rating: a normal distribution of its skill."""

    mu: float = trueskill.MU
    sigma: float = trueskill.SIGMA

    @property
    def spread(self) -> float:
        """Half the width of the 95 % interval around mu, if the model holds."""
        return Z_95 * self.sigma


@dataclass(frozen=True)
class Ratings:
    """The ratings after some games."""

    skills: dict[str, Skill]
    ties: dict[int, float]
    """Player count -> the draw probability that was used."""


def rate_games(games: Sequence[GameRecord], bots: Iterable[str]) -> Ratings:
    """The ratings after these games; bots that played none keep the initial rating."""
    skills = dict.fromkeys(bots, Skill())
    ties = {players: tie_probability(games, players) for players in {g.players for g in games}}
    for game in sorted(games, key=lambda game: game.number):
        skills.update(rate_game(game, skills, ties[game.players]))
    return Ratings(skills, ties)


def all_ratings(games: Sequence[GameRecord], bots: Sequence[str]) -> list[Rating]:
    """The ratings over all games (players 0) and at each player count, sorted by name."""
    counts = sorted({game.players for game in games})
    ratings = []
    for players in (0, *counts):
        selected = [game for game in games if players in (0, game.players)]
        for bot, skill in sorted(rate_games(selected, bots).skills.items()):
            mu, sigma = round(skill.mu, DIGITS), round(skill.sigma, DIGITS)
            ratings.append(Rating(players, bot, mu, sigma))
    return ratings


def tie_probability(games: Iterable[GameRecord], players: int) -> float:
    """The estimated probability that seats of different bots tie; never exactly 0 or 1."""
    tied, pairs = 1, 2
    for game in games:
        if game.players == players:
            ranks = game.ranks()
            for a, b in combinations(range(players), 2):
                if game.seats[a] != game.seats[b]:
                    tied += ranks[a] == ranks[b]
                    pairs += 1
    return tied / pairs


def rate_game(game: GameRecord, skills: Mapping[str, Skill], ties: float) -> dict[str, Skill]:
    """The ratings of the bots at the table after the game; empty if all are copies of one bot."""
    seats: dict[str, list[int]] = {}
    for seat, bot in enumerate(game.seats):
        seats.setdefault(bot, []).append(seat)
    if len(seats) == 1:
        return {}
    # Among tied bots, the package's result depends slightly on their order.
    turn = game.number % len(seats)
    bots = sorted(seats)[turn:] + sorted(seats)[:turn]
    before = [skills[bot] for bot in bots]
    ranks = game.ranks()
    known: dict[tuple[int, ...], list[Skill]] = {}
    variants = []
    for pick in product(*(seats[bot] for bot in bots)):
        places = tuple(ranks[seat] for seat in pick)
        if places not in known:
            known[places] = _rate(before, places, ties)
        variants.append(known[places])
    return {
        bot: Skill(fmean(v[i].mu for v in variants), fmean(v[i].sigma for v in variants))
        for i, bot in enumerate(bots)
    }


def _rate(before: Sequence[Skill], ranks: Sequence[int], ties: float) -> list[Skill]:
    groups = [(trueskill.Rating(skill.mu, skill.sigma),) for skill in before]
    try:
        after = _environment(ties).rate(groups, ranks=ranks)
    except FloatingPointError:
        after = _environment(ties, "mpmath").rate(groups, ranks=ranks)
    return [Skill(rating.mu, rating.sigma) for (rating,) in after]


@cache
def _environment(ties: float, backend: str | None = None) -> Any:  # the package is untyped
    return trueskill.TrueSkill(tau=0.0, draw_probability=ties, backend=backend)
