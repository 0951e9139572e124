"""Leagues that nobody played: results drawn from known strengths, to test what is made of them.

A seat's luck is drawn once for a deal and kept while the bots change seats, as in a real league, or
kept only so often. Every game by itself follows the choice model of `arena.stats.plackett_luce` exactly: luck has
Gumbel's distribution, and the largest sum of strength and luck wins. But games of one deal depend
on each other; if luck is always kept, equal bots come out exactly equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from math import log
from random import Random
from typing import Final

from arena.stats.game_record import Played

ROLES: Final = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir")


@dataclass(frozen=True)
class World:
    """What is true in a simulated league; a difference of 1 multiplies the odds to win by e."""

    strengths: Mapping[str, float]
    places: Sequence[float] = (0.0,) * 6
    """What a place in turn order is worth, the one that begins first."""
    roles: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(ROLES, 0.0))
    nobody: float | None = None
    """How strong "nobody wins" is beside a table's average seat; None if somebody always wins."""
    shared: float = 1.0
    """How often a seat's luck in a game is that of its deal, and not of this game alone."""


def league(world: World, players: int, deals: int, rng: Random) -> list[Played]:
    """Every line-up of every deal, seats rotated."""
    games: list[Played] = []
    for deal in range(deals):
        luck = [gumbel(rng) for _ in range(players + 1)]
        roles = tuple(rng.sample(sorted(world.roles), players))
        first = rng.randrange(players)
        for seats in rotations(line_ups(list(world.strengths), players)):
            game = Played(len(games), players, deal, seats, (), roles, 40, 20, first=first)
            kept = [one if rng.random() < world.shared else gumbel(rng) for one in luck]
            winner = _winner(world, game, kept)
            winners = () if winner is None else (winner,)
            games.append(Played(**{**vars(game), "winners": winners}))
    return games


def line_ups(bots: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Every choice of bots for a table; with fewer bots than seats, copies fill it."""
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


def _winner(world: World, game: Played, luck: Sequence[float]) -> int | None:
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
