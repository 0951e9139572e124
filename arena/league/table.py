"""The table at the end of a league: seats, wins and faults of every bot at each player count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tabulate import tabulate

from arena.stats.run import Run
from arena.stats.tally import WinRate, wins

HEADERS = ["players", "bot", "seats", "wins", "won, %", "95 %", "fair, %", "faults"]

LEGEND = """\
won, %: share of its seats that the bot won, with the 95 % confidence interval over deals. fair, %:
what equal bots would win. If a bot's fault ends a game, the other seats share the win equally."""


def league_table(run: Run, forfeits: Sequence[tuple[int, str]], counts: Sequence[int]) -> str:
    """The results of a league as text."""
    won = wins(run.games, lambda game, seat: (game.players, game.seats[seat]))
    faults = Counter(
        (game.players, game.seats[game.faulty]) for game in run.games if game.faulty is not None
    )
    nothing = WinRate(0.0, 0.0, 1.0, 0, 0)
    rows = []
    for players in counts:
        rates = {bot: won.get((players, bot), nothing) for bot in run.bots}
        for bot in sorted(run.bots, key=lambda bot: -rates[bot].share):
            rows.append(_row(players, bot, rates[bot], faults[players, bot]))
    align = ("right", "left", *("right" for _ in HEADERS[2:]))
    parts = [tabulate(rows, headers=HEADERS, colalign=align, disable_numparse=True), LEGEND]
    for bot, count in Counter(bot for _, bot in forfeits).items():
        total = sum(faults[players, bot] for players in counts)
        parts.append(
            f"{bot} was disqualified after {total} fault{'s' * (total != 1)}: "
            f"{count} of its games {'was' if count == 1 else 'were'} not played."
        )
    return "\n\n".join(parts)


def _row(players: int, bot: str, rate: WinRate, faults: int) -> list[object]:
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
