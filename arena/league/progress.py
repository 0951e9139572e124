"""How far the league of a run file has come, for those who only read it."""

from arena.league.journal import Journal, plan_of
from arena.league.plan import catch_up


def planned_games(journal: Journal) -> int:
    """How many games the league has in all."""
    if journal.converted:  # its games were scheduled in another way
        return len(journal.numbers())
    plan = plan_of(journal)
    catch_up(plan)
    return max(plan.total(), len(journal.numbers()))


def fault_sentences(journal: Journal) -> list[str]:
    """Every fault in a sentence, in schedule order."""
    return [
        f"game {number}: {bot} {fault.problem} ({fault.kind})"
        for number, bot, fault in journal.faults()
    ]
