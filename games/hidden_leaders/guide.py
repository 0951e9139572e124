"""Help for a person who plays Hidden Leaders: cards, goals, events, and why a game was won."""

from __future__ import annotations

from typing import Final

from games.errors import UnknownCard, did_you_mean
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.cards import CARD_NUMBER, HEROES, LEADERS
from games.hidden_leaders.rules.constants import (
    ALL_FACTIONS,
    EMPIRE,
    FACTION_NAMES,
    FACTIONS,
    TRIBES,
    UNDEAD,
    WATER,
    Event,
    Zone,
)
from games.hidden_leaders.rules.scoring import party_strength, steps_to, winning_faction
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.board import card_name, leader_name
from games.hidden_leaders.text.cards import faction_words, hero_sentence, leader_sentence
from games.hidden_leaders.text.moves import find_card
from games.hidden_leaders.text.rulings import RULINGS
from games.seats import seat_name, who, whose
from games.state import NOBODY, State
from games.view import View

RULES: Final = """\
Your secret leader supports two factions. When the game ends, the markers say which faction has won:
  Undead (U)  both markers stand in the war zone, 9 to 12
  Water (W)   otherwise, if they are at most one space apart
  Empire (E)  otherwise, if red is ahead
  Tribes (T)  otherwise, if green is ahead
Among the players whose leader supports it, most heroes of that faction win, open and hidden ones \
together; if that is a tie, fewest heroes in all, and then the higher leader number.
A turn: play one hero, or discard up to three cards, or do nothing; draw up to four cards; discard \
down to three. A hero played lies open in your party and does what it says at once.
The game ends after a turn in which some party has enough open heroes."""

CONDITIONS: Final = {
    UNDEAD: "both markers are in the war zone, 9 to 12",
    WATER: "the markers are at most one space apart, and not both in the war zone",
    EMPIRE: "red is ahead by two or more, and not both markers are in the war zone",
    TRIBES: "green is ahead by two or more, and not both markers are in the war zone",
}
_TO_READ: Final = ("play", "draw", "hide", "perform", "take")
"""Choices with these verbs show what the hero does."""
_PILES: Final = {
    Zone.HARBOR: "the harbor",
    Zone.WILDERNESS: "the wilderness",
    Zone.GRAVEYARD: "the graveyard",
    Zone.TAVERN: "the tavern",
    Zone.DRAWN: "the cards drawn",
}


# ---- help -------------------------------------------------------------------------------------


def describe(words: str) -> str:
    """Help on a hero, a leader or a faction; UnknownCard suggests the closest name."""
    wanted = words.strip().casefold()
    for faction, name in FACTION_NAMES.items():
        if wanted == name.casefold():
            return f"{name} wins if {CONDITIONS[faction]}."
    for number, leader in enumerate(LEADERS):
        if wanted == leader.name.casefold():
            return leader_sentence(number)
    for card, hero in enumerate(HEROES):
        if hero.name.casefold() in wanted:  # a move in words, such as "play Crow Carrier"
            return describe_hero(card)
    try:
        return describe_hero(find_card(words))
    except UnknownCard:
        others = [*FACTION_NAMES.values(), *(leader.name for leader in LEADERS)]
        hint = did_you_mean(wanted, others)
        if hint:
            raise UnknownCard(f"there is no card '{words}'{hint}") from None
        raise


def hint(choice: str) -> str:
    """The ability of the hero that a choice would play."""
    verb, _, name = choice.partition(" ")
    return hero_sentence(CARD_NUMBER[name]) if verb in _TO_READ and name in CARD_NUMBER else ""


def describe_hero(card: int) -> str:
    """Name, faction, ability and rulings."""
    return "\n".join([hero_title(card), hero_sentence(card), *hero_rulings(card)])


def hero_title(card: int) -> str:
    hero = HEROES[card]
    also = "not in the beginner deck" if hero.advanced else "also in the beginner deck"
    return f"{hero.name} ({hero.code}), {hero_faction(card)}, {also}"


def hero_faction(card: int) -> str:
    faction = HEROES[card].faction
    return "all" if faction == ALL_FACTIONS else faction_words(faction)


def hero_rulings(card: int) -> list[str]:
    return [f"R{number}  {RULINGS[number]}" for number in HEROES[card].rulings]


# ---- goals ------------------------------------------------------------------------------------


def aim(view: View) -> str:
    """The seat's factions, how far each is from winning, and how far the end is."""
    assert isinstance(view, HiddenLeadersView)
    red, green = view.red, view.green
    wanted = LEADERS[view.leader].factions
    goals = [_goal(faction, red, green) for faction in FACTIONS if faction & wanted]
    sizes = [len(view.open(seat)) for seat in range(view.players)]
    most = max(sizes)
    owners = ", ".join(who(seat, view.seat) for seat, size in enumerate(sizes) if size == most)
    parties = f"most so far: {most} ({owners})" if most else "none is open yet"
    return (
        f"You are {seat_name(view.seat)}, for {' and '.join(goals)}. "
        f"As the markers stand, {FACTION_NAMES[winning_faction(red, green)]} would win.\n"
        f"{view.threshold} open heroes in one party end the game; {parties}."
    )


