"""The table at the end of a league: seats, wins and faults of every bot at each player count."""

from collections import Counter
from collections.abc import Sequence

from tabulate import tabulate

from arena.stats.run import Run
from arena.stats.tally import NOTHING, wins

HEADERS = ["players", "bot", "seats", "wins", "won, %", "95 %", "fair, %", "faults"]

LEGEND = """\
won, %: share of its seats that the bot won, with the 95 % confidence interval over deals. fair, %:
what equal bots would win. If a bot's fault ends a game, the other seats share the win equally."""


def league_table(run: Run, notes: Sequence[str] = ()) -> str:
    every = wins(run.games, lambda game, seat: (game.players, game.seats[seat]))
    faults = Counter(
        (game.players, game.seats[game.faulty]) for game in run.games if game.faulty is not None
    )
    rows = []
    for players in run.counts():
        rates = {bot: every.get((players, bot), NOTHING) for bot in run.bots}
        for bot in sorted(run.bots, key=lambda bot: -rates[bot].share):
            rate = rates[bot]
            interval = f"{100 * rate.low:.1f}-{100 * rate.high:.1f}"
            won = [f"{rate.share * rate.seen:.4g}", f"{100 * rate.share:.1f}", interval]
            fair = f"{100 / players:.1f}"
            rows.append([players, bot, rate.seen, *won, fair, faults[players, bot]])
    align = ("right", "left", *("right" for _ in HEADERS[2:]))
    parts = [tabulate(rows, headers=HEADERS, colalign=align, disable_numparse=True), LEGEND]
    return "\n\n".join([*parts, *notes])
