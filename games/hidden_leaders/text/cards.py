"""Heroes and leaders in English, read off their steps, to be proof-read against the box."""

from __future__ import annotations

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
    Cards,
    Shift,
    Step,
    Times,
    When,
    Where,
)
from games.hidden_leaders.rules.cards import HEROES, LEADERS
from games.hidden_leaders.rules.constants import ALL_FACTIONS, FACTION_NAMES, FACTIONS

_COUNTS: Final = ("no", "one", "two", "three", "four")
_IF_LEADING: Final = {RED_LEADS: " if red leads", GREEN_LEADS: " if green leads"}
_LIES: Final = {Where.OPEN: "open", Where.HIDDEN: "hidden", Where.EITHER: "open or hidden"}


def hero_sentence(card: int) -> str:
    """What the hero does, in sentences made from its steps."""
    steps = HEROES[card].steps
    if not steps:
        return "No ability."
    sentences = [_clause(step) for step in steps]
    sentences[1:] = [
        ("then, " if sentence.startswith("if ") else "then ") + sentence
        for sentence in sentences[1:]
    ]
    return " ".join(sentence[0].upper() + sentence[1:] + "." for sentence in sentences)


def leader_sentence(leader: int) -> str:
    """Whom the leader supports, and the number that decides the last tie-break."""
    who = LEADERS[leader]
    return f"{who.name} (number {who.number}) supports {faction_words(who.factions, ' and ')}."


def faction_words(factions: int, join: str = " or ") -> str:
    """The names of the factions whose bits are set."""
    return join.join(FACTION_NAMES[faction] for faction in FACTIONS if faction & factions)


# ---- whole steps ------------------------------------------------------------------------------


def _clause(step: Step) -> str:
    """One step as a sentence without its first capital and full stop."""
    if step.verb == "markers":
        return _marker_clause(step)
    if step.verb.startswith("everybody else: "):
        plain = step.verb.removeprefix("everybody else: ")
        return f"every other player chooses: {plain} {_one(step.cards, by=THEM)}"
    if step.verb == "hand over":
        return (
            f"that player chooses: hand you {_one(step.cards, by=THEM)}; "
            "a player without one says so"
        )
    deed = _deed(step)
    if step.optional:
        return "you may " + deed
    return _decider(step.by) + deed if step.verb != "pick player" else deed


def _decider(by: int) -> str:
    if by == THEM:
        return "that player chooses: "
    if by == NEXT:
        return "the next player chooses: "
    return ""


def _deed(step: Step) -> str:
    """What is done, without who decides and whether it is optional."""
    verb, cards = step.verb, step.cards
    if verb == "look":
        return "look at " + _several(cards, step.count)
    if verb == "exchange":
        return f"exchange {_one(cards)} with {_one(step.second)}"
    if verb == "pick player":
        return _pick_deed(step)
    if verb == "name faction":
        return f"name a faction, provided there is {_one(cards, out_of='in')}"
    if verb == "discard all":
        return "discard " + _all(cards)
    if verb.startswith("random "):
        return _plain_deed(verb.removeprefix("random "), _one(cards, random=True))
    if cards is None or verb == "perform aside":
        return _cardless_deed(step)
    return _plain_deed(verb, _one(cards, by=step.by))


def _plain_deed(verb: str, it: str) -> str:
    """A verb on one card."""
    return {
        "bury": f"bury {it}",
        "turn over": f"turn over {it}",
        "take": f"take {it} into your hand",
        "place hidden": f"place {it} hidden in your party",
        "place open": f"place {it} open in your party without performing it",
        "discard": f"discard {it}",
        "play another": f"play {it}, with its whole ability",
        "perform": f"perform {it} other than this hero and the Emperor",
        "expose": f"turn {it} face up; bury it if it is of the faction named, else it stays open",
        "move elsewhere": f"move {it} to the party of a player who is neither you nor its owner",
        "exchange graveyard top": f"exchange {it} with the top card of the graveyard",
        "turn up or look": f"either turn {it} face up or look at one",
        "turn up and perform": f"turn {it} face up and perform it",
    }[verb]


