"""The table of a league: the ranking, win shares by player count, and the scores of a Swiss league.

`arena league` prints it at the end, `arena standings` at the top, `arena export` writes it to a
file: the same text.
"""

from math import isfinite
from typing import Final

from arena.stats.plackett_luce import Estimate
from arena.stats.run import Run
from arena.stats.standings import Standings, standings_of
from arena.stats.tally import WinRate
from arena.stats.text_table import TextTable
from games.wording import counted, listed, signed

HEADERS: Final = ["rank", "bot", "TrueSkill", "Elo", "won,%", "fair,%", "games", "seats", "faults"]
_MOST_PAIRS: Final = 3  # that a sentence names
_COUNTS: Final = 5  # columns of player counts next to each other

RANK: Final = (
    "rank: by mean TrueSkill (±95 %), whatever the order of the games. With 95 % confidence, all "
    "true ranks are in these ranges."
)
ELO: Final = (
    "Elo: strength relative to the average bot (+400 = 10:1 odds), ±95 % over deals, corrected for "
    "turn order and {role}s."
)
UNKNOWN_SPREAD: Final = (
    "±?: the deals do not show how sure this is: all went the same way, or the bot won everything "
    "or nothing against the others."
)
WON: Final = (
    "won: of its seats, which can be several in one game; fair: 1/players, what equal bots would "
    "win if somebody always won. faults: games lost by a fault."
)
_BY_COUNT: Final = "Next to each share: its 95 % confidence interval over deals."
_SWISS: Final = (
    "score: sum over rounds of the share of its seats that the bot won; a round that it sat out "
    "(-) adds nothing. Ties are broken by won (by which the next round is paired), then by the "
    "mean Elo of its opponents. Where bots sat out, won is the fairer comparison."
)


def ranking_text(run: Run) -> str:
    """The table after a league, also of one without a single game."""
    if run.games:
        return "\n\n".join(table.text() for table in ranking_tables(standings_of(run)))
    return run.empty_text()


def ranking_tables(standings: Standings) -> list[TextTable]:
    """The ranking, and the tables that belong to it."""
    tables = [_ranking(standings)]
    if standings.swiss:
        tables.append(_swiss(standings))
    counts = list(standings.lengths)
    if len(counts) > 1:
        groups = [counts[i : i + _COUNTS] for i in range(0, len(counts), _COUNTS)]
        tables += [_by_count(standings, group) for group in groups]
    return tables


def _ranking(standings: Standings) -> TextTable:
    rows = []
    for bot in standings.order:
        skill, counts = standings.ratings.skills[bot], standings.counts[bot]
        row = [rank_text(standings.ranges.get(bot)), bot, f"{skill.mu:.2f} ±{skill.spread:.2f}"]
        row += [points_text(standings.fit.bots[bot])]
        if counts.games:
            row += [f"{100 * counts.won.share:.1f}", f"{100 * counts.fair:.1f}"]
        else:
            row += ["", ""]
        rows.append([*row, *map(str, (counts.games, counts.won.seen, counts.faults))])
    games = sum(length.games for length in standings.lengths.values())
    deals = sum(length.deals for length in standings.lengths.values())
    at = "all player counts" if standings.players is None else f"{standings.players} players"
    title = f"Standings, {at}: {counted(games, 'game')}, {counted(deals, 'deal')}"
    unknown = (UNKNOWN_SPREAD,) if any(row[3].endswith("±?") for row in rows) else ()
    legend = (RANK, ELO.format(role=standings.role_word), *unknown, WON)
    return TextTable(
        title, HEADERS, rows, (*disagreement(standings), *standings.run.notes, *legend)
    )


def disagreement(standings: Standings) -> list[str]:
    """A sentence about the bots that the two measures put in different orders, if any."""
    pairs = standings.disagreements()
    if not pairs:
        return []
    named = [f"{a} above {b}" for a, b in pairs[:_MOST_PAIRS]]
    more = len(pairs) - len(named)
    named += [f"{more} more"] * (more > 0)
    return [f"TrueSkill and Elo disagree: only TrueSkill has {listed(named)}."]


def _by_count(standings: Standings, counts: list[int]) -> TextTable:
    headers = ["bot", *(f"at {count} ({100 / count:.1f})" for count in counts)]
    rows = [
        [bot, *(_share(standings.wins.get((bot, count))) for count in counts)]
        for bot in standings.order
    ]
    return TextTable("Won, %, by player count (fair share)", headers, rows, (_BY_COUNT,))


def _swiss(standings: Standings) -> TextTable:
    numbers = sorted({number for score in standings.swiss for number in score.rounds})
    table = _swiss_rounds(standings, numbers)
    return table if table.fits() else _swiss_rounds(standings, [])


def _swiss_rounds(standings: Standings, numbers: list[int]) -> TextTable:
    """The scores, with a column for each of these rounds."""
    headers = ["", "bot", *(f"r{number + 1}" for number in numbers)]
    headers += ["rounds", "score", "won,%", "opponents"]
    rows = []
    for place, score in enumerate(standings.swiss, 1):
        each = [f"{score.rounds[n]:.2f}" if n in score.rounds else "-" for n in numbers]
        sums = [str(len(score.rounds)), f"{score.score:.2f}", f"{100 * score.share:.1f}"]
        rows.append([str(place), score.bot, *each, *sums, signed(score.opponents)])
    return TextTable("Swiss scores", headers, rows, (_SWISS,))


def rank_text(ranks: tuple[int, int] | None) -> str:
    """`2-3`, or `2`; `-` for a bot that did not play."""
    if ranks is None:
        return "-"
    best, worst = ranks
    return str(best) if best == worst else f"{best}-{worst}"


def points_text(estimate: Estimate) -> str:
    """Elo points with half the width of their interval, which is almost symmetric.

    Deals that all went the same way give an interval of no width, which would look like certainty.
    """
    half = (estimate.high - estimate.low) / 2
    known = isfinite(half) and (round(half) > 0 or round(estimate.value) == 0)
    return f"{signed(estimate.value)} ±{half:.0f}" if known else f"{signed(estimate.value)} ±?"


def _share(rate: WinRate | None) -> str:
    if rate is None or not rate.seen:
        return "-"
    return f"{100 * rate.share:.1f} {100 * rate.low:.0f}-{100 * rate.high:.0f}"
