"""The standings of a run: ratings, strengths and statistics in one object."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any, Final

from arena.stats.game_record import GameRecord
from arena.stats.kept_results import kept
from arena.stats.plackett_luce import Fit, fit
from arena.stats.rank_ranges import rank_ranges
from arena.stats.run import BadResults, Run
from arena.stats.swiss import SwissScore, swiss_scores
from arena.stats.tally import (
    NOTHING,
    Lengths,
    ThinkingTime,
    WinRate,
    duels,
    lengths,
    thinking_times,
    wins,
)
from arena.stats.trueskill_ratings import Ratings, rate_games
from games.registry import game

MANY_GAMES: Final = 5_000
"""Statistics of so many games take seconds, and are kept for the next time."""


@dataclass(frozen=True)
class BotCounts:
    """How much a bot has played, over all player counts shown."""

    games: int
    won: WinRate
    """Of its seats; a bot can have several in one game."""
    fair: float
    """The share that equal bots would win of these seats if somebody always won."""
    faults: int


@dataclass(frozen=True)
class Standings:
    """Ratings, strengths and statistics of a run, at one player count or over all.

    Statistics that only some reports need are computed when they are asked for.
    """

    run: Run
    """Its games are sorted by content, so that sums do not depend on their order."""
    players: int | None
    """None for all player counts together."""
    ratings: Ratings
    ranges: dict[str, tuple[int, int]]
    """Best and worst rank of each bot that played, see `arena/stats/rank_ranges.py`."""
    fit: Fit
    counts: dict[str, BotCounts]

    @property
    def order(self) -> list[str]:
        """The bots by TrueSkill, best first; bots that did not play come last."""
        return sorted(
            self.run.bots,
            key=lambda bot: (bot not in self.ranges, -self.rating(bot), -self.points(bot), bot),
        )

    @property
    def role_word(self) -> str:
        """The game's word for a secret role, like "leader"."""
        return game(self.run.game).role_word

    def rating(self, bot: str) -> float:
        """The mean of the bot's TrueSkill rating, which ranks the bots."""
        return self.ratings.skills[bot].mu

    def points(self, bot: str) -> float:
        """The bot's strength: Elo points above or below the average bot."""
        return round(self.fit.bots[bot].value, 6)

    def disagreements(self) -> list[tuple[str, str]]:
        """Pairs that TrueSkill orders like this, and the fitted strengths the other way round."""
        played = [bot for bot in self.order if bot in self.ranges]
        return [(a, b) for a, b in combinations(played, 2) if self.points(a) < self.points(b)]

    @cached_property
    def wins(self) -> dict[tuple[str, int], WinRate]:
        """By bot and player count."""
        return wins(self.run.games, lambda game, seat: (game.seats[seat], game.players))

    @cached_property
    def places(self) -> dict[tuple[str, int, int], WinRate]:
        """By bot ("" for all), player count and place in turn order."""
        games = self.run.games
        rates = wins(games, lambda game, seat: ("", game.players, game.place(seat)))
        return rates | wins(
            games, lambda game, seat: (game.seats[seat], game.players, game.place(seat))
        )

    @cached_property
    def roles(self) -> dict[tuple[str, int, str], WinRate]:
        """By bot ("" for all), player count and role."""
        games = self.run.games
        rates = wins(games, lambda game, seat: ("", game.players, game.roles[seat]))
        return rates | wins(
            games, lambda game, seat: (game.seats[seat], game.players, game.roles[seat])
        )

    @cached_property
    def duels(self) -> dict[tuple[str, str], WinRate]:
        return duels(self.run.games)

    @cached_property
    def lengths(self) -> dict[int, Lengths]:
        """By player count."""
        return {count: lengths(self.run.at(count).games) for count in self.run.counts()}

    @cached_property
    def efforts(self) -> dict[str, ThinkingTime]:
        return thinking_times(self.run)

    @cached_property
    def swiss(self) -> list[SwissScore]:
        """Best first; empty unless the league is a Swiss one."""
        if not self.run.rounds:
            return []
        strengths = {bot: estimate.value for bot, estimate in self.fit.bots.items()}
        return swiss_scores(self.run.games, self.run.rounds, strengths)


_PARTS: Final = ("ratings", "ranges", "fit", "counts")
_ON_DEMAND: Final = tuple(
    name for name, value in vars(Standings).items() if isinstance(value, cached_property)
)


def standings_of(run: Run, players: int | None = None) -> Standings:
    """Compute the standings at one player count or over all; BadResults if there are no games.

    They depend on which games were played, not on their numbers or their order.
    """
    if not run.games:
        sentences = run.empty_text().replace("\n", " ")
        raise BadResults(sentences[0].lower() + sentences[1:].removesuffix("."))
    shown = run if players is None else run.at(players)
    shown = replace(shown, games=tuple(sorted(shown.games, key=_content)))
    if len(shown.games) < MANY_GAMES:
        return _compute(shown, players)
    facts = (shown.bots, shown.game, sorted(shown.rounds.items()))
    content = chain(facts, map(_content, shown.games), shown.spent)
    statistics = kept(content, lambda: _statistics(_compute(shown, players)))
    standings = Standings(shown, players, **{part: statistics[part] for part in _PARTS})
    vars(standings).update(statistics)  # also those that would be computed on demand
    return standings


def _compute(run: Run, players: int | None) -> Standings:
    bots = sorted(run.bots)
    ratings = rate_games(run.games, bots)
    ranges = rank_ranges(run.games, ratings)
    return Standings(run, players, ratings, ranges, fit(run.games, bots), _counts(run))


def _statistics(standings: Standings) -> dict[str, Any]:
    """All statistics by name: everything but the run itself."""
    return {name: getattr(standings, name) for name in (*_PARTS, *_ON_DEMAND)}


def _content(game: GameRecord) -> tuple[object, ...]:
    """What a game is, apart from its number."""
    faulty = -1 if game.faulty is None else game.faulty
    where = (game.players, game.deal, game.seats, game.roles, game.first)
    return (*where, game.winners, faulty, game.decisions, game.turns)


def _counts(run: Run) -> dict[str, BotCounts]:
    won = wins(run.games, lambda game, seat: game.seats[seat])
    played = Counter(bot for game in run.games for bot in set(game.seats))
    seats = Counter((bot, game.players) for game in run.games for bot in game.seats)
    fair = dict.fromkeys(run.bots, 0.0)
    for (bot, players), count in sorted(seats.items()):
        fair[bot] += count / players
    faults = run.fault_counts()
    return {
        bot: BotCounts(played[bot], rate, fair[bot] / max(1, rate.seen), faults[bot])
        for bot, rate in ((bot, won.get(bot, NOTHING)) for bot in run.bots)
    }