def _cardless_deed(step: Step) -> str:
    """A verb that needs no description of cards."""
    many, place = _COUNTS[step.count], step.place
    return {
        "draw": f"draw the top {many} cards of the {place}",
        "rest": "keep the rest in your hand"
        if place == "hand"
        else f"put the rest face down on the {place}",
        "draw from either pile": f"draw the top {many} cards of the wilderness or graveyard",
        "restock": "fill the tavern from the top of the graveyard",
        "show wilderness top": "show everybody the top card of the wilderness",
        "perform graveyard top": "perform the top card of the graveyard, which stays there",
        "perform aside": "set a tavern card aside, perform it and afterwards "
        + ("bury it" if place == "graveyard" else "place it hidden in your party"),
    }[step.verb]


def _pick_deed(step: Step) -> str:
    who = "another player" if step.by == OTHERS else "a player, possibly yourself"
    if step.cards is None:
        return f"pick {who}"
    who = who.replace("yourself", "yourself,")
    having = {
        Where.OPEN: "an open hero",
        Where.HIDDEN: "a hidden hero",
        Where.HAND: "a card in hand",
    }
    return f"pick {who} who has {having[step.cards.where]}"


# ---- marker phrases ---------------------------------------------------------------------------


def _marker_clause(step: Step) -> str:
    unit = "" if step.times == Times.ONCE else "X"
    shifts = step.shifts
    if joined(shifts):
        moved = f"{_shift(shifts[0], unit)}, {_shift(shifts[1], unit)} or both"
    else:
        moved = "".join(
            (_or(shift) if k else "") + _shift(shift, unit) for k, shift in enumerate(shifts)
        )
    clause = _condition(step) + _decider(step.by) + "move " + moved
    return clause + _scale(step)


def joined(shifts: tuple[Shift, ...]) -> bool:
    """Whether the alternatives are the first, the second, or both."""
    if len(shifts) != 3:
        return False
    one, two, both = shifts
    return both == Shift(
        one.red + two.red,
        one.green + two.green,
        one.leading + two.leading,
        one.trailing + two.trailing,
    )


def _or(shift: Shift) -> str:
    """A comma keeps a condition from being read into the alternative before."""
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


def _kind(cards: Cards, join: str = " or ") -> str:
    """The factions asked for, with a space behind, or nothing if any will do."""
    if cards.faction in (ALL_FACTIONS, NAMED):
        return ""
    return faction_words(cards.faction, join) + " "


def _limits(cards: Cards) -> str:
    if cards.faction == NAMED:
        return " of the faction named"
    if cards.but_not:
        return f" that is not {faction_words(cards.but_not)}"
    return ""


def _article(words: str) -> str:
    return ("an " if words[0] in "aeiouAEIOU" else "a ") + words


def _one(cards: Cards | None, by: int = ME, random: bool = False, out_of: str = "from") -> str:
    """One card of the description, `by` being who chooses it."""
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
    words = f"{chosen}{_LIES[cards.where]} {_kind(cards)}hero"
    return _article(words) + _owner(cards.of, by) + _limits(cards)


def _several(cards: Cards | None, count: int) -> str:
    """Up to so many cards of the description."""
    if count == 1:
        return _one(cards)
    assert cards is not None
    owners = " of other players" if cards.of == OTHERS else _owner(cards.of, ME)
    return f"up to {_COUNTS[count]} {_LIES[cards.where]} {_kind(cards)}heroes{owners}"


def _all(cards: Cards | None) -> str:
    """All tavern cards of the description."""
    assert cards is not None
    return f"all {_kind(cards, ' and ')}tavern cards{_limits(cards)}"


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


# ---- the vocabulary itself --------------------------------------------------------------------

_WHO_WORDS: Final = {ME: "ME", OTHERS: "OTHERS", ANYONE: "ANYONE", THEM: "THEM"}
_PLAIN_WORDS: Final = {
    "bury": "bury",
    "turn over": "turn_over",
    "look": "look",
    "take": "take",
    "place hidden": "place_hidden",
    "place open": "place_open",
    "discard": "discard",
    "play another": "play_another",
    "perform": "perform",
    "expose": "expose",
    "move elsewhere": "move_elsewhere",
    "exchange": "exchange",
    "exchange graveyard top": "exchange_graveyard_top",
    "turn up or look": "turn_up_or_look",
    "discard all": "discard_all",
    "restock": "restock_tavern",
    "show wilderness top": "show_wilderness_top",
    "perform graveyard top": "perform_graveyard_top",
    "turn up and perform": "turn_up_and_perform",
    "hand over": "hand_over",
}


def step_words(card: int) -> list[str]:
    """The hero's steps, each as the expression of the card vocabulary that builds it."""
    return [_step_word(step) for step in HEROES[card].steps]


