"""Heroes and leaders in English, generated from their steps; proof-read it against the box."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from games.hidden_leaders.rules.card_language import (
    ANYONE,
    GREEN_LEADS,
    ME,
    NAMED,
    NEXT,
    OTHERS,
    RED_LEADS,
    THEM,
    CardFilter,
    Shift,
    Step,
    Times,
    When,
    Where,
)
from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import ALL_FACTIONS, FACTION_NAMES, FACTIONS
from games.hidden_leaders.rules.verbs import verb_of

_COUNTS: Final = ("no", "one", "two", "three", "four")
_IF_LEADING: Final = {RED_LEADS: " if red leads", GREEN_LEADS: " if green leads"}
_ORIENTATION: Final = {Where.OPEN: "open", Where.HIDDEN: "hidden", Where.EITHER: "open or hidden"}
_DECIDER: Final = {THEM: "that player chooses: ", NEXT: "the next player chooses: "}


def hero_sentence(card: int) -> str:
    """What the hero does, one sentence for each of its steps."""
    steps = HEROES[card].steps
    if not steps:
        return "No ability."
    sentences = [step_clause(step) for step in steps]
    sentences[1:] = [
        ("then, " if sentence.startswith("if ") else "then ") + sentence
        for sentence in sentences[1:]
    ]
    return " ".join(sentence[0].upper() + sentence[1:] + "." for sentence in sentences)


def leader_sentence(leader: int) -> str:
    """Which factions the leader supports, and the number that decides the last tie-break."""
    who = LEADERS[leader]
    return f"{who.name} (number {who.number}) supports {faction_words(who.factions, ' and ')}."


def faction_words(factions: int, join: str = " or ") -> str:
    """The names of the factions whose bits are set."""
    return join.join(FACTION_NAMES[faction] for faction in FACTIONS if faction & factions)


def step_clause(step: Step) -> str:
    """One step as a sentence without its first capital and full stop."""
    english = verb_of(step).english
    action = _fill(english if isinstance(english, str) else english(step), step)
    decider = "you may " if step.optional else _DECIDER.get(step.by, "")
    return _condition(step) + decider + action


def _fill(template: str, step: Step) -> str:
    """The template with its {slots} filled."""
    return re.sub(r"\{(\w+)\}", lambda slot: _SLOTS[slot[1]](step), template)


# ---- marker phrases ---------------------------------------------------------------------------


def _shifts(step: Step) -> str:
    """The alternatives; X stands for an amount that is counted."""
    unit = "" if step.times == Times.ONCE else "X"
    shifts = step.shifts
    if is_any_of(shifts):
        return f"{_shift(shifts[0], unit)}, {_shift(shifts[1], unit)} or both"
    return "".join(
        (_or(shift) if k else "") + _shift(shift, unit) for k, shift in enumerate(shifts)
    )


def is_any_of(shifts: tuple[Shift, ...]) -> bool:
    """Whether the alternatives are the first, the second, or both."""
    return len(shifts) == 3 and shifts[2] == shifts[0].plus(shifts[1])


def _or(shift: Shift) -> str:
    """With a comma, so that a condition is not read as one of the alternative before."""
    return ", or " if shift.condition else " or "


def _shift(shift: Shift, unit: str) -> str:
    parts = [
        f"{name} {_amount(steps, unit)}"
        for name, steps in (
            ("red", shift.red),
            ("green", shift.green),
            ("the leading marker", shift.leading),
            ("the trailing marker", shift.trailing),
        )
        if steps
    ]
    return " and ".join(parts) + _IF_LEADING.get(shift.condition, "")


def _amount(steps: int, unit: str) -> str:
    if not unit:
        return f"{steps:+d}"
    sign = "+" if steps > 0 else "-"
    return sign + (unit if abs(steps) == 1 else f"{abs(steps)}{unit}")


def _scale(step: Step) -> str:
    """What X is."""
    if step.times == Times.CARDS_DISCARDED:
        return ", where X is the number of cards just discarded"
    if step.times == Times.THEIR_OPEN:
        kind = faction_words(step.faction)
        return f", where X is how many open {kind} heroes that player has, at most {step.count}"
    if step.times == Times.GRAVEYARD_SIZE:
        return f", where X is the number of cards in the graveyard, at most {step.count}"
    return ""


def _condition(step: Step) -> str:
    kind = faction_words(step.faction)
    return {
        When.ALWAYS: "",
        When.I_SHOW: f"if you have an open {kind} hero, ",
        When.DISCARDED_ONE: "if you discarded one, ",
        When.SHOWN_IS_NOT: f"if one was shown and it is not {kind}, ",
    }[step.condition]


# ---- descriptions of cards --------------------------------------------------------------------


def _kind(cards: CardFilter, join: str = " or ") -> str:
    """The factions wanted, followed by a space; empty if any faction will do."""
    if cards.faction in (ALL_FACTIONS, NAMED):
        return ""
    return faction_words(cards.faction, join) + " "


def _limits(cards: CardFilter) -> str:
    if cards.faction == NAMED:
        return " of the faction named"
    if cards.but_not:
        return f" that is not {faction_words(cards.but_not)}"
    return ""


def _article(words: str) -> str:
    return ("an " if words[0] in "aeiouAEIOU" else "a ") + words


def _one(cards: CardFilter | None, by: int = ME, random: bool = False, out_of: str = "from") -> str:
    """One card of the description, chosen by `by`."""
    assert cards is not None
    chosen = "random " if random else ""
    if cards.where == Where.DRAWN:
        return "one of the cards drawn"
    if cards.where == Where.GRAVEYARD:
        return "any card of the graveyard"
    if cards.where == Where.TAVERN:
        return _article(f"{chosen}{_kind(cards)}tavern card") + _limits(cards)
    if cards.where == Where.HAND:
        words = f"{chosen}{_kind(cards)}card {out_of} {_hand(cards.of, by)}"
        return _article(words) + _limits(cards)
    words = f"{chosen}{_ORIENTATION[cards.where]} {_kind(cards)}hero"
    return _article(words) + _owner(cards.of, by) + _limits(cards)


def _several(cards: CardFilter | None, count: int) -> str:
    """Up to `count` cards of the description."""
    if count == 1:
        return _one(cards)
    assert cards is not None
    owners = " of other players" if cards.of == OTHERS else _owner(cards.of, ME)
    return f"up to {_COUNTS[count]} {_ORIENTATION[cards.where]} {_kind(cards)}heroes{owners}"


def _all(cards: CardFilter | None) -> str:
    """All tavern cards of the description."""
    assert cards is not None
    return f"all {_kind(cards, ' and ')}tavern cards{_limits(cards)}"


def _player(step: Step) -> str:
    who = "another player" if step.whom == OTHERS else "a player, possibly yourself"
    if step.cards is None:
        return who
    having = {
        Where.OPEN: "an open hero",
        Where.HIDDEN: "a hidden hero",
        Where.HAND: "a card in hand",
    }
    return f"{who.replace('yourself', 'yourself,')} who has {having[step.cards.where]}"


def _hand(of: int, by: int) -> str:
    if of == ME:
        return "your hand" if by == ME else "their hand"
    if of == OTHERS:
        return "another player's hand"
    return "their hand" if by == THEM else "that player's hand"


def _owner(of: int, by: int) -> str:
    if of == ANYONE:
        return " in any party"
    if of == ME:
        return " in your party"
    if of == OTHERS:
        return " of another player"
    return " in their own party" if by == THEM else " of that player"


# ---- steps as words of the card language ------------------------------------------------------

_WHO_WORDS: Final = {ME: "ME", OTHERS: "OTHERS", ANYONE: "ANYONE", THEM: "THEM"}
_FILTER_WORDS: Final = {
    Where.OPEN: ("open_hero", ANYONE),
    Where.HIDDEN: ("hidden_hero", ANYONE),
    Where.EITHER: ("any_hero", ANYONE),
    Where.HAND: ("hand_card", ME),
    Where.TAVERN: ("tavern_card", ME),
    Where.GRAVEYARD: ("graveyard_card", ME),
    Where.DRAWN: ("drawn_card", ME),
}
"""The word for each place, and its default for `of`."""


def step_words(card: int) -> list[str]:
    """The hero's steps, each as the expression of the card language that builds it."""
    return [step_word(step) for step in HEROES[card].steps]


