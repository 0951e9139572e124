"""The schedule: which bots sit where in which deal, as a function of the config and earlier rounds.

A *line-up* is who sits at a table, a *deal* the luck of one game, a *rotation* the same people and
luck with everybody moved on by some seats. Every deal belongs to one line-up and is played in all
rotations, so every bot has every seat and every hand of the deal as often as it sits at the table.
From deal to deal the order around the table changes, through all circular orders in turn.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb, factorial, fsum, gcd
from typing import NamedTuple

from arena.league.config import League
from arena.seeds import derive_seed
from arena.stats.game_record import Played
from games.state import Rng

LineUp = tuple[int, ...]
"""Bots at one table by their place in the config; a bot may be there more than once."""


class GameKey(NamedTuple):
    """One game of a league: all that has to be said for it to be played."""

    number: int
    """Its place in the schedule, from 0."""
    players: int
    deal: int
    """The deal's number in the league; games of one deal share line-up and luck."""
    seed: int
    """What the deal's luck, and that of the bot in each seat, is derived from."""
    seats: LineUp


# ---- line-ups ---------------------------------------------------------------------------------


@cache
def line_ups(bots: int, seats: int, most: int, seed: int) -> tuple[LineUp, ...]:
    """Who sits together: every choice of bots, or about `most` of them that treat all alike.

    With fewer bots than seats all sit there equally often, and every choice of bots for the seats
    left over is a line-up of its own. So each bot has the same number of seats over all line-ups.
    """
    copies, left = divmod(seats, bots)
    everybody = tuple(range(bots)) * copies
    chosen: Iterable[LineUp] = combinations(range(bots), left)
    if comb(bots, left) > most:
        chosen = balanced(bots, left, most, seed)
    return tuple(tuple(sorted(everybody + some)) for some in chosen)


