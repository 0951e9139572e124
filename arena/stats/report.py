"""Standings as tables for people, and as JSON and CSV for programs; every number is explained."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isfinite
from textwrap import fill
from typing import Any

from tabulate import tabulate

from arena.stats.plackett_luce import DRAWS, Estimate
from arena.stats.standings import Standings
from arena.stats.tally import Rate

STRENGTH = (
    "Strength: points beside the average of these bots, fitted to all games at once, with turn "
    "order and {role}s taken out; 400 points more are ten times the odds to win. In brackets: 95 % "
    "interval, from a bootstrap over deals."
)
TRUESKILL = (
    "TrueSkill: mean and plus-minus 1.96 standard deviations of the rating (start 25, no drift, "
    "games in schedule order); it takes games for independent, so trust the brackets of the "
    "strength more than its plus-minus."
)
WON = (
    "Won, %: of the seats the bot held; equals win one in as many as there are players, less where "
    "nobody wins. In brackets: 95 % interval over deals."
)
CROSS = (
    "Seen from the bot at the left: of the times that one of the two came out ahead at the same "
    "table, how often it did. In brackets: 95 % interval over deals. 50 is even."
)
SUPERIOR = (
    f"Seen from the bot at the left: share of {DRAWS:,} leagues with deals drawn anew (bootstrap) "
    "in which it is the stronger of the two. Near 0 or 100 is settled, near 50 is open."
)
TERMS = (
    "Points: what the place or {role} is worth to whoever has it, beside the average one, once the "
    "bots' strengths are taken out (95 % bootstrap interval). Below, seats won in %, with the 95 % "
    "interval over deals."
)
EFFORT = (
    "Decisions: for each seat held in a game. Milliseconds: mean of a decision, and the slowest. "
    "Faults: games lost by breaking down."
)


# ---- tables -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A title, rows under headers, and what the numbers mean."""

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


def tables(found: Standings) -> list[Table]:
    """The tables a person reads; at one player count with places and roles of every bot."""
    return [
        _main(found),
        _pairs(found, "Chance of superiority, %", SUPERIOR, _chance),
        _pairs(found, "Cross table, % ahead", CROSS, _ahead),
        _turn_order(found),
        _roles(found),
        _how_long(found),
        _efforts(found),
    ]


def _main(found: Standings) -> Table:
    counts = list(found.lengths)
    rows = []
    for place, bot in enumerate(found.order, 1):
        skill = found.ratings.skills[bot]
        row = [str(place), bot, points(found.fit.bots[bot]), f"{skill.mu:.1f} ±{skill.spread:.1f}"]
        rows.append(row + [percent(found.wins.get((bot, count))) for count in counts])
    games = sum(one.games for one in found.lengths.values())
    deals = sum(one.deals for one in found.lengths.values())
    at = "all player counts" if found.players is None else f"{found.players} players"
    headers = ["", "bot", "strength", "TrueSkill", *(f"won at {count}, %" for count in counts)]
    title = f"Standings, {at}: {games:,} games, {deals:,} deals"
    legend = f"{STRENGTH.format(role=found.role_word)} {TRUESKILL} {WON}"
    return Table(title, headers, rows, legend)


def _chance(found: Standings, one: str, other: str) -> str:
    return f"{100 * found.fit.superior[one, other]:.1f}"


def _ahead(found: Standings, one: str, other: str) -> str:
    return percent(found.duels.get((one, other)))


def _pairs(
    found: Standings, title: str, legend: str, cell: Callable[[Standings, str, str], str]
) -> Table:
    order = found.order
    rows = [
        [one, *("" if one == other else cell(found, one, other) for other in order)]
        for one in order
    ]
    return Table(title, ["", *order], rows, legend)


def _turn_order(found: Standings) -> Table:
    places = list(range(max(found.lengths)))
    names = ["begins", *(f"{place} later" for place in places[1:])]
    return _terms(found, "Turn order", names, places, found.fit.places, found.places)


def _roles(found: Standings) -> Table:
    names = sorted({role for _, role in found.fit.roles})
    title = f"{found.role_word.capitalize()}s"
    return _terms(found, title, names, names, found.fit.roles, found.roles)


def _terms(
    found: Standings,
    title: str,
    names: list[str],
    keys: Sequence[Any],
    terms: Mapping[Any, Estimate],
    rates: Mapping[Any, Rate],
) -> Table:
    """For each player count what a place or role is worth, and how often all bots won with it.

    At a single player count also how often every bot did.
    """
    rows = []
    for count in found.lengths:
        rows.append([f"{count} players, points", *(points(terms.get((count, k))) for k in keys)])
        for bot in ["", *([] if found.players is None else found.order)]:
            cells = [percent(rates.get((bot, count, key))) for key in keys]
            rows.append([f"{bot or 'all bots'}, won %", *cells])
    return Table(title, ["", *names], rows, TERMS.format(role=found.role_word))


