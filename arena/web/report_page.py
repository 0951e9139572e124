"""The results of a league as one page: tables, and charts of the same numbers."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, Final

from arena.stats.game_record import GameRecord
from arena.stats.plackett_luce import Estimate
from arena.stats.report import ordinal, tables
from arena.stats.run import Run
from arena.stats.standings import Standings
from arena.stats.text_table import TextTable
from arena.stats.trueskill_ratings import rate_games
from arena.web.charts import Whisker, line_chart, whisker_chart
from arena.web.page import one_file, packed, part
from games.registry import game
from games.seats import seat_name

_CHECKPOINTS: Final = 12
_MOST_FOR_HISTORY: Final = 20_000
"""Games; rating more of them a dozen times takes too long."""
_MOST_PLACES: Final = 16
_VIEWER_STYLES: Final = ("board.css", "viewer.css")
MOST_LISTED: Final = 2_000
"""Games in the list at the end."""


RatingHistory = dict[int, Mapping[str, float]]
"""The mean TrueSkill of each bot after so many games."""

GameLink = Callable[[int], str]
"""The address of the page of a game, by its number; empty if it has none."""


def report_page(
    title: str,
    standings: Standings,
    total: int,
    faults: Sequence[str],
    link: GameLink | None = None,
    inside: Mapping[int, object] | None = None,
    planned: Mapping[int, int] | None = None,
) -> str:
    """The page of a run, of which `total` games were planned (0: as many as it takes).

    `inside`: the data of games (`game_views`) by number, to be put into the page. `planned`: the
    games of each player count, where they are known.
    """
    styles = ("base.css", "lines.css", "report.css")
    if not inside:
        body = report_body(title, standings, total, faults, link, planned)
        return one_file(title, body, styles, ("games_filter.js",))

    def link_inside(number: int) -> str:
        return f"#game={number}" if number in inside else ""

    body = report_body(title, standings, total, faults, link_inside, planned)
    games = "\n".join(
        f'<script type="application/octet-stream" data-game="{number}">{packed(data)}</script>'
        for number, data in inside.items()
    )
    frame = part("view.html").partition("<noscript>")[0].format(title="", where="")
    frame = frame.replace("<h1>", '<a class="way-back" href="#">Report</a><h1>')
    body = (
        f'<div id="whole-report">{body}</div><div id="watch" hidden></div>'
        f'<template id="viewer">{frame}</template>\n{games}'
    )
    scripts = ("board.js", "curves.js", "viewer.js", "games_filter.js", "games_inside.js")
    faces = game(standings.run.game).picture.faces()
    return one_file(title, body, (*styles, *_VIEWER_STYLES), scripts, {"faces": faces})


def report_body(
    title: str,
    standings: Standings,
    total: int,
    faults: Sequence[str],
    link: GameLink | None = None,
    planned: Mapping[int, int] | None = None,
    history: RatingHistory | None = None,
) -> str:
    """What is inside the page; without a `history` it is computed, which takes the most time."""
    run = standings.run
    ranking, *others = tables(standings)
    head = f"<h1>{html.escape(title)}</h1>{_progress(run, total)}{_schedule(run, planned or {})}"
    sections = [
        f"<header class='page'>{head}</header>",
        "<main>",
        _headline(standings),
        _section(ranking),
        _strengths(standings),
        *_shares(standings),
        _history(rating_history(run) if history is None else history),
        *(_with_chart(standings, table) for table in others),
        _faults(faults),
        _games(run.games, link),
        "</main>",
    ]
    return "\n".join(sections)


# ---- the head ---------------------------------------------------------------------------------


def _progress(run: Run, total: int) -> str:
    """How much of the league is played; a page that follows it changes the number and the bar."""
    played, of = len(run.games), f" of {total:,}" if total else ""
    most = max(played, total, 1)
    return (
        f"<p id='played'>{played:,}{of} games played, between {len(run.bots)} bots.</p>"
        f"<progress id='progress' max='{most}' value='{played}' aria-label='Games played'>"
        "</progress>"
    )


def _schedule(run: Run, planned: Mapping[int, int]) -> str:
    """How much is played at each player count, if there are several."""
    played = Counter(record.players for record in run.games)
    if len(counts := sorted({*played, *planned})) < 2:
        return ""
    items = []
    for players in counts:
        done, most = played[players], max(planned.get(players, 0), played[players])
        of = f" of {most:,}" if players in planned else ""
        bar = (
            f"<progress max='{max(1, most)}' value='{done}' "
            f"aria-label='Games played with {players} players'></progress>"
        )
        items.append(f"<li><span>{players} players</span>{bar}<span>{done:,}{of}</span></li>")
    return f"<ul class='schedule' aria-label='Schedule'>{''.join(items)}</ul>"


def _headline(standings: Standings) -> str:
    """What the games say, in a sentence."""
    order = standings.order
    if len(order) < 2:
        return ""
    first, second = (standings.fit.bots[bot] for bot in order[:2])
    names = [f"<strong>{html.escape(bot)}</strong>" for bot in order[:2]]
    if not all(map(isfinite, (first.low, second.high))):
        says = f"{names[0]} is ahead of {names[1]}, but the deals do not show how sure that is."
        if standings.ranges.get(order[0]) == (1, 1):
            says = f"{names[0]} is strongest: with 95 % confidence, its rank is 1."
    elif first.low > second.high:
        says = f"{names[0]} is strongest: its 95 % interval lies above that of {names[1]}."
    else:
        says = f"{names[0]} is ahead of {names[1]}, but their 95 % intervals overlap."
    return f"<p class='headline'>{says}</p>"


# ---- tables -----------------------------------------------------------------------------------


def _section(table: TextTable) -> str:
    """A table with its title and notes."""
    return f"<section><h2>{html.escape(table.title)}</h2>{_table(table, {})}</section>"


def _table(table: TextTable, shades: dict[tuple[int, int], str]) -> str:
    kinds = [" class='words'" if name == "bot" else "" for name in table.headers]
    head = "".join(
        f"<th scope='col'{kind}>{html.escape(name)}</th>"
        for name, kind in zip(table.headers, kinds, strict=True)
    )
    lines = []
    for r, row in enumerate(table.rows):
        cells = [f"<th scope='row'>{html.escape(row[0])}</th>"]
        for c, cell in enumerate(row[1:], 1):
            shade = f" class='{shades[r, c]}'" if (r, c) in shades else kinds[c]
            cells.append(f"<td{shade}>{html.escape(cell)}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    notes = "".join(f"<p class='note'>{html.escape(note)}</p>" for note in table.foot)
    body = "".join(lines)
    return (
        f"<div class='scroll' tabindex='0' role='region' aria-label='{html.escape(table.title)}'>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{notes}"
    )


def _with_chart(standings: Standings, table: TextTable) -> str:
    """A section with a table; above it a chart of the same numbers, where there is one."""
    chart = ""
    match table.title:
        case "Turn order":
            places = {place: f"{ordinal(place)} to move" for place in range(_MOST_PLACES)}
            chart = _effects(standings, standings.fit.places, places)
        case "Thinking time":
            chart = _times(standings)
        case title if title == f"{standings.role_word.capitalize()}s":
            chart = _effects(standings, standings.fit.roles, {})
    shades = _shades(standings, table)
    return f"<section><h2>{html.escape(table.title)}</h2>{chart}{_table(table, shades)}</section>"


def _shades(standings: Standings, table: TextTable) -> dict[tuple[int, int], str]:
    """In the cross table, the cells whose interval does not include an even score."""
    if not table.title.startswith("Cross table"):
        return {}
    shades = {}
    for r, bot in enumerate(standings.order):
        for c, other in enumerate(standings.order, 1):
            rate = standings.duels.get((bot, other))
            if rate is not None and rate.seen and not rate.low <= 0.5 <= rate.high:
                shades[r, c] = "ahead" if rate.share > 0.5 else "behind"
    return shades


# ---- charts -----------------------------------------------------------------------------------


def _strengths(standings: Standings) -> str:
    rows = [Whisker(bot, *vars(standings.fit.bots[bot]).values()) for bot in standings.order]
    chart = whisker_chart("Strength of each bot with its 95 % interval", rows, 0)
    unknown = " A line from edge to edge: the deals do not show how sure the estimate is."
    note = unknown if any(not isfinite(row.low) for row in rows) else ""
    return (
        "<section><h2>Strength, Elo points</h2><p>The dot is the estimate, the line its 95 % "
        "interval; 0 is the average bot. Bots whose lines are far apart are told apart by these "
        f"games.{note}</p>{chart}</section>"
    )


def _shares(standings: Standings) -> Iterator[str]:
    """For each player count, the share of its seats that each bot won."""
    charts = []
    for count in standings.lengths:
        rates = [(bot, standings.wins.get((bot, count))) for bot in standings.order]
        rows = [
            Whisker(bot, 100 * rate.share, 100 * rate.low, 100 * rate.high)
            for bot, rate in rates
            if rate is not None and rate.seen
        ]
        if rows:
            fair = 100 / count
            label = f"Seats won with {count} players, in percent; fair is {fair:.1f}"
            charts.append(
                f"<figure><figcaption>{count} players (fair {fair:.1f} %)</figcaption>"
                f"{whisker_chart(label, rows, fair, '%', narrow=True)}</figure>"
            )
    if charts:
        yield (
            "<section><h2>Seats won, by player count</h2><p>With 95 % intervals over deals; the "
            "line is what equal bots would win if somebody always won.</p>"
            f"<div class='multiples'>{''.join(charts)}</div></section>"
        )


def _effects(
    standings: Standings, terms: Mapping[tuple[int, Any], Estimate], names: Mapping[Any, str]
) -> str:
    """For each player count, what a place or role is worth."""
    charts = []
    for count in standings.lengths:
        rows = [
            Whisker(names.get(key, str(key)), *vars(estimate).values())
            for (players, key), estimate in sorted(terms.items())
            if players == count
        ]
        if rows:
            label = f"Elo points at {count} players, against the average, with 95 % intervals"
            charts.append(
                f"<figure><figcaption>{count} players</figcaption>"
                f"{whisker_chart(label, rows, 0, narrow=True)}</figure>"
            )
    if not charts:
        return ""
    return (
        "<p>Elo points above or below the average, whoever plays it; lines that cross 0 may be "
        f"chance.</p><div class='multiples'>{''.join(charts)}</div>"
    )


def _times(standings: Standings) -> str:
    rows = [
        Whisker(bot, 1000 * time.seconds, 1000 * time.seconds, 1000 * time.slowest)
        for bot in standings.order
        if (time := standings.efforts.get(bot)) is not None
    ]
    if not rows:
        return ""
    chart = whisker_chart("Milliseconds per decision, mean and slowest", rows, None, " ms", True)
    return (
        "<p>The dot is the mean decision, the line ends at the slowest. Each mark is ten times the "
        f"one before.</p>{chart}"
    )


def rating_history(run: Run) -> RatingHistory:
    """Ratings after each twelfth of the games; empty for too few or too many games."""
    games = sorted(run.games, key=lambda game: game.number)
    if len(games) < _CHECKPOINTS or len(games) > _MOST_FOR_HISTORY:
        return {}
    bots = sorted(run.bots)
    counts = [len(games) * checkpoint // _CHECKPOINTS for checkpoint in range(1, _CHECKPOINTS + 1)]
    return {
        count: {bot: skill.mu for bot, skill in rate_games(games[:count], bots).skills.items()}
        for count in counts
    }


def _history(history: RatingHistory) -> str:
    """How the ratings settled as games were played."""
    if len(history) < 2:
        return ""
    bots = sorted(next(iter(history.values())))
    lines = {bot: [(float(count), mus[bot]) for count, mus in history.items()] for bot in bots}
    chart = line_chart("TrueSkill of each bot over the games", [*lines.items()], "games played")
    rows = [[bot, *(f"{mu:.2f}" for _, mu in points)] for bot, points in lines.items()]
    counts = [f"{count:,}" for count in history]
    numbers = _table(TextTable("TrueSkill after so many games", ["bot", *counts], rows), {})
    return (
        "<section><h2>TrueSkill over the games</h2><p>The rating of each bot from the first games "
        f"up to each point; flat lines have settled.</p>{chart}"
        f"<details><summary>The numbers</summary>{numbers}</details></section>"
    )


# ---- faults and games -------------------------------------------------------------------------


def _faults(faults: Sequence[str]) -> str:
    if not faults:
        return "<section><h2>Faults</h2><p>None: every game was played to its end.</p></section>"
    items = "".join(f"<li>{html.escape(fault)}</li>" for fault in faults)
    return f"<section><h2>Faults</h2><ul>{items}</ul></section>"


_FILTER: Final = (
    "<p hidden><label>Only games with <input id='filter' type='search' "
    "placeholder='a bot, a role, nobody ...'></label> <span id='found' role='status'></span></p>"
)


def _games(games: Sequence[GameRecord], link: GameLink | None) -> str:
    listed = sorted(games, key=lambda record: record.number)[:MOST_LISTED]
    lines = []
    for record in listed:
        number = f"{record.number}"
        if address := link(record.number) if link is not None else "":
            number = f"<a href='{html.escape(address)}'>{number}</a>"
        seats = ", ".join(
            f"{seat_name(seat)} {name} ({role})"
            for seat, (name, role) in enumerate(zip(record.seats, record.roles, strict=True))
        )
        won = ", ".join(f"{seat_name(seat)} {record.seats[seat]}" for seat in record.winners)
        cells = [html.escape(seats), html.escape(won or "nobody"), f"{record.decisions}"]
        lines.append(
            f"<tr><th scope='row'>{number}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        )
    head = "".join(f"<th scope='col'>{name}</th>" for name in ("game", "seats", "won", "moves"))
    more = f", the first {len(listed):,}" if len(listed) < len(games) else ""
    return (
        f"<section><details><summary>All {len(games):,} games{more}</summary>{_FILTER}"
        "<div class='scroll' tabindex='0' role='region' aria-label='Games'>"
        f"<table class='games'><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody>"
        "</table></div></details></section>"
    )
