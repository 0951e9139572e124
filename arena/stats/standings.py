"""Standings of a run: ratings, strengths and statistics of its games brought together."""

from __future__ import annotations

from dataclasses import dataclass

from arena.stats.plackett_luce import Fit, fit
from arena.stats.run import BadResults, Run
from arena.stats.tally import Lengths, Rate, ThinkingTime, duels, efforts, faults, lengths, wins
from arena.stats.trueskill_ratings import Ratings, rate
from games.registry import game


@dataclass(frozen=True)
class Standings:
    """All there is to say about the games of a run, of one player count or of all."""

    run: Run
    players: int | None
    """None for all player counts together."""
    ratings: Ratings
    fit: Fit
    wins: dict[tuple[str, int], Rate]
    """By bot and player count."""
    places: dict[tuple[str, int, int], Rate]
    """By bot ("" for all), player count and place in turn order."""
    roles: dict[tuple[str, int, str], Rate]
    """By bot ("" for all), player count and role."""
    duels: dict[tuple[str, str], Rate]
    lengths: dict[int, Lengths]
    """By player count."""
    efforts: dict[str, ThinkingTime]
    faults: dict[str, int]

    @property
    def order(self) -> list[str]:
        """The bots, strongest first; those who did not play, last."""
        played = {bot for bot, _ in self.wins}
        return sorted(self.run.bots, key=lambda bot: (bot not in played, -self.points(bot)))

    @property
    def role_word(self) -> str:
        """What the game calls what a seat secretly is."""
        return game(self.run.game).role_word

    def points(self, bot: str) -> float:
        return round(self.fit.bots[bot].value, 6)


def standings(run: Run, players: int | None = None) -> Standings:
    """The standings at one player count or over all; BadResults if no such games were played."""
    if not run.games:
        raise BadResults("no game has been played yet")
    shown = run if players is None else run.at(players)
    games = shown.games
    places = wins(games, lambda game, seat: ("", game.players, game.place(seat)))
    places |= wins(games, lambda game, seat: (game.seats[seat], game.players, game.place(seat)))
    roles = wins(games, lambda game, seat: ("", game.players, game.roles[seat]))
    roles |= wins(games, lambda game, seat: (game.seats[seat], game.players, game.roles[seat]))
    return Standings(
        shown,
        players,
        rate(games, run.bots),
        fit(games, run.bots),
        wins(games, lambda game, seat: (game.seats[seat], game.players)),
        places,
        roles,
        duels(games),
        {count: lengths(shown.at(count).games) for count in shown.counts()},
        efforts(shown),
        faults(shown),
    )
