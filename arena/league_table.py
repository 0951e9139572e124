"""The table at the end of a league: games, wins and faults of every bot at each player count."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import fmean, variance

from tabulate import tabulate

from arena.intervals import wilson
from arena.record import Played

HEADERS = ["players", "bot", "games", "wins", "wins %", "95 %", "fair %", "faults"]

LEGEND = """\
games: seats the bot has had. wins %: wins per seat, with its 95 % interval; the games of a deal are
one observation. fair %: the share of a seat among equals. A game that a bot's fault ended is won by
the others in equal parts."""


def league_table(
    names: Sequence[str],
    games: Sequence[Played],
    forfeits: Sequence[tuple[int, str]],
    counts: Sequence[int],
) -> str:
    """What came of a league, for a person."""
    rows: list[list[object]] = []
    for players in counts:
        at_count = [game for game in games if game.players == players]
        found = [_row(name, players, at_count) for name in names]
        rows += sorted(found, key=lambda row: -float(str(row[4])))
    align = ("right", "left", *("right" for _ in HEADERS[2:]))
    parts = [tabulate(rows, headers=HEADERS, colalign=align, disable_numparse=True), LEGEND]
    for bot, many in Counter(bot for _, bot in forfeits).items():
        parts.append(f"{bot} broke down too often: {many} games with it were not played.")
    return "\n\n".join(parts)


def _row(name: str, players: int, games: Sequence[Played]) -> list[object]:
    by_deal: dict[int, list[float]] = defaultdict(list)
    faults = 0
    for game in games:
        for seat, share in enumerate(game.shares()):
            if game.seats[seat] == name:
                by_deal[game.deal].append(share)
                faults += seat == game.faulty
    shares = [share for deal in by_deal.values() for share in deal]
    if not shares:
        return [players, name, 0, 0, "0.0", "0.0-100.0", f"{100 / players:.1f}", 0]
    low, high = interval(list(by_deal.values()))
    return [
        players,
        name,
        len(shares),
        f"{sum(shares):g}",
        f"{100 * fmean(shares):.1f}",
        f"{100 * low:.1f}-{100 * high:.1f}",
        f"{100 / players:.1f}",
        faults,
    ]


def interval(deals: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The 95 % interval of a share seen in several deals with several games each.

    The spread between deals says how many independent games they are worth: at least as many as
    there are deals, and no more than there are games.
    """
    shares = [share for deal in deals for share in deal]
    share = fmean(shares)
    worth = float(len(shares))
    if len(deals) > 1 and 0 < share < 1:
        spread = variance([fmean(deal) for deal in deals]) / len(deals)
        if spread:
            worth = min(worth, max(len(deals), share * (1 - share) / spread))
    return wilson(share * worth, worth)
