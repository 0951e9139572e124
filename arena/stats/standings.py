"""The standings of a run: ratings, strengths and statistics in one object."""

from dataclasses import dataclass

from arena.stats.plackett_luce import Fit, fit
from arena.stats.run import BadResults, Run
from arena.stats.tally import Lengths, ThinkingTime, WinRate, duels, lengths, thinking_times, wins
from arena.stats.trueskill_ratings import Ratings, rate_games
from games.registry import game


@dataclass(frozen=True)
class Standings:
    """Ratings, strengths and statistics of a run, at one player count or over all."""

    run: Run
    players: int | None
    """None for all player counts together."""
    ratings: Ratings
    fit: Fit
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
    faults: dict[str, int]

    @property
    def order(self) -> list[str]:
        """The bots, strongest first; bots that did not play come last."""
        played = {bot for bot, _ in self.wins}
        return sorted(self.run.bots, key=lambda bot: (bot not in played, -self.points(bot)))

    @property
    def role_word(self) -> str:
        """The game's word for a secret role, like "leader"."""
        return game(self.run.game).role_word

    def points(self, bot: str) -> float:
        """The bot's strength: Elo points above or below the average bot."""
        return round(self.fit.bots[bot].value, 6)


def standings_of(run: Run, players: int | None = None) -> Standings:
    """Compute the standings at one player count or over all; BadResults if there are no games."""
    if not run.games:
        raise BadResults("no games have been played yet")
    shown = run if players is None else run.at(players)
    games = shown.games
    places = wins(games, lambda game, seat: ("", game.players, game.place(seat)))
    places |= wins(games, lambda game, seat: (game.seats[seat], game.players, game.place(seat)))
    roles = wins(games, lambda game, seat: ("", game.players, game.roles[seat]))
    roles |= wins(games, lambda game, seat: (game.seats[seat], game.players, game.roles[seat]))
    return Standings(
        shown,
        players,
        rate_games(games, run.bots),
        fit(games, run.bots),
        wins(games, lambda game, seat: (game.seats[seat], game.players)),
        places,
        roles,
        duels(games),
        {count: lengths(shown.at(count).games) for count in shown.counts()},
        thinking_times(shown),
        shown.fault_counts(),
    )
