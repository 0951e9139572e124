"""The standing of a Swiss league: rounds, scores and tie-breaks of each bot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from statistics import fmean

from arena.stats.game_record import GameRecord


@dataclass(frozen=True)
class SwissScore:
    """What a bot has scored in the rounds it played."""

    bot: str
    rounds: dict[int, float]
    """Round from 0 -> the share of its seats that the bot won in it."""
    share: float
    """The share of all its seats that the bot won, by which the next round is paired."""
    opponents: float
    """Mean strength of its opponents, in Elo points."""

    @property
    def score(self) -> float:
        """The sum over its rounds."""
        return fsum(self.rounds.values())


def swiss_scores(
    games: Iterable[GameRecord], rounds: Mapping[int, int], strengths: Mapping[str, float]
) -> list[SwissScore]:
    """The scores, best first; ties are broken by share, then by opponents.

    `rounds` maps the number of a game to its round, `strengths` a bot to its Elo points.
    """
    won: dict[str, dict[int, list[float]]] = {}
    opponents: dict[str, list[float]] = {}
    for game in games:
        for bot, share in zip(game.seats, game.shares(), strict=True):
            won.setdefault(bot, {}).setdefault(rounds[game.number], []).append(share)
            others = [strengths[other] for other in game.seats if other != bot]
            opponents.setdefault(bot, []).extend(others)
    scores = [
        SwissScore(
            bot,
            {number: _mean(shares) for number, shares in sorted(by_round.items())},
            _mean([share for shares in by_round.values() for share in shares]),
            _mean(opponents[bot]) if opponents[bot] else 0.0,
        )
        for bot, by_round in won.items()
    ]
    return sorted(scores, key=lambda s: (-s.score, -s.share, -s.opponents, s.bot))


def _mean(values: list[float]) -> float:
    """Rounded, so that equal scores are equal whatever they were summed from."""
    return round(fmean(sorted(values)), 9)