def _step_word(step: Step) -> str:
    if step.verb == "markers":
        return _marker_word(step)
    if step.verb.startswith("everybody else: "):
        plain = _PLAIN_WORDS[step.verb.removeprefix("everybody else: ")]
        return f"everybody_else({plain}({_cards_word(step.cards)}))"
    if step.verb.startswith("random "):
        plain = _PLAIN_WORDS[step.verb.removeprefix("random ")]
        return f"random_card({plain}({_cards_word(step.cards)}))"
    word = _verb_word(step)
    if step.optional:
        word = f"may({word})" if step.count == 1 else f"may({word}, upto={step.count})"
    return word if step.verb in ("pick player", "hand over") else _by_word(step.by, word)


def _verb_word(step: Step) -> str:
    if step.verb == "pick player":
        having = "" if step.cards is None else f", having={_cards_word(step.cards)}"
        return f"pick_player({_WHO_WORDS[step.by]}{having})"
    if step.verb == "name faction":
        return f"name_faction(needs={_cards_word(step.cards)})"
    if step.verb == "draw":
        return f'draw({step.count}, "{step.place}")'
    if step.verb == "rest":
        return f'rest_to("{step.place}")'
    if step.verb == "draw from either pile":
        return f"draw_from_either_pile({step.count})"
    if step.verb == "perform aside":
        return f'perform_aside(then="{step.place}")'
    if step.verb == "hand over":
        return "hand_over()"
    described = [cards for cards in (step.cards, step.second) if cards is not None]
    return f"{_PLAIN_WORDS[step.verb]}({', '.join(_cards_word(cards) for cards in described)})"


def _by_word(by: int, word: str) -> str:
    if by == THEM:
        return f"they({word})"
    return f"next_player({word})" if by == NEXT else word


def _faction_word(faction: int) -> str:
    if faction == NAMED:
        return "NAMED"
    if faction == ALL_FACTIONS:
        return "ALL_FACTIONS"
    return faction_words(faction, " | ").upper()


def _cards_word(cards: Cards | None) -> str:
    assert cards is not None
    word, usual = {
        Where.OPEN: ("open_hero", ANYONE),
        Where.HIDDEN: ("hidden_hero", ANYONE),
        Where.EITHER: ("any_hero", ANYONE),
        Where.HAND: ("hand_card", ME),
        Where.TAVERN: ("tavern_card", ME),
        Where.GRAVEYARD: ("graveyard_card", ME),
        Where.DRAWN: ("drawn_card", ME),
    }[cards.where]
    details: list[str] = []
    if cards.of != usual:
        details.append(f"of={_WHO_WORDS[cards.of]}")
    if cards.faction != ALL_FACTIONS:
        details.append(f"faction={_faction_word(cards.faction)}")
    if cards.but_not:
        details.append(f"but_not={_faction_word(cards.but_not)}")
    return f"{word}({', '.join(details)})"


def _marker_word(step: Step) -> str:
    shifts = step.shifts
    if joined(shifts):
        word = f"any_of({_shift_word(shifts[0])}, {_shift_word(shifts[1])})"
    elif len(shifts) > 1:
        word = f"either({', '.join(_shift_word(shift) for shift in shifts)})"
    else:
        word = _shift_word(shifts[0])
    kind = _faction_word(step.faction)
    word = {
        Times.ONCE: word,
        Times.CARDS_DISCARDED: f"per_discarded({word})",
        Times.THEIR_OPEN: f"per_their_open({kind}, {word})",
        Times.GRAVEYARD_SIZE: f"per_buried({word})",
    }[step.times]
    word = {
        When.ALWAYS: word,
        When.I_SHOW: f"if_i_show({kind}, {word})",
        When.DISCARDED_ONE: f"if_discarded({word})",
        When.SHOWN_IS_NOT: f"unless_shown({kind}, {word})",
    }[step.condition]
    return _by_word(step.by, word)


def _shift_word(shift: Shift) -> str:
    parts = [
        f"{name}({steps:+d})"
        for name, steps in (
            ("red", shift.red),
            ("green", shift.green),
            ("leading", shift.leading),
            ("trailing", shift.trailing),
        )
        if steps
    ]
    word = parts[0] if len(parts) == 1 else f"both({', '.join(parts)})"
    if shift.condition == RED_LEADS:
        return f"while_leading(RED_LEADS, {word})"
    if shift.condition == GREEN_LEADS:
        return f"while_leading(GREEN_LEADS, {word})"
    return word