def _how_long(found: Standings) -> Table:
    rows = [
        [
            f"{count} players",
            f"{one.games:,}",
            f"{one.deals:,}",
            f"{one.decisions:.1f}",
            f"{one.turns:.1f}",
            percent(one.nobody),
        ]
        for count, one in found.lengths.items()
    ]
    headers = ["", "games", "deals", "decisions", "turns", "nobody won, %"]
    return Table("Length of games, means", headers, rows)


def _efforts(found: Standings) -> Table:
    rows = []
    for bot in found.order:
        row = [bot, "", "", ""]
        if bot in found.efforts:
            effort = found.efforts[bot]
            times = [f"{1000 * time:.2f}" for time in (effort.seconds, effort.slowest)]
            row = [bot, f"{effort.decisions:.1f}", *times]
        rows.append([*row, str(found.faults[bot])])
    headers = ["", "decisions", "ms a decision", "slowest, ms", "faults"]
    return Table("Effort of the bots", headers, rows, EFFORT)


def percent(one: Rate | None) -> str:
    if one is None or not one.seen:
        return ""
    return f"{100 * one.share:.1f} ({100 * one.low:.1f}-{100 * one.high:.1f})"


def points(one: Estimate | None) -> str:
    if one is None:
        return ""
    value, low, high = (f"{v:+.0f}" if isfinite(v) else "?" for v in (one.value, one.low, one.high))
    return f"{value} ({low} to {high})"


# ---- for programs -------------------------------------------------------------------------------


def as_json(found: Standings) -> dict[str, object]:
    role = found.role_word
    return {
        "players": found.players,
        "lengths": {
            str(count): {**vars(one), "nobody": _rate(one.nobody)}
            for count, one in found.lengths.items()
        },
        "draw_probability": {str(count): ties for count, ties in found.ratings.ties.items()},
        "standings": [_bot_as_json(found, bot) for bot in found.order],
        "superior": _nested(found.fit.superior, lambda chance: chance),
        "cross": _nested(found.duels, _rate),
        "turn_order": _nested(found.fit.places, _estimate),
        f"{role}s": _nested(found.fit.roles, _estimate),
        "won_by_turn_order": _nested(found.places, _rate),
        f"won_by_{role}": _nested(found.roles, _rate),
        "legend": {
            "strength": STRENGTH.format(role=role),
            "trueskill": TRUESKILL,
            "won": WON,
            "superior": SUPERIOR,
            "cross": CROSS,
            f"turn_order, {role}s": TERMS.format(role=role),
            "won_by_...": f'by bot ("" for all), player count, and place (0 begins) or {role}',
        },
    }


def _bot_as_json(found: Standings, bot: str) -> dict[str, object]:
    skill = found.ratings.skills[bot]
    effort = found.efforts.get(bot)
    won = {str(n): _rate(one) for (name, n), one in found.wins.items() if name == bot}
    return {
        "bot": bot,
        "strength": _estimate(found.fit.bots[bot]),
        "trueskill": {"mu": skill.mu, "sigma": skill.sigma},
        "won": won,
        "effort": None if effort is None else vars(effort),
        "faults": found.faults[bot],
    }


def _rate(one: Rate) -> dict[str, float]:
    return {name: round(value, 6) for name, value in vars(one).items()}


def _estimate(one: Estimate) -> dict[str, float | None]:
    return {k: round(v, 3) if isfinite(v) else None for k, v in vars(one).items()}


def _nested(found: Mapping[Any, Any], shown: Callable[[Any], object]) -> dict[str, Any]:
    """Keys of several parts as objects within objects."""
    whole: dict[str, Any] = {}
    for parts, one in found.items():
        inner = whole
        for part in parts[:-1]:
            inner = inner.setdefault(str(part), {})
        inner[str(parts[-1])] = shown(one)
    return whole


def as_csv(every: Sequence[Standings]) -> str:
    """A line for every bot and player count ("all" for all together), numbers unrounded."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = (
        "players,place,bot,strength,strength_low,strength_high,mu,sigma,seats,won,won_low,won_high"
    )
    writer.writerow([*names.split(","), "faults", "decisions", "seconds_per_decision", "slowest"])
    for found in every:
        for place, bot in enumerate(found.order, 1):
            strength, skill = found.fit.bots[bot], found.ratings.skills[bot]
            won = None if found.players is None else found.wins.get((bot, found.players))
            effort = found.efforts.get(bot)
            writer.writerow(
                [
                    found.players or "all",
                    place,
                    bot,
                    *(v if isfinite(v) else "" for v in vars(strength).values()),
                    skill.mu,
                    skill.sigma,
                    *(("",) * 4 if won is None else (won.seen, won.share, won.low, won.high)),
                    found.faults[bot],
                    *(("",) * 3 if effort is None else vars(effort).values()),
                ]
            )
    return text.getvalue()
