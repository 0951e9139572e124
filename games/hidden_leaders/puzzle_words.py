"""What a story can say about a position of Hidden Leaders without giving the answer away.

Everything said is true of the position and visible to the seat to move, which is "you".
"""

from __future__ import annotations

import random
from typing import Final

from games.hidden_leaders.positions.position import UNKNOWN, Position
from games.hidden_leaders.rules.cards import EMPEROR, HEROES, LEADERS
from games.hidden_leaders.rules.constants import FACTION_NAMES, FACTIONS, WATER
from games.hidden_leaders.rules.scoring import winning_faction
from games.seats import listed_seats, seat_name

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def remarks(position: Position, dice: random.Random) -> list[str]:
    """Sentences about the position in random order, at most one of each kind."""
    kinds = (_markers, _end, _rivals, _strongest, _emperor, _unknown, _hands)
    chosen = [dice.choice(sentences) for kind in kinds if (sentences := kind(position))]
    dice.shuffle(chosen)
    return chosen


def _markers(position: Position) -> list[str]:
    red, green = position.red, position.green
    faction = int(winning_faction(red, green))
    sentences = [
        f"Red stands at {red} and green at {green}.",
        f"With red at {red} and green at {green}, victory would go to {_the(faction)}.",
        f"If it ended now, {_the(faction)} would have won.",
        f"The markers, at {red} and {green}, favour {_the(faction)}.",
    ]
    mine = LEADERS[position.seats[0].leader].factions
    if mine & faction:
        sentences.append(f"The markers are where you want them, at {red} and {green}. For now.")
        sentences.append(f"The lead is with {_the(faction)}, which suits you.")
    else:
        yours = " and ".join(_the(each) for each in FACTIONS if each & mine)
        sentences.append(f"The lead is with {_the(faction)}, and you are for {yours}.")
        sentences.append(f"You support {yours}; the markers do not.")
    return sentences


def _the(faction: int) -> str:
    return FACTION_NAMES[faction] if faction == WATER else f"the {FACTION_NAMES[faction]}"


def _end(position: Position) -> list[str]:
    """Who could end the game, and with how many heroes."""
    missing = [position.threshold - len(seat.open) for seat in position.seats]
    near = [seat for seat, left in enumerate(missing) if left == 1]
    if not near:
        fewest = min(missing)
        return [
            f"Everybody is at least {_NUMBERS[fewest]} heroes from the end.",
            f"The end is still {_NUMBERS[fewest]} heroes away.",
        ]
    if near == [0]:
        return [
            "You are one hero from the end; nobody else is.",
            "Only you can end it with a single hero.",
            f"Your party has {len(position.seats[0].open)} of {position.threshold} open heroes.",
        ]
    if 0 not in near:
        who = listed_seats(near)
        needs = "needs" if len(near) == 1 else "each need"
        armed = all(position.seats[seat].hand for seat in near)
        return [
            f"{who} {needs} one more hero to end the game; you need {_NUMBERS[missing[0]]}.",
            f"One more hero for {_either(near)}, and it is over.",
            *([f"{who} could end it at any moment."] if armed else []),
        ]
    others = listed_seats([seat for seat in near if seat])
    return [
        f"You could end it with the next hero, and so could {others}.",
        f"One open hero is missing in your party, and in that of {others}.",
        f"{others} and you are both a single hero from the end."
        if len(near) == 2
        else f"You, {others}: each is a single hero from the end.",
    ]


def _either(seats: list[int]) -> str:
    return " or ".join(map(seat_name, seats))


def _rivals(position: Position) -> list[str]:
    """Who is for the same factions as the seat to move."""
    mine = LEADERS[position.seats[0].leader].factions
    all_known = all(seat.leader >= 0 for seat in position.seats)
    sentences = []
    for faction in FACTIONS:
        if not mine & faction:
            continue
        same = [
            number
            for number, seat in enumerate(position.seats)
            if number and seat.leader >= 0 and LEADERS[seat.leader].factions & faction
        ]
        if same:
            verb = "wants" if len(same) == 1 else "want"
            sentences.append(f"{listed_seats(same)} {verb} {_the(faction)} to win, as you do.")
            if all_known:
                sentences.append(
                    f"{_capital(_the(faction))}: that is you and {listed_seats(same)}."
                )
        elif all_known:
            sentences.append(f"You alone support {_the(faction)}.")
    return sentences


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _strongest(position: Position) -> list[str]:
    """Which party shows the most heroes of a faction."""
    sentences = []
    for faction in FACTIONS:
        counts = [
            sum(bool(HEROES[card].faction & faction) for card in seat.open if card >= 0)
            for seat in position.seats
        ]
        most = max(counts)
        leading = [seat for seat, count in enumerate(counts) if count == most]
        if most and len(leading) == 1:
            name, count = FACTION_NAMES[faction], _NUMBERS[most]
            heroes = f"{count} {name} {'hero' if most == 1 else 'heroes'}"
            if leading == [0]:
                sentences.append(f"Nobody shows as many {name} heroes as you: {count}.")
            else:
                sentences.append(f"{seat_name(leading[0])} shows {heroes}, more than anybody else.")
    return sentences


def _emperor(position: Position) -> list[str]:
    for number, seat in enumerate(position.seats):
        if EMPEROR in (*seat.open, *seat.hidden):
            whose = "your" if number == 0 else f"{seat_name(number)}'s"
            return [
                f"The Buried Emperor is in {whose} party.",
                f"Mind the Emperor in {whose} party.",
            ]
    if EMPEROR in position.graveyard and position.graveyard[-1] == EMPEROR:
        return ["The Emperor lies on top of the graveyard.", "The Emperor has not been woken yet."]
    return []


def _unknown(position: Position) -> list[str]:
    """Whose leader or heroes the seat to move does not know."""
    leaders = [number for number, seat in enumerate(position.seats) if seat.leader == UNKNOWN]
    if leaders:
        lead = "leads" if len(leaders) == 1 else "lead"
        return [
            f"Who {lead} {listed_seats(leaders)}? You cannot tell.",
            f"{listed_seats(leaders)} {'has' if len(leaders) == 1 else 'have'} shown no colours.",
            f"Nobody has told you whom {listed_seats(leaders)} {_serve(leaders)}.",
        ]
    hiding = [number for number, seat in enumerate(position.seats) if UNKNOWN in seat.hidden]
    if not hiding:
        return []
    count = position.seats[hiding[0]].hidden.count(UNKNOWN)
    heroes = "A hero lies" if count == 1 else f"{_capital(_NUMBERS[count])} heroes lie"
    owner = seat_name(hiding[0])
    return [
        f"{heroes} face down in {owner}'s party.",
        f"What {owner} has placed face down, you have not seen.",
        f"{owner} keeps something from you.",
    ]


def _serve(seats: list[int]) -> str:
    return "serves" if len(seats) == 1 else "serve"


def _hands(position: Position) -> list[str]:
    """How many cards the others hold."""
    empty = [number for number, seat in enumerate(position.seats) if number and not seat.hand]
    if len(empty) == position.players - 1:
        return ["All others have played their last card.", "Nobody else has a card left in hand."]
    if position.players - 2 == len(empty):
        (holder,) = set(range(1, position.players)) - set(empty)
        count = len(position.seats[holder].hand)
        cards = "card" if count == 1 else "cards"
        return [
            f"Besides you only {seat_name(holder)} holds cards.",
            f"{seat_name(holder)} has {_NUMBERS[count]} {cards} left, the others none."
            if position.players > 2
            else f"{seat_name(holder)} has {_NUMBERS[count]} {cards} left.",
        ]
    return []
