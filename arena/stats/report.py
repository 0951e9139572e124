"""Standings as text tables, Markdown, JSON and CSV, with legends that explain every number."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isfinite
from textwrap import fill
from typing import Any

from tabulate import tabulate

from arena.stats.plackett_luce import SAMPLES, Estimate
from arena.stats.standings import Standings
from arena.stats.tally import WinRate

_STRENGTH = (
    "Strength: points above or below the average bot, on the Elo scale (+400 = 10:1 odds), fitted "
    "to all games at once and corrected for turn order and {role}s. In brackets: 95 % confidence "
    "interval, from a bootstrap over deals."
)
_TRUESKILL = (
    "TrueSkill: mean and plus-minus 1.96 standard deviations of the rating (start 25, no drift, "
    "games in schedule order). It assumes that games are independent, so trust the brackets of the "
    "strength more than its plus-minus."
)
_WON = (
    "Won, %: of the bot's seats; equal bots would each win 1/players, less where nobody wins. In "
    "brackets: 95 % confidence interval over deals."
)
_CROSS = (
    "How often the bot on the left ranked above the bot at the top in games with both, ties left "
    "out. In brackets: 95 % confidence interval over deals. 50 is even."
)
_SUPERIOR = (
    f"Share of {SAMPLES:,} bootstrap samples of the deals in which the bot on the left is stronger "
    "than the bot at the top. Near 0 or 100 is settled, near 50 is open."
)
_TERMS = (
    "Points: the value of the place or {role} relative to the average one, corrected for the bots' "
    "strengths (95 % bootstrap interval). Below: seats won in %, with the 95 % confidence interval "
    "over deals."
)
_TIMES = (
    "Decisions: per seat and game. Milliseconds: mean per decision, and the slowest decision. "
    "Faults: games lost by a fault."
)


# ---- tables -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReportTable:
    """A table with a title and a legend."""

    title: str
    headers: list[str]
    rows: list[list[str]]
    legend: str = ""

    def text(self) -> str:
        align = ["left" if name in ("", "bot") else "right" for name in self.headers]
        body = tabulate(self.rows, self.headers, disable_numparse=True, colalign=align)
        return "\n".join(filter(None, (self.title, body, fill(self.legend, 100))))

    def markdown(self) -> str:
        body = tabulate(self.rows, self.headers, tablefmt="github", disable_numparse=True)
        return "\n\n".join(filter(None, (f"## {self.title}", body, self.legend)))


def tables(standings: Standings) -> list[ReportTable]:
    """All tables; at a single player count, with the places and roles of every bot."""
    fit = standings.fit
    superior = {pair: f"{100 * chance:.1f}" for pair, chance in fit.superior.items()}
    cross = {pair: percent(rate) for pair, rate in standings.duels.items()}
    places = {place: f"{ordinal(place)} to move" for place in range(max(standings.lengths))}
    roles = {role: role for role in sorted({role for _, role in fit.roles})}
    return [
        _main(standings),
        _pairs(standings, "Chance of superiority, %", _SUPERIOR, superior),
        _pairs(standings, "Cross table, % ahead", _CROSS, cross),
        _terms(standings, "Turn order", places, fit.places, standings.places),
        _terms(
            standings, f"{standings.role_word.capitalize()}s", roles, fit.roles, standings.roles
        ),
        _lengths(standings),
        _times(standings),
    ]


def _main(standings: Standings) -> ReportTable:
    counts = list(standings.lengths)
    rows = []
    for place, bot in enumerate(standings.order, 1):
        skill = standings.ratings.skills[bot]
        strength, rating = points(standings.fit.bots[bot]), f"{skill.mu:.1f} ±{skill.spread:.1f}"
        won = [percent(standings.wins.get((bot, count))) for count in counts]
        rows.append([str(place), bot, strength, rating, *won])
    games = sum(length.games for length in standings.lengths.values())
    deals = sum(length.deals for length in standings.lengths.values())
    at = "all player counts" if standings.players is None else f"{standings.players} players"
    headers = ["", "bot", "strength", "TrueSkill", *(f"won at {count}, %" for count in counts)]
    title = f"Standings, {at}: {games:,} games, {deals:,} deals"
    legend = f"{_STRENGTH.format(role=standings.role_word)} {_TRUESKILL} {_WON}"
    return ReportTable(title, headers, rows, legend)


def _pairs(
    standings: Standings, title: str, legend: str, cells: Mapping[tuple[str, str], str]
) -> ReportTable:
    order = standings.order
    rows = [[bot, *(cells.get((bot, other), "") for other in order)] for bot in order]
    return ReportTable(title, ["", *order], rows, legend)


def _terms(
    standings: Standings,
    title: str,
    names: Mapping[Any, str],
    terms: Mapping[Any, Estimate],
    rates: Mapping[Any, WinRate],
) -> ReportTable:
    """For each player count the value of places or roles, and how often all bots won with them.

    At a single player count, also how often each bot did. `names` is what the columns are called.
    """
    rows = []
    for count in standings.lengths:
        rows.append([f"{count} players, points", *(points(terms.get((count, k))) for k in names)])
        for bot in ["", *([] if standings.players is None else standings.order)]:
            cells = [percent(rates.get((bot, count, key))) for key in names]
            rows.append([f"{bot or 'all bots'}, won %", *cells])
    legend = _TERMS.format(role=standings.role_word)
    return ReportTable(title, ["", *names.values()], rows, legend)


def _lengths(standings: Standings) -> ReportTable:
    rows = [
        [
            f"{count} players",
            f"{length.games:,}",
            f"{length.deals:,}",
            f"{length.decisions:.1f}",
            f"{length.turns:.1f}",
            percent(length.nobody),
        ]
        for count, length in standings.lengths.items()
    ]
    headers = ["", "games", "deals", "decisions", "turns", "nobody won, %"]
    return ReportTable("Mean length of games", headers, rows)


def _times(standings: Standings) -> ReportTable:
    rows = []
    for bot in standings.order:
        cells = ["", "", ""]
        if time := standings.efforts.get(bot):
            cells = [f"{time.decisions:.1f}"]
            cells += [f"{1000 * seconds:.2f}" for seconds in (time.seconds, time.slowest)]
        rows.append([bot, *cells, str(standings.faults[bot])])
    headers = ["", "decisions", "ms/decision", "slowest, ms", "faults"]
    return ReportTable("Thinking time and faults", headers, rows, _TIMES)


def percent(rate: WinRate | None) -> str:
    if rate is None or not rate.seen:
        return ""
    return f"{100 * rate.share:.1f} ({100 * rate.low:.1f}-{100 * rate.high:.1f})"


def points(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    value, low, high = (f"{v:+.0f}" if isfinite(v) else "?" for v in vars(estimate).values())
    return f"{value} ({low} to {high})"


def ordinal(place: int) -> str:
    """`1st` for place 0, `2nd` for place 1, and so on."""
    return f"{place + 1}{ {0: 'st', 1: 'nd', 2: 'rd'}.get(place, 'th') }"


# ---- for programs -------------------------------------------------------------------------------


def standings_json(standings: Standings) -> dict[str, object]:
    role = standings.role_word
    return {
        "format": "arena-standings",
        "version": 1,
        "players": standings.players,
        "lengths": {
            str(count): {**vars(length), "nobody": _rate(length.nobody)}
            for count, length in standings.lengths.items()
        },
        "draw_probability": {str(count): ties for count, ties in standings.ratings.ties.items()},
        "standings": [_bot_as_json(standings, bot) for bot in standings.order],
        "superior": _nested(standings.fit.superior, lambda chance: chance),
        "cross": _nested(standings.duels, _rate),
        "turn_order": _nested(standings.fit.places, _estimate),
        f"{role}s": _nested(standings.fit.roles, _estimate),
        "won_by_turn_order": _nested(standings.places, _rate),
        f"won_by_{role}": _nested(standings.roles, _rate),
        "legend": {
            "strength": _STRENGTH.format(role=role),
            "trueskill": _TRUESKILL,
            "won": _WON,
            "superior": _SUPERIOR,
            "cross": _CROSS,
            f"turn_order, {role}s": _TERMS.format(role=role),
            "won_by_...": f'by bot ("" for all), player count, and place (from 0) or {role}',
        },
    }


def _bot_as_json(standings: Standings, bot: str) -> dict[str, object]:
    skill = standings.ratings.skills[bot]
    time = standings.efforts.get(bot)
    won = {str(n): _rate(rate) for (name, n), rate in standings.wins.items() if name == bot}
    return {
        "bot": bot,
        "strength": _estimate(standings.fit.bots[bot]),
        "trueskill": {"mu": skill.mu, "sigma": skill.sigma},
        "won": won,
        "effort": None if time is None else vars(time),
        "faults": standings.faults[bot],
    }


def _rate(rate: WinRate) -> dict[str, float]:
    return {name: round(value, 6) for name, value in vars(rate).items()}


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {k: round(v, 3) if isfinite(v) else None for k, v in vars(estimate).items()}


def _nested(values: Mapping[Any, Any], convert: Callable[[Any], object]) -> dict[str, Any]:
    """Turn tuples as keys into nested objects."""
    outer: dict[str, Any] = {}
    for parts, value in values.items():
        inner = outer
        for part in parts[:-1]:
            inner = inner.setdefault(str(part), {})
        inner[str(parts[-1])] = convert(value)
    return outer


def standings_csv(every: Sequence[Standings]) -> str:
    """A line for each bot and player count ("all" for all together), with unrounded numbers."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = "players place bot strength strength_low strength_high mu sigma seats won won_low"
    names += " won_high faults decisions seconds_per_decision slowest"
    writer.writerow(names.split())
    for standings in every:
        for place, bot in enumerate(standings.order, 1):
            strength, skill = standings.fit.bots[bot], standings.ratings.skills[bot]
            won = standings.wins.get((bot, standings.players or 0))
            time = standings.efforts.get(bot)
            row: list[object] = [standings.players or "all", place, bot]
            row += [value if isfinite(value) else "" for value in vars(strength).values()]
            row += [skill.mu, skill.sigma]
            row += [""] * 4 if won is None else [won.seen, won.share, won.low, won.high]
            row += [standings.faults[bot]]
            row += [""] * 3 if time is None else vars(time).values()
            writer.writerow(row)
    return text.getvalue()
