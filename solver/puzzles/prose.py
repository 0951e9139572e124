"""Titles and stories for puzzles that were found by search."""

from __future__ import annotations

import random
import re
from collections.abc import Container
from itertools import count
from typing import Final

from games.hidden_leaders.positions.notation import Position
from games.hidden_leaders.rules.cards import LEADERS
from games.hidden_leaders.text.cards import faction_words
from games.seats import seat_from_name, seat_name
from solver.puzzles.quality import Find
from solver.puzzles.themes import (
    COPY_CHAIN,
    DENYING,
    EMPEROR_COUNTS,
    FORCED_BURIAL,
    FORCED_CHOICE,
    HIDDEN_CARDS,
    MARKERS,
    STRENGTH,
    TIE_BREAK,
)

_TITLES: Final = {
    COPY_CHAIN: ("Second hand", "As seen before", "Borrowed skill", "An echo", "Do as they did"),
    DENYING: ("Hold the line", "Not today", "The spoiler", "A foot in the door", "Closing time"),
    EMPEROR_COUNTS: ("One of all", "The fifth banner", "Long live", "Crown and grave"),
    FORCED_BURIAL: ("A grave matter", "Somebody must go", "One less", "Deep down"),
    FORCED_CHOICE: ("Your choice, my win", "After you", "Neither will help", "A fair offer"),
    HIDDEN_CARDS: ("Face down", "In the dark", "Educated guess", "Behind the cards"),
    MARKERS: ("A step apart", "Red and green", "The right distance", "Small steps"),
    STRENGTH: ("The stronger party", "Who benefits", "One more friend", "Not for them"),
    TIE_BREAK: ("Neck and neck", "By a hair", "Even parties", "Equal is enough"),
}

_OPENINGS: Final = {
    COPY_CHAIN: (
        "What one hero can do, another can repeat.",
        "The best deeds are those of others.",
    ),
    DENYING: ("Red stands at {red}, green at {green}.", "The markers are at {red} and {green}."),
    EMPEROR_COUNTS: (
        "One hero is of every faction.",
        "The Emperor has no ability, and still he counts.",
    ),
    FORCED_BURIAL: ("Not every hero will stay.", "A hero in the graveyard counts for nobody."),
    FORCED_CHOICE: (
        "Another player will be asked to choose.",
        "You may have to leave the choice to somebody else.",
    ),
    HIDDEN_CARDS: ("Not everything lies open.", "Some of it you can only guess."),
    MARKERS: ("Red stands at {red}, green at {green}.", "The markers are at {red} and {green}."),
    STRENGTH: (
        "It is not enough that the right faction wins.",
        "Others are for the same faction.",
    ),
    TIE_BREAK: ("Two parties may come out equal.", "Equal strength is not the end of it."),
}


def title(found: Find, theme: str, dice: random.Random, taken: Container[str]) -> str:
    """A title whose slug is not taken; it does not give the answer away."""
    leader = LEADERS[found.position.seats[0].leader].name
    plain = dice.sample(_TITLES[theme], len(_TITLES[theme]))
    for words in (*plain, *(f"{words} for {leader}" for words in plain)):
        if slug(words) not in taken:
            return words
    numbered = (f"{plain[0]} ({number})" for number in count(2))
    return next(words for words in numbered if slug(words) not in taken)


def slug(words: str) -> str:
    """The title as the name of a file."""
    return re.sub("[^a-z0-9]+", "-", words.casefold().replace("'", "")).strip("-")


def story(found: Find, theme: str, dice: random.Random) -> str:
    """A few sentences: what it is about, how near the end is, and what is asked."""
    position = found.position
    opening = dice.choice(_OPENINGS[theme]).format(red=position.red, green=position.green)
    sentences = (opening, _support(found), _nearness(position), _task(found, dice))
    return " ".join(sentence for sentence in sentences if sentence)


def _support(found: Find) -> str:
    """What the one is for who must not win."""
    denied = _denied(found)
    if not denied:
        return ""
    leader = LEADERS[found.position.seats[seat_from_name(denied)].leader]
    return f"{denied} supports {faction_words(leader.factions, ' and ')}."


def _nearness(position: Position) -> str:
    """Who could end the game with the next hero."""
    full = position.threshold - 1
    near = [seat_name(n) for n, seat in enumerate(position.seats) if len(seat.open) == full]
    if not near:
        return ""
    who = near[0] if len(near) == 1 else f"{', '.join(near[:-1])} and {near[-1]}"
    return f"{who} {'needs' if len(near) == 1 else 'each need'} one more hero to end the game."


def _task(found: Find, dice: random.Random) -> str:
    asked = found.solved.asked
    turns = found.turns
    if denied := _denied(found):
        return dice.choice(
            (
                f"Keep {denied} from winning within {turns} turns, this one included.",
                f"{denied} must not win in this turn or the next{_more(turns)}.",
            )
        )
    if turns > 1:
        others = ", everybody playing for themselves" if asked.others == "selfish" else ""
        return f"Win within {turns} turns, this one included{others}."
    if found.value < 1:
        return "Which first move gives A the best chance to win this turn?"
    return dice.choice(("Which first move wins this turn?", "How does A win this turn?"))


def _denied(found: Find) -> str:
    """The seat that must not win, if there is one."""
    return found.solved.asked.goal.partition(":")[2]


def _more(turns: int) -> str:
    return " two" if turns == 3 else ""
