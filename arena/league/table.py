"""The table at the end of a league: games, wins and faults of every bot at each player count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tabulate import tabulate

from arena.stats.run import Run
from arena.stats.tally import Rate, wins

HEADERS = ["players", "bot", "games", "wins", "won, %", "95 %", "fair, %", "faults"]

LEGEND = """\
games: seats the bot has had. won, %: of those seats, with the 95 % interval over deals. fair, %:
the share of a seat among equals. A game that a bot's fault ended is won by the others in equal
parts."""


def league_table(run: Run, forfeits: Sequence[tuple[int, str]], counts: Sequence[int]) -> str:
    """What came of a league, for a person."""
    won = wins(run.games, lambda game, seat: (game.players, game.seats[seat]))
    faults = Counter(
        (game.players, game.seats[game.faulty]) for game in run.games if game.faulty is not None
    )
    nothing = Rate(0.0, 0.0, 1.0, 0, 0)
    rows = []
    for players in counts:
        rates = {bot: won.get((players, bot), nothing) for bot in run.bots}
        for bot in sorted(run.bots, key=lambda bot: -rates[bot].share):
            rows.append(_row(players, bot, rates[bot], faults[players, bot]))
    align = ("right", "left", *("right" for _ in HEADERS[2:]))
    parts = [tabulate(rows, headers=HEADERS, colalign=align, disable_numparse=True), LEGEND]
    for bot, many in Counter(bot for _, bot in forfeits).items():
        parts.append(f"{bot} broke down too often: {many} games with it were not played.")
    return "\n\n".join(parts)


def _row(players: int, bot: str, rate: Rate, faults: int) -> list[object]:
    return [
        players,
        bot,
        rate.seen,
        f"{rate.share * rate.seen:.4g}",
        f"{100 * rate.share:.1f}",
        f"{100 * rate.low:.1f}-{100 * rate.high:.1f}",
        f"{100 / players:.1f}",
        faults,
    ]
