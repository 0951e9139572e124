"""TrueSkill ratings of the bots of a league, by the package `trueskill`.

Every choice that the package leaves open is made here:

* Bots do not learn between games, so ratings do not drift (`tau=0`). Games are rated in the order
  of the schedule, whatever order they were finished in.
* Who won is first, the others tie behind; if nobody won, all tie; a bot that broke down is last and
  the others tie before it (`Played.ranks`).
* How often equals tie is estimated for each player count from the games themselves: the share of
  pairs of seats, held by different bots, that tied, after adding one pair that did and one that did
  not. At six players most pairs tie, both having lost, and a tie then says little; a fixed
  probability would read too much into it.
* A bot in several seats is looked at once for every way to pick one seat for each bot, every time
  from the ratings before the game; its new rating is the mean over these looks. So a bot gains
  nothing from the better chance that one of its copies wins, and copies are never compared with
  each other. A table of copies of one bot changes nothing.
* The package treats those who tie a little differently by the order in which they are handed over.
  It is alphabetical, turned by one place from game to game, so that it favours nobody.
* A result too unlikely for floating-point numbers is rated with mpmath, as the package advises.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from statistics import fmean
from typing import Any

import trueskill

from arena.stats.game_record import Played, Rated
from arena.stats.intervals import Z_95

DIGITS = 6
"""Behind the point, of ratings that are written down: beyond them machines may differ."""


@dataclass(frozen=True)
class Skill:
    """A bot's rating: a bell curve of what it may be worth."""

    mu: float = trueskill.MU
    sigma: float = trueskill.SIGMA

    @property
    def spread(self) -> float:
        """The rating is within mu plus or minus this with 95 %, as far as the model is right."""
        return Z_95 * self.sigma


@dataclass(frozen=True)
class Ratings:
    """What became of the bots."""

    skills: dict[str, Skill]
    ties: dict[int, float]
    """Player count -> how likely a tie between equals was taken to be."""


def rate(games: Sequence[Played], bots: Iterable[str]) -> Ratings:
    """The ratings after these games; bots that played none keep the one all begin with."""
    skills = dict.fromkeys(bots, Skill())
    ties = {players: tie_probability(games, players) for players in {g.players for g in games}}
    for game in sorted(games, key=lambda game: game.number):
        skills.update(rate_game(game, skills, ties[game.players]))
    return Ratings(skills, ties)


def rated(games: Sequence[Played], bots: Sequence[str]) -> list[Rated]:
    """The ratings of all games together (players 0) and of each player count, by name."""
    counts = sorted({game.players for game in games})
    found = []
    for players in (0, *counts):
        some = [game for game in games if players in (0, game.players)]
        for bot, skill in sorted(rate(some, bots).skills.items()):
            mu, sigma = round(skill.mu, DIGITS), round(skill.sigma, DIGITS)
            found.append(Rated(players, bot, mu, sigma))
    return found


def seats_by_bot(game: Played) -> dict[str, list[int]]:
    """The seats of every bot at the table, bots in the order of their first seat."""
    seats: dict[str, list[int]] = {}
    for seat, bot in enumerate(game.seats):
        seats.setdefault(bot, []).append(seat)
    return seats


def tie_probability(games: Iterable[Played], players: int) -> float:
    """How often two seats of different bots tie at that player count; never quite 0 or 1."""
    tied, pairs = 1, 2
    for game in games:
        if game.players == players:
            ranks = game.ranks()
            for one, other in combinations(range(players), 2):
                if game.seats[one] != game.seats[other]:
                    tied += ranks[one] == ranks[other]
                    pairs += 1
    return tied / pairs


def rate_game(game: Played, skills: Mapping[str, Skill], ties: float) -> dict[str, Skill]:
    """The ratings of the bots at the table after the game; none if they are copies of one."""
    seats = seats_by_bot(game)
    if len(seats) == 1:
        return {}
    # The package is not quite even-handed among those who tie: it goes by the order they come in.
    turn = game.number % len(seats)
    bots = sorted(seats)[turn:] + sorted(seats)[:turn]
    before = [skills[bot] for bot in bots]
    ranks = game.ranks()
    known: dict[tuple[int, ...], list[Skill]] = {}
    looks = []
    for pick in product(*(seats[bot] for bot in bots)):
        places = tuple(ranks[seat] for seat in pick)
        if places not in known:
            known[places] = _rate(before, places, ties)
        looks.append(known[places])
    return {
        bot: Skill(fmean(look[i].mu for look in looks), fmean(look[i].sigma for look in looks))
        for i, bot in enumerate(bots)
    }


def _rate(before: Sequence[Skill], ranks: Sequence[int], ties: float) -> list[Skill]:
    groups = [(trueskill.Rating(skill.mu, skill.sigma),) for skill in before]
    try:
        after = _world(ties).rate(groups, ranks=ranks)
    except FloatingPointError:
        after = _world(ties, "mpmath").rate(groups, ranks=ranks)
    return [Skill(rating.mu, rating.sigma) for (rating,) in after]


@cache
def _world(ties: float, backend: str | None = None) -> Any:  # the package has no types
    return trueskill.TrueSkill(tau=0.0, draw_probability=ties, backend=backend)
