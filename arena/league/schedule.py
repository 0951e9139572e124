"""The schedule of a league: a pure function of the config and the results of earlier rounds.

A *line-up* is the set of bots at a table, a *deal* the random events of a game, a *rotation* the
same line-up and deal with every bot moved on by the same number of seats. Every deal belongs to one
line-up and is played in all rotations, so each bot plays every hand of the deal from every seat.
From deal to deal the order around the table changes, through all circular orders in turn.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb, factorial, fsum, gcd
from typing import NamedTuple

from arena.league.config import League
from arena.seeds import derive_seed
from arena.stats.game_record import GameRecord
from games.state import Rng

LineUp = tuple[int, ...]
"""The bots at a table as indices into the config; a bot may occur more than once."""


class GameKey(NamedTuple):
    """One game of a league: everything a worker needs to play it."""

    number: int
    """Its index in the schedule."""
    players: int
    deal: int
    """The deal's number in the league; games of one deal share line-up and seed."""
    seed: int
    """Seeds the deal and, together with the seat, each bot."""
    seats: LineUp


# ---- line-ups ---------------------------------------------------------------------------------


@cache
def line_ups(bots: int, seats: int, most: int, seed: int) -> tuple[LineUp, ...]:
    """Every combination of bots for a table, or a balanced choice of about `most` of them.

    With fewer bots than seats, every bot sits there equally often, and each combination of bots
    for the remaining seats is a line-up. Over all line-ups, all bots have equally many seats.
    """
    copies, left = divmod(seats, bots)
    everybody = tuple(range(bots)) * copies
    groups: Iterable[LineUp] = combinations(range(bots), left)
    if comb(bots, left) > most:
        groups = balanced(bots, left, most, seed)
    return tuple(tuple(sorted(everybody + group)) for group in groups)


def balanced(bots: int, size: int, most: int, seed: int) -> list[LineUp]:
    """Groups in which all bots occur equally often, and all pairs about equally often.

    The largest possible number up to `most`, but at least as many as it takes for all bots to
    occur equally often. Each group takes the bots with the fewest seats so far, then those that
    have met its members least; ties are broken at random.
    """
    step = bots // gcd(bots, size)
    rng = Rng(derive_seed(seed, "line-ups", bots, size))
    seats = Counter[int]()
    met = Counter[tuple[int, int]]()
    groups: list[LineUp] = []
    for _ in range(max(1, most // step) * step):
        group: list[int] = []
        while len(group) < size:
            left = [bot for bot in range(bots) if bot not in group]
            known = {bot: sum(met[pair(bot, other)] for other in group) for bot in left}
            least = min((seats[bot], known[bot]) for bot in left)
            group.append(rng.choice([bot for bot in left if (seats[bot], known[bot]) == least]))
        seats.update(group)
        met.update(combinations(sorted(group), 2))
        groups.append(tuple(sorted(group)))
    return groups


def pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def around(line_up: LineUp, turn: int) -> LineUp:
    """The line-up in circular order number `turn`: the first bot stays, the others change."""
    left = list(line_up[1:])
    order = [line_up[0]]
    turn %= factorial(len(left))
    while left:
        turn, index = divmod(turn, len(left))
        order.append(left.pop(index))
    return tuple(order)


def rotations(line_up: LineUp) -> Iterator[LineUp]:
    """The same circular order, started at every seat."""
    for first in range(len(line_up)):
        yield line_up[first:] + line_up[:first]


# ---- the games of a round -----------------------------------------------------------------------


def round_count(league: League) -> int:
    """Rounds whose line-ups depend on earlier results; only Swiss leagues have more than one."""
    return league.rounds if league.format == "swiss" else 1


def game_count(league: League) -> int:
    return games_per_round(league) * round_count(league)


def games_per_round(league: League) -> int:
    def tables(players: int) -> int:
        if league.format == "swiss":
            return max(1, len(league.bots) // players)
        return len(fixed_line_ups(league, players))

    return league.deals * sum(players * tables(players) for players in league.players)


def fixed_line_ups(league: League, players: int) -> list[LineUp]:
    """The line-ups of a round robin, or of a gauntlet of the first bot."""
    if league.format == "gauntlet":
        field = line_ups(len(league.bots) - 1, players - 1, league.lineups, league.seed)
        return [(0, *(bot + 1 for bot in others)) for others in field]
    return list(line_ups(len(league.bots), players, league.lineups, league.seed))


def games_of_round(league: League, number: int, earlier: Sequence[GameRecord]) -> Iterator[GameKey]:
    """The games of round `number`; of the `earlier` games only those of previous rounds matter.

    Deal by deal, so that a league that is stopped half way has been fair to all bots.
    """
    game = number * games_per_round(league)
    before = [record for record in earlier if record.number < game]
    tables: dict[int, list[LineUp]] = {}
    for players in league.players:
        if league.format == "swiss":
            at_count = [record for record in before if record.players == players]
            tables[players] = swiss_tables(league, players, number, at_count)
        else:
            tables[players] = fixed_line_ups(league, players)
    deal = number * league.deals * sum(len(table) for table in tables.values())
    for turn in range(league.deals):
        for players, round_line_ups in tables.items():
            for place, line_up in enumerate(round_line_ups):
                seed = derive_seed(league.seed, "league", number, players, place, turn) >> 8
                for seats in rotations(around(line_up, turn)):
                    yield GameKey(game, players, deal, seed, seats)
                    game += 1
                deal += 1


def schedule_digest(league: League) -> str:
    """A hash of all games that follow from the config alone: those of the first round."""
    summary = hashlib.sha256()
    for key in games_of_round(league, 0, ()):
        summary.update(repr(tuple(key)).encode())
    return summary.hexdigest()


# ---- Swiss --------------------------------------------------------------------------------------


def swiss_tables(
    league: League, players: int, number: int, earlier: Sequence[GameRecord]
) -> list[LineUp]:
    """Tables filled from the top of the standings with bots that have met least.

    Bots that do not fill a table sit out: first those with the most games, then the lowest ranked.
    If not even one table can be filled, copies fill it as in a round robin.
    """
    bots = len(league.bots)
    if bots < players:
        filled = line_ups(bots, players, league.lineups, league.seed)
        return [filled[number % len(filled)]]
    standing = ranked(league, earlier)
    numbers = {name: bot for bot, name in enumerate(league.names)}
    seats = [[numbers[name] for name in game.seats] for game in earlier]
    together = Counter(met for bots_at in seats for met in combinations(sorted({*bots_at}), 2))
    games = Counter(bot for bots_at in seats for bot in bots_at)
    spare = sorted(standing, key=lambda bot: (-games[bot], -standing.index(bot)))
    waiting = [bot for bot in standing if bot not in spare[: bots % players]]
    tables: list[LineUp] = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < players:
            known = [sum(together[pair(bot, other)] for other in table) for bot in waiting]
            table.append(waiting.pop(known.index(min(known))))
        tables.append(tuple(sorted(table)))
    return tables


def ranked(league: League, earlier: Sequence[GameRecord]) -> list[int]:
    """Bots by their share of wins, best first; ties are broken by the order in the config."""
    points: dict[str, list[float]] = {name: [] for name in league.names}
    for game in earlier:
        ranks = game.ranks()
        for name, rank in zip(game.seats, ranks, strict=True):
            points[name].append(0.0 if rank else 1 / ranks.count(0))
    shares = [fsum(points[name]) / max(1, len(points[name])) for name in league.names]
    return sorted(range(len(shares)), key=lambda bot: -shares[bot])
