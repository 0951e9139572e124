"""What is said below a league's table: what is missing, who has left, and what is settled."""

from arena.league.journal import Journal, plan_of
from arena.league.progress import is_open_ended, planned_games
from arena.league.schedule import is_swiss
from arena.league.settling import order_lines
from arena.stats.settled import OrderReport
from games.wording import counted


def table_notes(journal: Journal) -> list[str]:
    """That games are missing; a sentence for every bot that is not, or no longer, in the league."""
    effect = "its games do not count, and the others have all of theirs"
    if is_deserted(journal):
        effect = "its games do not count"
    if is_swiss(journal.league):
        effect = "it was left out from the next round on"
    notes = _missing(journal)
    for bot, faults, number, fault in journal.disqualified():
        times = counted(faults, "fault")
        notes.append(
            f"{bot} was disqualified after {times}; {effect}. "
            f"The last one, in game {number}: it {fault.problem}"
            + (f" ({fault.where})" if fault.where else "")
        )
    if journal.league.without:
        notes.append(f"Left out by choice: {', '.join(journal.league.without)}.")
    if (report := order_report(journal)) is not None:
        notes += order_lines(report, journal.league.confidence)
    return notes


def _missing(journal: Journal) -> list[str]:
    """A sentence about a league that was stopped, or is still playing; none if it is complete."""
    league, played = journal.league, len(journal.numbers())
    if not played or journal.ratings() or journal.converted or league.until_settled:
        return []  # what is settled has sentences of its own
    if is_open_ended(league):
        return [f"The league is not complete: {counted(played, 'game')} so far."]
    if played >= (planned := planned_games(journal)):
        return []
    return [f"The league is not complete: {played:,} of {counted(planned, 'game')} so far."]


def is_deserted(journal: Journal) -> bool:
    """Whether those that were disqualified leave the others nobody to play against."""
    left, league = journal.taking_part(), journal.league
    headless = league.format == "gauntlet" and league.names[0] not in left
    return bool(journal.disqualified()) and (len(left) < 2 or headless)


def order_report(journal: Journal) -> OrderReport | None:
    """What is settled in a league that is played until its order is settled."""
    plan = plan_of(journal)
    progress = plan.settling is not None
    while progress:
        progress = False
        while plan.take() is not None:
            progress = True
        progress = plan.settle() is not None or progress
    test = plan.settling.test if plan.settling else None
    return test.report() if test else None
