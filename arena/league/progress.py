"""How far the league of a run file has come, for those who only read it."""

from dataclasses import replace

from arena.league.journal import Journal, plan_of
from arena.league.plan import catch_up
from arena.league.schedule import OPEN_ENDED, game_count, needs_results


def planned_by_players(journal: Journal) -> dict[int, int]:
    """How many games the league has at each player count; empty if only results will tell."""
    plan = plan_of(journal)
    league = plan.league
    if journal.converted or needs_results(league):
        return {}
    catch_up(plan)  # who is disqualified
    return {
        players: game_count(replace(league, players=(players,)), plan.active)
        for players in sorted(league.players)
    }


def planned_games(journal: Journal) -> int:
    """How many games the league has in all; 0 if it goes on until its order is settled."""
    if journal.converted:  # its games were scheduled in another way
        return len(journal.numbers())
    total = catch_up(plan_of(journal)).total
    return 0 if total == OPEN_ENDED else max(total, len(journal.numbers()))


def fault_sentences(journal: Journal) -> list[str]:
    """Every fault in a sentence, in schedule order."""
    return [
        f"game {number}: {bot} {fault.problem} ({fault.kind})"
        for number, bot, fault in journal.faults()
    ]
