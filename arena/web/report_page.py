"""The results of a league as one page: tables, and charts of the same numbers."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from arena.stats.game_record import GameRecord
from arena.stats.report import tables
from arena.stats.run import Run
from arena.stats.standings import Standings
from arena.stats.text_table import TextTable
from arena.stats.trueskill_ratings import rate_games
from arena.web.charts import Whisker, line_chart, whisker_chart
from arena.web.page import one_file
from games.seats import seat_name

_CHECKPOINTS: Final = 12
_MOST_FOR_HISTORY: Final = 20_000
"""Games; rating more of them a dozen times takes too long."""
MOST_LISTED: Final = 2_000
"""Games in the list at the end."""


GameLink = Callable[[int], str]
"""The address of the page of a game, by its number."""


def report_page(
    title: str,
    standings: Standings,
    total: int,
    faults: Sequence[str],
    link: GameLink | None = None,
) -> str:
    """The page of a run, of which `total` games were planned."""
    body = report_body(title, standings, total, faults, link)
    return one_file(title, body, ("base.css", "lines.css", "report.css"), ())


def report_body(
    title: str,
    standings: Standings,
    total: int,
    faults: Sequence[str],
    link: GameLink | None = None,
) -> str:
    """What is inside the page."""
    run = standings.run
    ranking, *others = tables(standings)
    played, most = len(run.games), max(1, total)
    progress = f"{played:,} of {total:,} games played, between {len(run.bots)} bots."
    bar = f"<progress max='{most}' value='{played}' aria-label='Games played'></progress>"
    sections = [
        f"<header class='page'><h1>{html.escape(title)}</h1><p>{progress}</p>{bar}</header>",
        "<main>",
        _section(ranking),
        _strengths(standings),
        *_shares(standings),
        _history(run),
        *(_section(table, _shades(standings, table)) for table in others),
        _faults(faults),
        _games(run.games, link),
        "</main>",
    ]
    return "\n".join(sections)


# ---- tables -----------------------------------------------------------------------------------


def _section(table: TextTable, shades: dict[tuple[int, int], str] | None = None) -> str:
    """A table with its title and notes."""
    return f"<section><h2>{html.escape(table.title)}</h2>{_table(table, shades or {})}</section>"


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
    return (
        "<section><h2>Strength, Elo points</h2><p>The dot is the estimate, the line its 95 % "
        "interval; 0 is the average bot. Bots whose lines are far apart are told apart by these "
        f"games.</p>{chart}</section>"
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
                f"{whisker_chart(label, rows, fair, '%')}</figure>"
            )
    if charts:
        yield (
            "<section><h2>Seats won, by player count</h2><p>With 95 % intervals over deals; the "
            f"line is what equal bots would win.</p><div class='multiples'>{''.join(charts)}</div>"
            "</section>"
        )


def _history(run: Run) -> str:
    """How the ratings settled as games were played."""
    games = sorted(run.games, key=lambda game: game.number)
    if len(games) < _CHECKPOINTS or len(games) > _MOST_FOR_HISTORY:
        return ""
    bots = sorted(run.bots)
    lines: dict[str, list[tuple[float, float]]] = {bot: [] for bot in bots}
    for part in range(1, _CHECKPOINTS + 1):
        count = len(games) * part // _CHECKPOINTS
        skills = rate_games(games[:count], bots).skills
        for bot in bots:
            lines[bot].append((count, skills[bot].mu))
    chart = line_chart("TrueSkill of each bot over the games", [*lines.items()], "games played")
    return (
        "<section><h2>TrueSkill over the games</h2><p>The rating of each bot from the first games "
        f"up to each point; flat lines have settled.</p>{chart}</section>"
    )


# ---- faults and games -------------------------------------------------------------------------


def _faults(faults: Sequence[str]) -> str:
    if not faults:
        return "<section><h2>Faults</h2><p>None: every game was played to its end.</p></section>"
    items = "".join(f"<li>{html.escape(fault)}</li>" for fault in faults)
    return f"<section><h2>Faults</h2><ul>{items}</ul></section>"


def _games(games: Sequence[GameRecord], link: GameLink | None) -> str:
    listed = sorted(games, key=lambda game: game.number)[:MOST_LISTED]
    lines = []
    for game in listed:
        number = f"{game.number}"
        if link is not None:
            number = f"<a href='{html.escape(link(game.number))}'>{number}</a>"
        seats = ", ".join(
            f"{seat_name(seat)} {name} ({role})"
            for seat, (name, role) in enumerate(zip(game.seats, game.roles, strict=True))
        )
        won = ", ".join(f"{seat_name(seat)} {game.seats[seat]}" for seat in game.winners)
        cells = [html.escape(seats), html.escape(won or "nobody"), f"{game.decisions}"]
        lines.append(
            f"<tr><th scope='row'>{number}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        )
    head = "".join(f"<th scope='col'>{name}</th>" for name in ("game", "seats", "won", "moves"))
    more = f", the first {len(listed):,}" if len(listed) < len(games) else ""
    return (
        f"<section><details><summary>All {len(games):,} games{more}</summary>"
        "<div class='scroll' tabindex='0' role='region' aria-label='Games'>"
        f"<table class='games'><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody>"
        "</table></div></details></section>"
    )
