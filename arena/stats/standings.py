"""The standings of a run: ratings, strengths and statistics in one object."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from arena.stats.game_record import GameRecord
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


@dataclass(frozen=True)
class BotCounts:
    """How much a bot has played, over all player counts shown."""

    games: int
    won: WinRate
    """Of its seats; a bot can have several in one game."""
    fair: float
    """The share that equal bots would win of these seats."""
    faults: int


@dataclass(frozen=True)
class Standings:
    """Ratings, strengths and statistics of a run, at one player count or over all."""

    run: Run
    players: int | None
    """None for all player counts together."""
    ratings: Ratings
    ranges: dict[str, tuple[int, int]]
    """Best and worst rank of each bot that played, see `arena/stats/rank_ranges.py`."""
    fit: Fit
    counts: dict[str, BotCounts]
    wins: dict[tuple[str, int], WinRate]
    """By bot and player count."""
    places: dict[tuple[str, int, int], WinRate]
    """By bot ("" for all), player count and place in turn order."""
    roles: dict[tuple[str, int, str], WinRate]
    """By bot ("" for all), player count and role."""
    duels: dict[tuple[str, str], WinRate]
    lengths: dict[int, Lengths]
    """By player count."""
    efforts: dict[str, ThinkingTime]
    swiss: list[SwissScore]
    """Best first; empty unless the league is a Swiss one."""

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


def standings_of(run: Run, players: int | None = None) -> Standings:
    """Compute the standings at one player count or over all; BadResults if there are no games.

    They depend on which games were played, not on their numbers or their order.
    """
    if not run.games:
        raise BadResults("no games have been played yet")
    shown = run if players is None else run.at(players)
    games = sorted(shown.games, key=_content)
    bots = sorted(run.bots)
    places = wins(games, lambda game, seat: ("", game.players, game.place(seat)))
    places |= wins(games, lambda game, seat: (game.seats[seat], game.players, game.place(seat)))
    roles = wins(games, lambda game, seat: ("", game.players, game.roles[seat]))
    roles |= wins(games, lambda game, seat: (game.seats[seat], game.players, game.roles[seat]))
    ratings = rate_games(games, bots)
    fitted = fit(games, bots)
    strengths = {bot: estimate.value for bot, estimate in fitted.bots.items()}
    return Standings(
        shown,
        players,
        ratings,
        rank_ranges(games, ratings),
        fitted,
        _counts(shown, games),
        wins(games, lambda game, seat: (game.seats[seat], game.players)),
        places,
        roles,
        duels(games),
        {count: lengths([g for g in games if g.players == count]) for count in shown.counts()},
        thinking_times(shown),
        swiss_scores(games, run.rounds, strengths) if run.rounds else [],
    )


def _content(game: GameRecord) -> tuple[object, ...]:
    """What a game is apart from its number: sums over games are made in one order."""
    faulty = -1 if game.faulty is None else game.faulty
    where = (game.players, game.deal, game.seats, game.roles, game.first)
    return (*where, game.winners, faulty, game.decisions, game.turns)


def _counts(run: Run, games: list[GameRecord]) -> dict[str, BotCounts]:
    won = wins(games, lambda game, seat: game.seats[seat])
    played = Counter(bot for game in games for bot in set(game.seats))
    seats = Counter((bot, game.players) for game in games for bot in game.seats)
    fair = dict.fromkeys(run.bots, 0.0)
    for (bot, players), count in sorted(seats.items()):
        fair[bot] += count / players
    faults = run.fault_counts()
    return {
        bot: BotCounts(played[bot], rate, fair[bot] / max(1, rate.seen), faults[bot])
        for bot, rate in ((bot, won.get(bot, NOTHING)) for bot in run.bots)
    }
