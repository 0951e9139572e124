"""How far the league of a run file has come, for those who only read it."""

from dataclasses import replace

from arena.league.config import MOST_DEALS, League
from arena.league.journal import Journal, plan_of
from arena.league.plan import Plan, catch_up
from arena.league.schedule import game_count, needs_results


def planned_by_players(journal: Journal) -> dict[int, int]:
    """How many games the league has at each player count; empty if it has no fixed number."""
    plan = _quick_plan(journal)
    league = plan.league
    if journal.converted or needs_results(league) or is_open_ended(league):
        return {}
    catch_up(plan)  # who is disqualified
    return {
        players: game_count(replace(league, players=(players,)), plan.active)
        for players in sorted(league.players)
    }


def planned_games(journal: Journal) -> int:
    """How many games the league has in all; 0 if it has no fixed number."""
    if journal.converted:  # its games were scheduled in another way
        return len(journal.numbers())
    if is_open_ended(journal.league) and not journal.ratings():
        return 0
    return max(catch_up(_quick_plan(journal)).total, len(journal.numbers()))


def is_open_ended(league: League) -> bool:
    """Whether it goes on until its order is settled or, with `--minutes`, its time is up."""
    return league.until_settled or league.deals == MOST_DEALS


def _quick_plan(journal: Journal) -> Plan:
    """The plan as far as the results go: nobody is disqualified by games that come later.

    With `--minutes` a schedule has up to a million deals of every line-up until its time is up.
    """
    plan = plan_of(journal)
    plan.may_open = lambda _round: not plan.missing
    return plan


def fault_sentences(journal: Journal) -> list[str]:
    """Every fault in a sentence, in schedule order."""
    return [
        f"game {number}: {bot} {fault.problem} ({fault.kind})"
        for number, bot, fault in journal.faults()
    ]