def _goal(faction: int, red: int, green: int) -> str:
    steps = steps_to(faction, red, green)
    away = f"{_count(steps, 'step')} away" if steps else "ahead"
    return f"{FACTION_NAMES[faction]} ({away})"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


# ---- events -----------------------------------------------------------------------------------


def news(view: View, event: tuple[int, ...], before: str) -> str:
    """What an event adds to the text of the move before it; often nothing."""
    assert isinstance(view, HiddenLeadersView)
    kind = event[0]
    if kind == Event.MOVED:
        return _moved(view, event[1], event[3], event[5], before)
    if kind == Event.SEEN:
        return _seen(view, event[1], event[2], event[3])
    if kind == Event.MARKERS:
        now = (("red", view.red, event[1]), ("green", view.green, event[2]))
        return ", ".join(f"{name} {a} to {b}" for name, a, b in now if a != b)
    if kind == Event.RESHUFFLED:
        return "the wilderness is shuffled and becomes the harbor"
    if kind == Event.NONE_HELD:
        return f"no {FACTION_NAMES[event[2]]} in {whose(event[1], view.seat)} hand"
    if kind == Event.FIRST:
        return "you begin" if event[1] == view.seat else f"{seat_name(event[1])} begins"
    return ""


def _moved(view: HiddenLeadersView, source: int, target: int, card: int, before: str) -> str:
    dealt = view.decisions == 0
    if dealt or card < 0 or HEROES[card].name in before or target in (Zone.TAVERN, Zone.ASIDE):
        return ""  # the table shows it, the move names it, or the card moves on
    if source == Zone.ASIDE:
        return f"{card_name(card)} to {_place(view, target)}"
    return f"{card_name(card)} from {_place(view, source)} to {_place(view, target)}"


def _seen(view: HiddenLeadersView, zone: int, index: int, card: int) -> str:
    if card < 0 or zone == Zone.GRAVEYARD:  # the table shows its top
        return ""
    if zone >= Zone.HIDDEN:
        return f"{whose(zone - Zone.HIDDEN, view.seat)} hidden {index + 1} is {card_name(card)}"
    return f"{card_name(card)} is seen in {_place(view, zone)}"


def _place(view: HiddenLeadersView, zone: int) -> str:
    if zone in _PILES:
        return _PILES[zone]
    for base, name in ((Zone.HIDDEN, "hidden heroes"), (Zone.OPEN, "party"), (Zone.HAND, "hand")):
        if zone >= base:
            return f"{whose(zone - base, view.seat)} {name}"
    raise AssertionError(f"zone {zone} has no name")


# ---- the end ----------------------------------------------------------------------------------


def outcome(state: State) -> str:
    """Which faction has won and why, who supported it, and which tie-break decided."""
    assert isinstance(state, HiddenLeaders)
    if not state.faction:
        turns = _count(state.turns, "turn")
        return f"The game was stopped by its turn limit after {turns}, without a winner."
    name = FACTION_NAMES[state.faction]
    lines = [f"{name} has won: {CONDITIONS[state.faction]}."]
    for seat in range(state.players):
        if (heroes := state.size(Zone.OPEN + seat)) >= state.threshold:
            lines.insert(0, f"{seat_name(seat)} has {heroes} open heroes, which ends the game.")
    if state.winner == NOBODY:
        lines.append("No leader at the table supports it, so nobody wins.")
        return "\n".join(lines)
    for seat in _supporters(state):
        strength, heroes = _strength(state, seat)
        lines.append(
            f"{seat_name(seat)} supports it, {leader_name(state.leader(seat))}: "
            f"{strength} {name} in a party of {heroes}."
        )
    lines.append(f"{seat_name(state.winner)} wins: {_decided_by(state)}.")
    return "\n".join(lines)


def _supporters(state: HiddenLeaders) -> list[int]:
    leaders = [LEADERS[state.leader(seat)] for seat in range(state.players)]
    return [seat for seat, leader in enumerate(leaders) if leader.factions & state.faction]


def _strength(state: HiddenLeaders, seat: int) -> tuple[int, int]:
    """Heroes of the winning faction, and all heroes."""
    heroes = state.size(Zone.OPEN + seat) + state.size(Zone.HIDDEN + seat)
    return party_strength(state, seat, state.faction), heroes


def _decided_by(state: HiddenLeaders) -> str:
    """The tie-break that left one supporter (R85 to R90)."""
    rivals = [seat for seat in _supporters(state) if seat != state.winner]
    strength, heroes = _strength(state, state.winner)
    if not rivals:
        return "nobody else does"
    level = [seat for seat in rivals if _strength(state, seat)[0] == strength]
    if not level:
        return "the most heroes of that faction"
    if all(_strength(state, seat)[1] > heroes for seat in level):
        return "tied for most heroes of that faction, with fewer heroes in all"
    return f"a tie, and the highest leader number, {LEADERS[state.leader(state.winner)].number}"
