"""All tables of a run, and the same numbers as JSON and CSV, with notes that explain them."""

import csv
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from math import isfinite
from typing import Any

from arena.stats.plackett_luce import BOOTSTRAP_SAMPLES, Estimate
from arena.stats.ranking_table import ELO, RANK, WON, ranking_tables
from arena.stats.standings import Standings
from arena.stats.swiss import SwissScore
from arena.stats.tally import WinRate
from arena.stats.text_table import TextTable, short_name
from games.wording import signed

_CROSS = (
    "How often the bot on the left ranked above the bot at the top in games with both, ties left "
    "out. In brackets: 95 % confidence interval over deals. 50 is even."
)
_SUPERIOR = (
    f"Share of {BOOTSTRAP_SAMPLES:,} bootstrap samples of the deals in which the bot on the left "
    "is stronger than the bot at the top. Near 50 the order is open; the ranks say whether it is "
    "settled."
)
_TERMS = (
    "Points: the value of the place or {role} relative to the average one, corrected for the bots' "
    "strengths (95 % bootstrap interval). Below: seats won in %, with the 95 % confidence interval "
    "over deals."
)
_TIMES = "Decisions: per seat and game. Milliseconds: mean per decision, and the slowest decision."


# ---- tables -------------------------------------------------------------------------------------


def tables(standings: Standings) -> list[TextTable]:
    """All tables; at a single player count, with the places and roles of every bot."""
    fit = standings.fit
    superior = {pair: f"{100 * chance:.1f}" for pair, chance in fit.superior.items()}
    cross = {pair: percent(rate) for pair, rate in standings.duels.items()}
    places = {place: f"{ordinal(place)} to move" for place in range(max(standings.lengths))}
    roles = {role: role for role in sorted({role for _, role in fit.roles})}
    return [
        *ranking_tables(standings),
        _pairs(standings, "Chance of superiority, %", _SUPERIOR, superior),
        _pairs(standings, "Cross table, % ahead", _CROSS, cross),
        _terms(standings, "Turn order", places, fit.places, standings.places),
        _terms(
            standings, f"{standings.role_word.capitalize()}s", roles, fit.roles, standings.roles
        ),
        _lengths(standings),
        _times(standings),
    ]


def _pairs(
    standings: Standings, title: str, legend: str, cells: Mapping[tuple[str, str], str]
) -> TextTable:
    order = standings.order
    rows = [[bot, *(cells.get((bot, other), "") for other in order)] for bot in order]
    return TextTable(title, ["bot", *map(short_name, order)], rows, (legend,))


def _terms(
    standings: Standings,
    title: str,
    names: Mapping[Any, str],
    terms: Mapping[Any, Estimate],
    rates: Mapping[Any, WinRate],
) -> TextTable:
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
    return TextTable(title, ["", *names.values()], rows, (legend,))


def _lengths(standings: Standings) -> TextTable:
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
    return TextTable("Mean length of games", headers, rows)


def _times(standings: Standings) -> TextTable:
    rows = []
    for bot in standings.order:
        cells = ["", "", ""]
        if time := standings.efforts.get(bot):
            cells = [f"{time.decisions:.1f}"]
            cells += [f"{1000 * seconds:.2f}" for seconds in (time.seconds, time.slowest)]
        rows.append([bot, *cells])
    headers = ["bot", "decisions", "ms/decision", "slowest, ms"]
    return TextTable("Thinking time", headers, rows, (_TIMES,))


def percent(rate: WinRate | None) -> str:
    if rate is None or not rate.seen:
        return ""
    return f"{100 * rate.share:.1f} ({100 * rate.low:.1f}-{100 * rate.high:.1f})"


def points(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    value, low, high = (signed(v) if isfinite(v) else "?" for v in vars(estimate).values())
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
        "disagreements": [list(pair) for pair in standings.disagreements()],
        "notes": list(standings.run.notes),
        "swiss": [_swiss_as_json(score) for score in standings.swiss],
        "superior": _nested(standings.fit.superior, lambda chance: chance),
        "cross": _nested(standings.duels, _rate),
        "turn_order": _nested(standings.fit.places, _estimate),
        f"{role}s": _nested(standings.fit.roles, _estimate),
        "won_by_turn_order": _nested(standings.places, _rate),
        f"won_by_{role}": _nested(standings.roles, _rate),
        "legend": {
            "rank, trueskill": RANK,
            "strength": ELO.format(role=role),
            "won, fair, seats, faults": WON,
            "superior": _SUPERIOR,
            "cross": _CROSS,
            f"turn_order, {role}s": _TERMS.format(role=role),
            "won_by_...": f'by bot ("" for all), player count, and place (from 0) or {role}',
        },
    }


def _bot_as_json(standings: Standings, bot: str) -> dict[str, object]:
    skill = standings.ratings.skills[bot]
    time = standings.efforts.get(bot)
    counts = standings.counts[bot]
    won = {str(n): _rate(rate) for (name, n), rate in standings.wins.items() if name == bot}
    best, worst = standings.ranges.get(bot, (None, None))
    return {
        "bot": bot,
        "rank": {"best": best, "worst": worst},
        "strength": _estimate(standings.fit.bots[bot]),
        "trueskill": {"mu": skill.mu, "sigma": skill.sigma},
        "games": counts.games,
        "seats": counts.won.seen,
        "fair": round(counts.fair, 6),
        "won": {"all": _rate(counts.won), **won},
        "effort": None if time is None else vars(time),
        "faults": counts.faults,
    }


def _swiss_as_json(score: SwissScore) -> dict[str, object]:
    return {
        "bot": score.bot,
        "rounds": {str(number + 1): share for number, share in score.rounds.items()},
        "score": score.score,
        "won": score.share,
        "opponents": score.opponents,
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
    names = "players place rank_best rank_worst bot mu sigma strength strength_low strength_high"
    names += " games seats won won_low won_high fair faults"
    names += " decisions seconds_per_decision slowest"
    writer.writerow(names.split())
    for standings in every:
        for place, bot in enumerate(standings.order, 1):
            strength, skill = standings.fit.bots[bot], standings.ratings.skills[bot]
            counts, time = standings.counts[bot], standings.efforts.get(bot)
            row: list[object] = [standings.players or "all", place]
            row += [*standings.ranges.get(bot, ("", "")), bot, skill.mu, skill.sigma]
            row += [value if isfinite(value) else "" for value in vars(strength).values()]
            won = counts.won
            row += [counts.games, won.seen]
            row += [won.share, won.low, won.high, counts.fair] if won.seen else [""] * 4
            row += [counts.faults]
            row += [""] * 3 if time is None else vars(time).values()
            writer.writerow(row)
    return text.getvalue()
