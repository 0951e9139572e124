"""Titles and stories for puzzles found by search."""

from __future__ import annotations

import random
import re
from collections.abc import Container
from itertools import count

from solver.puzzles.quality import Candidate


def title(candidate: Candidate, theme: str, dice: random.Random, taken: Container[str]) -> str:
    """A title whose slug is not taken; it does not give the answer away."""
    titles = candidate.material.titles(theme)
    role = candidate.game.roles(candidate.state)[0]
    plain = dice.sample(titles, len(titles))
    for words in (*plain, *(f"{words} for {role}" for words in plain)):
        if slug(words) not in taken:
            return words
    numbered = (f"{plain[0]} ({number})" for number in count(2))
    return next(words for words in numbered if slug(words) not in taken)


def slug(words: str) -> str:
    """The title as a file name."""
    return re.sub("[^a-z0-9]+", "-", words.casefold().replace("'", "")).strip("-")


def story(candidate: Candidate, theme: str, dice: random.Random) -> str:
    """A few sentences: an opening, how near the end is, and the task."""
    material, state = candidate.material, candidate.state
    denied = candidate.denied
    sentences = (
        material.opening(theme, state, dice),
        material.allegiance(state, ord(denied) - ord("A")) if denied else "",
        material.nearness(state),
        _task(candidate, dice),
    )
    return " ".join(sentence for sentence in sentences if sentence)


def _task(candidate: Candidate, dice: random.Random) -> str:
    turns = candidate.turns
    if denied := candidate.denied:
        more = " two" if turns == 3 else ""
        return dice.choice(
            (
                f"Keep {denied} from winning within {turns} turns, this one included.",
                f"{denied} must not win in this turn or the next{more}.",
            )
        )
    if turns > 1:
        selfish = candidate.solution.query.others == "selfish"
        others = ", everybody playing for themselves" if selfish else ""
        return f"Win within {turns} turns, this one included{others}."
    if candidate.value < 1:
        return "Which first move gives A the best chance to win this turn?"
    return dice.choice(("Which first move wins this turn?", "How does A win this turn?"))
