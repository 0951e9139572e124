"""What is said below a league's table: which bots were disqualified or left out, and why."""

from arena.league.journal import Journal
from arena.league.schedule import is_swiss


def table_notes(journal: Journal) -> list[str]:
    """One sentence for every bot that is not, or no longer, in the league."""
    effect = "its games do not count, and the others have all of theirs"
    if is_swiss(journal.league):
        effect = "it was left out from the next round on"
    notes = []
    for bot, faults, number, fault in journal.disqualified():
        times = f"{faults} fault{'s' * (faults != 1)}"
        notes.append(
            f"{bot} was disqualified after {times}; {effect}. "
            f"The last one, in game {number}: it {fault.problem}"
            + (f" ({fault.where})" if fault.where else "")
        )
    if journal.league.without:
        notes.append(f"Left out by choice: {', '.join(journal.league.without)}.")
    return notes
