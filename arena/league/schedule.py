"""The schedule of a league: a function of the config, the bots still in it and earlier results.

A *line-up* is the set of bots at a table, a *deal* the random events of a game, a *rotation* the
same line-up and deal with every bot moved on by the same number of seats. Every deal belongs to one
line-up and is played in all rotations, so each bot plays every hand of the deal from every seat.
From deal to deal the order around the table changes, through all circular orders in turn.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb, factorial, fsum, gcd
from typing import Final, NamedTuple

from arena.league.config import League
from arena.seeds import derive_seed
from arena.stats.game_record import GameRecord
from games.state import Rng

LineUp = tuple[int, ...]
"""The bots at a table as indices into the config; a bot may occur more than once."""


class GameKey(NamedTuple):
    """One game of a league: everything a worker needs to play it."""

    number: int
    """Its number in the league."""
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


def rotations(seats: LineUp) -> Iterator[LineUp]:
    """The same circular order, started at every seat; with copies, ABAB is not played twice."""
    for first in range(distinct_rotations(seats)):
        yield seats[first:] + seats[:first]


@cache
def distinct_rotations(seats: LineUp) -> int:
    return len({seats[first:] + seats[:first] for first in range(len(seats))})


# ---- the deals of a round -----------------------------------------------------------------------


OPEN_ENDED: Final = 10**9
"""The number of rounds, or of games, if only the results can tell."""


class ScheduledDeal(NamedTuple):
    """A deal of a line-up, which is played in all rotations of its seats."""

    players: int
    seed: int
    seats: LineUp


def round_count(league: League) -> int:
    """A round of a Swiss league has several deals; in other formats it is one deal of each line-up.

    So a league that is stopped after a round has been fair to all bots.
    """
    if league.until_settled:
        return OPEN_ENDED
    return league.rounds if is_swiss(league) else league.deals


def is_swiss(league: League) -> bool:
    return league.format == "swiss"


def needs_results(league: League) -> bool:
    """Whether a round can only be made when the one before is complete."""
    return is_swiss(league) or league.until_settled


def deals_of_round(
    league: League, active: Sequence[int], number: int, earlier: Sequence[GameRecord]
) -> Iterator[ScheduledDeal]:
    """The deals of one round for the bots that are still in the league.

    `earlier` are the games of all rounds before; only Swiss leagues need them.
    """
    tables = {
        players: round_line_ups(league, active, players, number, earlier)
        for players in league.players
    }
    swiss = is_swiss(league)
    for turn in range(number * league.deals, (number + 1) * league.deals) if swiss else [number]:
        for players, line_ups_at in tables.items():
            for line_up in line_ups_at:
                seats = around(by_name(league, line_up), turn)
                yield ScheduledDeal(players, deal_seed(league, line_up, turn), seats)


def deal_seed(league: League, line_up: LineUp, turn: int) -> int:
    """The seed of a line-up's deal number `turn`; who else is in the league does not matter."""
    names = json.dumps(sorted(league.names[bot] for bot in line_up))
    return derive_seed(league.seed, "deal", len(line_up), names, turn) >> 8


def by_name(league: League, line_up: Iterable[int]) -> LineUp:
    """Sorted by name: the order of the bots in the config does not matter."""
    return tuple(sorted(line_up, key=lambda bot: league.names[bot]))


def round_line_ups(
    league: League,
    active: Sequence[int],
    players: int,
    number: int,
    earlier: Sequence[GameRecord],
) -> list[LineUp]:
    """The tables of one round at one player count."""
    bots = by_name(league, active)
    if len(bots) < min(2, len(league.bots)):
        return []  # nobody is left to play against
    if is_swiss(league):
        at_count = [record for record in earlier if record.players == players]
        return swiss_tables(league, active, players, number, at_count)
    if league.format == "gauntlet":
        field = [bot for bot in bots if bot != 0]
        if 0 not in bots:
            return []
        chosen = line_ups(len(field), players - 1, league.lineups, league.seed)
        return [(0, *(field[place] for place in others)) for others in chosen]
    chosen = line_ups(len(bots), players, league.lineups, league.seed)
    return [tuple(bots[place] for place in group) for group in chosen]


def games_per_round(league: League, active: Sequence[int], number: int = 0) -> int:
    """The games of a round; of a Swiss league, if no table needs copies."""
    if is_swiss(league):
        tables = [players * max(1, len(active) // players) for players in league.players]
        return sum(tables) * league.deals
    deals = deals_of_round(league, active, number, ())
    return sum(distinct_rotations(deal.seats) for deal in deals)


def game_count(league: League, active: Sequence[int] | None = None) -> int:
    """How many games the league has with these bots, by default with all."""
    if league.until_settled:
        return OPEN_ENDED
    bots = range(len(league.bots)) if active is None else active
    rounds = round_count(league)
    if is_swiss(league) or len(bots) >= max(league.players) or rounds == 1:
        return games_per_round(league, bots) * rounds
    # With copies it depends on the circular order, which repeats after so many rounds:
    period = factorial(max(league.players) - 1)
    whole, rest = divmod(rounds, period)
    counts = [games_per_round(league, bots, turn) for turn in range(min(period, rounds))]
    return whole * sum(counts) + sum(counts[:rest])


# ---- Swiss --------------------------------------------------------------------------------------


def swiss_tables(
    league: League,
    active: Sequence[int],
    players: int,
    number: int,
    earlier: Sequence[GameRecord],
) -> list[LineUp]:
    """Tables filled from the top of the standings with bots that have met least.

    Bots that do not fill a table sit out: first those with the most games, then the lowest ranked.
    If not even one table can be filled, copies fill it as in a round robin.
    """
    bots = by_name(league, active)
    if len(bots) < players:
        filled = line_ups(len(bots), players, league.lineups, league.seed)
        return [tuple(bots[place] for place in filled[number % len(filled)])]
    standing = [bot for bot in ranked(league, earlier) if bot in bots]
    numbers = {name: bot for bot, name in enumerate(league.names)}
    seats = [[numbers[name] for name in game.seats] for game in earlier]
    together = Counter(met for bots_at in seats for met in combinations(sorted({*bots_at}), 2))
    games = Counter(bot for bots_at in seats for bot in bots_at)
    spare = sorted(standing, key=lambda bot: (-games[bot], -standing.index(bot)))
    waiting = [bot for bot in standing if bot not in spare[: len(bots) % players]]
    tables: list[LineUp] = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < players:
            known = [sum(together[pair(bot, other)] for other in table) for bot in waiting]
            table.append(waiting.pop(known.index(min(known))))
        tables.append(tuple(sorted(table)))
    return tables


def ranked(league: League, earlier: Sequence[GameRecord]) -> list[int]:
    """Bots by their share of wins, best first; ties are broken by name."""
    points: dict[str, list[float]] = {name: [] for name in league.names}
    for game in earlier:
        ranks = game.ranks()
        for name, rank in zip(game.seats, ranks, strict=True):
            points[name].append(0.0 if rank else 1 / ranks.count(0))
    shares = [fsum(points[name]) / max(1, len(points[name])) for name in league.names]
    return sorted(by_name(league, range(len(shares))), key=lambda bot: -shares[bot])