def step_word(step: Step) -> str:
    """The expression of the card language that builds the step."""
    word = _fill(verb_of(step).word, step)
    faction = _faction_word(step.faction)
    if step.optional:
        word = f"may({word})" if step.count == 1 else f"may({word}, upto={step.count})"
    word = {
        Times.ONCE: word,
        Times.CARDS_DISCARDED: f"per_discarded({word})",
        Times.THEIR_OPEN: f"per_their_open({faction}, {word})",
        Times.GRAVEYARD_SIZE: f"per_buried({word})",
    }[step.times]
    word = {
        When.ALWAYS: word,
        When.I_SHOW: f"if_i_show({faction}, {word})",
        When.DISCARDED_ONE: f"if_discarded({word})",
        When.SHOWN_IS_NOT: f"unless_shown({faction}, {word})",
    }[step.condition]
    return {ME: word, THEM: f"they({word})", NEXT: f"next_player({word})"}[step.by]


def _faction_word(faction: int) -> str:
    if faction == NAMED:
        return "NAMED"
    if faction == ALL_FACTIONS:
        return "ALL_FACTIONS"
    return faction_words(faction, " | ").upper()


def _filter_word(cards: CardFilter | None) -> str:
    if cards is None:
        return ""
    word, usual = _FILTER_WORDS[cards.where]
    details: list[str] = []
    if cards.of != usual:
        details.append(f"of={_WHO_WORDS[cards.of]}")
    if cards.faction != ALL_FACTIONS:
        details.append(f"faction={_faction_word(cards.faction)}")
    if cards.but_not:
        details.append(f"but_not={_faction_word(cards.but_not)}")
    return f"{word}({', '.join(details)})"


