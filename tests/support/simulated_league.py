"""Simulated leagues: results drawn from known strengths, to test ratings and statistics.

A seat's luck is drawn once per deal and kept while the bots change seats, as in a real league, or
kept only with some probability. Each single game follows the Plackett-Luce model exactly: luck has
a Gumbel distribution, and the largest sum of strength and luck wins. But games of one deal depend
on each other; if luck is always kept, equal bots come out exactly equal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement
from math import log
from random import Random
from typing import Final

from arena.stats.game_record import GameRecord

ROLES: Final = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir")


@dataclass(frozen=True)
class World:
    """The truth in a simulated league; a difference of 1 multiplies the odds of winning by e."""

    strengths: Mapping[str, float]
    places: Sequence[float] = (0.0,) * 6
    """The value of each place in turn order."""
    roles: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(ROLES, 0.0))
    nobody: float | None = None
    """Strength of "nobody wins" relative to the average seat; None if there is always a winner."""
    shared: float = 1.0
    """The probability that a seat's luck in a game is that of its deal."""


def game(
    number: int,
    deal: int,
    seats: str,
    winners: tuple[int, ...],
    faulty: int | None = None,
    first: int = 0,
) -> GameRecord:
    """A game of bots with one-letter names."""
    roles = tuple("xyzuvw"[: len(seats)])
    return GameRecord(number, len(seats), deal, tuple(seats), winners, roles, 10, 5, faulty, first)


def league(world: World, players: int, deals: int, rng: Random) -> list[GameRecord]:
    """Every line-up in every deal, in all rotations."""
    games: list[GameRecord] = []
    for deal in range(deals):
        luck = [gumbel(rng) for _ in range(players + 1)]
        roles = tuple(rng.sample(sorted(world.roles), players))
        first = rng.randrange(players)
        for seats in rotations(line_ups(list(world.strengths), players)):
            record = GameRecord(len(games), players, deal, seats, (), roles, 40, 20, first=first)
            kept = [value if rng.random() < world.shared else gumbel(rng) for value in luck]
            winner = _winner(world, record, kept)
            games.append(replace(record, winners=() if winner is None else (winner,)))
    return games


def line_ups(bots: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Every combination of bots for a table; with fewer bots than seats, copies fill it."""
    if len(bots) >= players:
        return list(combinations(bots, players))
    filled = combinations_with_replacement(bots, players)
    return [table for table in filled if len(set(table)) > 1]


def rotations(tables: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    for table in tables:
        for shift in range(len(table)):
            yield table[shift:] + table[:shift]


def gumbel(rng: Random) -> float:
    return -log(-log(rng.random() or 0.5))


def _winner(world: World, game: GameRecord, luck: Sequence[float]) -> int | None:
    sums = [
        world.strengths[bot] + world.places[game.place(seat)] + world.roles[game.roles[seat]]
        for seat, bot in enumerate(game.seats)
    ]
    scores = [value + chance for value, chance in zip(sums, luck, strict=False)]
    best = max(scores)
    if world.nobody is not None:
        if world.nobody + sum(sums) / len(sums) + luck[-1] > best:
            return None
    return scores.index(best)
