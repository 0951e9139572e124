"""Titles and stories for puzzles found by search. They do not give the answer or its idea away."""

from __future__ import annotations

import random
import re
from collections.abc import Container
from itertools import count
from typing import Final

from solver.core.question import Others
from solver.puzzles.quality import Candidate

_TITLES: Final = (
    "A close shave", "A fine line", "A long evening", "A narrow path", "A second look",
    "Against the odds", "All in good time", "All or nothing", "Almost there", "Another way round",
    "As luck would have it", "At the last gasp", "Bad company", "Before it is too late",
    "Between friends", "Beyond doubt", "By candlelight", "Change of heart", "Cold feet",
    "Count twice", "Crossroads", "Cutting it fine", "Down to the wire", "Eleventh hour",
    "Empty promises", "Even so", "Everything at once", "Fair weather", "Familiar faces",
    "Far from over", "Few words", "First things first", "Fool's errand", "For old times' sake",
    "From the back foot", "Give and take", "Half a chance", "Here and now", "High stakes",
    "House rules", "If only", "In plain sight", "In the balance", "In two minds", "Just in case",
    "Last orders", "Last round", "Late arrivals", "Less haste", "Living dangerously",
    "Loose ends", "Make do", "Mixed company", "Nearly home", "Never mind", "Next of kin",
    "No way back", "Not so fast", "Nothing to lose", "Odd one out", "Of two evils",
    "On thin ice", "Once and for all", "One last favour", "Open secrets", "Out of hand",
    "Over the hill", "Parting words", "Poor relations", "Quiet hours", "Ready or not",
    "Rough ground", "Second thoughts", "Sharp elbows", "Short of breath", "Slow burn",
    "So near", "Soft landing", "Spare change", "Stand your ground", "Still waters",
    "Strange bedfellows", "Take it or leave it", "The better half", "The easy part",
    "The hard way", "The long game", "The other side", "The usual suspects", "Thin air",
    "Third time lucky", "Tight corners", "Time to go", "Tough luck", "True colours",
    "Turning the tables", "Two to tango", "Under pressure", "Unfinished business",
    "Uninvited guests", "Up in the air", "Weighing up", "What remains", "Where it hurts",
    "While it lasts", "Wishful thinking", "With open eyes", "Worse things happen",
)  # fmt: skip
_MATTERS: Final = (
    "A bad hand", "A bargain", "A choice", "A dilemma", "A good day", "A lesson", "A long road",
    "A night", "A small step", "A surprise", "A task", "A toast", "A way out", "Bad news",
    "Daylight", "Errands", "Good news", "Last chance",
    "No rest", "No room", "One move", "Patience", "Room", "Small change", "Time", "Trouble",
    "Work",
)  # fmt: skip
"""To be followed by "for" and a name."""

_TRIES: Final = 200
_THIS_TURN: Final = (
    "Win this turn.",
    "Which first move wins this turn?",
    "How do you win this turn?",
    "There is one way to win this turn.",
    "Find the win this turn.",
)
_BEST_CHANCE: Final = (
    "Which first move gives you the best chance to win this turn?",
    "No move wins for certain; find the best chance this turn.",
    "How do you get the most out of this turn?",
    "What is your best bet this turn?",
)
_LATER: Final = (
    "Win within {turns} turns, this one included.",
    "You have {turns} turns to win, counting this one.",
    "Be the winner after {turns} turns at the latest, this one counted.",
)
_LATER_CHANCE: Final = (
    "Find the best chance to win within {turns} turns, this one included.",
    "Which first move most often wins within {turns} turns, counting this one?",
)
_DENY_NOW: Final = (
    "{denied} must not win this turn.",
    "Keep {denied} from winning this turn.",
    "Whatever happens this turn, it must not be a win for {denied}.",
)
_DENY: Final = (
    "Keep {denied} from winning within {turns} turns, this one included.",
    "{denied} must not win in this turn or the next{more}.",
    "See to it that {denied} has not won after {turns} turns.",
    "Hold off {denied} for {turns} turns, this one included.",
)
_DENY_CHANCE: Final = (
    "What gives you the best chance to keep {denied} from winning within {turns} turns?",
    "Make it as hard as you can for {denied} to win within {turns} turns, this one included.",
)
_OTHERS: Final = {
    Others.COALITION.value: ("", "", "Everybody is against you.", "The others play as one."),
    Others.SELFISH.value: (
        "The others play for themselves.",
        "Each of the others wants to win.",
        "Everybody plays for themselves.",
    ),
    Others.RANDOM.value: (
        "The others move at random.",
        "The others leave it to chance.",
        "The others toss coins.",
    ),
}


def title(candidate: Candidate, dice: random.Random, taken: Container[str]) -> str:
    """A title whose slug is not taken."""
    hero = candidate.material.hero(candidate.position)
    plain = dice.sample(_TITLES, len(_TITLES))
    matters = dice.sample(_MATTERS, len(_MATTERS))
    named = [f"{matter} for {hero}" for matter in matters] if hero else []
    for words in (*plain, *named):
        if slug(words) not in taken:
            return words
    numbered = (f"{plain[0]} ({number})" for number in count(2))
    return next(words for words in numbered if slug(words) not in taken)


def slug(words: str) -> str:
    """The title as a file name."""
    return re.sub("[^a-z0-9]+", "-", words.casefold().replace("'", "")).strip("-")


def story(candidate: Candidate, dice: random.Random, used: Container[str] = ()) -> str:
    """One or two things to see on the table, and the task; like no story told before."""
    for _ in range(_TRIES):
        remarks = candidate.material.remarks(candidate.position, dice)[: dice.choice((1, 2, 2))]
        words = " ".join(filter(None, (*remarks, _task(candidate, dice))))
        if words not in used:
            break
    return words


def _task(candidate: Candidate, dice: random.Random) -> str:
    denied, turns = candidate.denied, candidate.turns
    tasks: tuple[str, ...]
    if denied:
        tasks = _DENY if candidate.value == 1 else _DENY_CHANCE
        tasks = _DENY_NOW if turns == 1 and candidate.value == 1 else tasks
    elif turns == 1:
        tasks = _THIS_TURN if candidate.value == 1 else _BEST_CHANCE
    else:
        tasks = _LATER if candidate.value == 1 else _LATER_CHANCE
    more = {3: " two", 4: " three"}.get(turns, "")
    task = dice.choice(tasks).format(denied=denied, turns=turns, more=more)
    task = task.replace("within 1 turns, this one included", "this turn")
    task = task.replace("within 1 turns", "this turn")
    others = dice.choice(_OTHERS[candidate.solution.query.others])
    return f"{others} {task}" if others else task