def balanced(bots: int, size: int, most: int, seed: int) -> list[LineUp]:
    """Groups in which every bot is equally often, and any two about equally often together.

    As many as fit under `most`, but at least as many as it takes to have every bot equally often.
    Each group is filled with those who have sat least, then with those who have met its members
    least; luck breaks ties.
    """
    step = bots // gcd(bots, size)
    rng = Rng(derive_seed(seed, "line-ups", bots, size))
    sat = Counter[int]()
    met = Counter[tuple[int, int]]()
    groups: list[LineUp] = []
    for _ in range(max(1, most // step) * step):
        group: list[int] = []
        while len(group) < size:
            left = [bot for bot in range(bots) if bot not in group]
            known = {bot: sum(met[pair(bot, other)] for other in group) for bot in left}
            least = min((sat[bot], known[bot]) for bot in left)
            group.append(rng.choice([bot for bot in left if (sat[bot], known[bot]) == least]))
        sat.update(group)
        met.update(combinations(sorted(group), 2))
        groups.append(tuple(sorted(group)))
    return groups


def pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def around(line_up: LineUp, turn: int) -> LineUp:
    """The line-up in one of its circular orders: the first stays, the others change with `turn`."""
    left = list(line_up[1:])
    order = [line_up[0]]
    turn %= factorial(len(left))
    while left:
        turn, at = divmod(turn, len(left))
        order.append(left.pop(at))
    return tuple(order)


def rotations(line_up: LineUp) -> Iterator[LineUp]:
    """The same circle, begun at every seat."""
    for first in range(len(line_up)):
        yield line_up[first:] + line_up[:first]


# ---- the games of a round -----------------------------------------------------------------------


def round_count(league: League) -> int:
    """Rounds that depend on the results of the ones before; what is not Swiss has one."""
    return league.rounds if league.format == "swiss" else 1


def game_count(league: League) -> int:
    """Games of the whole league."""
    return games_per_round(league) * round_count(league)


def games_per_round(league: League) -> int:
    return league.deals * sum(count * table_count(league, count) for count in league.players)


def table_count(league: League, players: int) -> int:
    """Line-ups of a round at one player count."""
    if league.format == "swiss":
        return max(1, len(league.bots) // players)
    return len(fixed_line_ups(league, players))


def round_tables(
    league: League, players: int, number: int, before: Sequence[Played]
) -> list[LineUp]:
    """The line-ups of a round at one player count."""
    if league.format == "swiss":
        at_count = [played for played in before if played.players == players]
        return swiss_tables(league, players, number, at_count)
    return fixed_line_ups(league, players)


def fixed_line_ups(league: League, players: int) -> list[LineUp]:
    """The line-ups of a round robin, or of a gauntlet that the first bot runs."""
    if league.format == "gauntlet":
        field = line_ups(len(league.bots) - 1, players - 1, league.lineups, league.seed)
        return [(0, *(bot + 1 for bot in others)) for others in field]
    return list(line_ups(len(league.bots), players, league.lineups, league.seed))


def games_of_round(league: League, number: int, earlier: Sequence[Played]) -> Iterator[GameKey]:
    """The games of one round, from 0; of `earlier` games only those of the rounds before count.

    Deal by deal, so that a league that is stopped half way has treated all bots alike.
    """
    game = number * games_per_round(league)
    before = [played for played in earlier if played.number < game]
    tables = {players: round_tables(league, players, number, before) for players in league.players}
    deal = number * league.deals * sum(len(found) for found in tables.values())
    for turn in range(league.deals):
        for players, found in tables.items():
            for place, line_up in enumerate(found):
                seed = derive_seed(league.seed, "league", number, players, place, turn) >> 8
                for seats in rotations(around(line_up, turn)):
                    yield GameKey(game, players, deal, seed, seats)
                    game += 1
                deal += 1


def digest(league: League) -> str:
    """Stands for everything about the schedule that the config alone decides."""
    summary = hashlib.sha256()
    for key in games_of_round(league, 0, ()):
        summary.update(repr(tuple(key)).encode())
    return summary.hexdigest()


# ---- Swiss --------------------------------------------------------------------------------------


def swiss_tables(
    league: League, players: int, number: int, earlier: Sequence[Played]
) -> list[LineUp]:
    """Bots of like standing that have met least, table by table from the top.

    Bots that do not fill a table sit out, those first who have sat out least and stand lowest.
    Where even one table cannot be filled, copies fill it as in a round robin.
    """
    bots = len(league.bots)
    if bots < players:
        filled = line_ups(bots, players, league.lineups, league.seed)
        return [filled[number % len(filled)]]
    standing = ranked(league, earlier)
    together = meetings(league, earlier)
    games = Counter(bot for game in earlier for bot in game.seats)
    place = {bot: rank for rank, bot in enumerate(standing)}
    spare = sorted(standing, key=lambda bot: (-games[league.names[bot]], -place[bot]))
    waiting = [bot for bot in standing if bot not in spare[: bots % players]]
    tables: list[LineUp] = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < players:
            known = [sum(together[pair(bot, one)] for one in table) for bot in waiting]
            table.append(waiting.pop(known.index(min(known))))
        tables.append(tuple(sorted(table)))
    return tables


def ranked(league: League, earlier: Sequence[Played]) -> list[int]:
    """Bots by their share of first places per game, best first; the config's order breaks ties."""
    points: dict[str, list[float]] = {name: [] for name in league.names}
    for game in earlier:
        ranks = game.ranks()
        for name, rank in zip(game.seats, ranks, strict=True):
            points[name].append(0.0 if rank else 1 / ranks.count(0))
    shares = [fsum(points[name]) / max(1, len(points[name])) for name in league.names]
    return sorted(range(len(shares)), key=lambda bot: -shares[bot])


def meetings(league: League, earlier: Sequence[Played]) -> Counter[tuple[int, int]]:
    """How many games any two bots have sat in together."""
    place = {name: bot for bot, name in enumerate(league.names)}
    met = Counter[tuple[int, int]]()
    for game in earlier:
        met.update(combinations(sorted({place[name] for name in game.seats}), 2))
    return met