def _phrase(step: Step) -> str:
    words = [_shift_word(shift) for shift in step.shifts]
    if is_any_of(step.shifts):
        return f"any_of({words[0]}, {words[1]})"
    return f"either({', '.join(words)})" if len(words) > 1 else words[0]


def _shift_word(shift: Shift) -> str:
    amounts = (
        ("red", shift.red),
        ("green", shift.green),
        ("leading", shift.leading),
        ("trailing", shift.trailing),
    )
    parts = [f"{name}({steps:+d})" for name, steps in amounts if steps]
    word = parts[0] if len(parts) == 1 else f"both({', '.join(parts)})"
    if shift.condition == RED_LEADS:
        return f"while_leading(RED_LEADS, {word})"
    if shift.condition == GREEN_LEADS:
        return f"while_leading(GREEN_LEADS, {word})"
    return word


_SLOTS: Final[dict[str, Callable[[Step], str]]] = {
    # English
    "card": lambda step: _one(step.cards, by=step.by),
    "their_card": lambda step: _one(step.cards, by=THEM),
    "random_card": lambda step: _one(step.cards, random=True),
    "existing_card": lambda step: _one(step.cards, out_of="in"),
    "second_card": lambda step: _one(step.second),
    "several": lambda step: _several(step.cards, step.count),
    "all_cards": lambda step: _all(step.cards),
    "count": lambda step: _COUNTS[step.count],
    "player": _player,
    "shifts": _shifts,
    "scale": _scale,
    # Words of the card language
    "cards": lambda step: _filter_word(step.cards),
    "second": lambda step: _filter_word(step.second),
    "number": lambda step: str(step.count),
    "phrase": _phrase,
    "whom": lambda step: _WHO_WORDS[step.whom],
    "having": lambda step: "" if step.cards is None else f", having={_filter_word(step.cards)}",
    # Both
    "place": lambda step: step.place,
}
"""What the {slots} in the texts of `rules.verbs` stand for."""
