"""What a story can say about a position of Secrets without giving the answer away.

Everything said is true of the position and known to the seat that decides, which is "you".
"""

from __future__ import annotations

import random
from typing import Final

from games.seats import listed_seats, seat_name
from games.secrets.constants import (
    FEWEST_PLAYERS,
    SIDE_NAMES,
    THRESHOLDS,
    VALUES,
    Phase,
    Token,
)
from games.secrets.moves import bullet_text, character_name
from games.secrets.position import UNKNOWN, Position, Seat
from games.state import NOBODY

_SIDES: Final = ("a CIA agent", "a KGB agent", "a Hippie")


def remarks(position: Position, dice: random.Random) -> list[str]:
    """Sentences about the position in random order, at most one of each kind; the task first."""
    kinds = (_teams, _lowest, _end, _yourself, _centre, _holder)
    chosen = [dice.choice(sentences) for kind in kinds if (sentences := kind(position))]
    dice.shuffle(chosen)
    moment = _moment(position)
    return [dice.choice(moment), *chosen] if moment else chosen


def _points(seat: Seat) -> int:
    return sum(VALUES[card] for card in seat.up) - sum(max(bullet, 0) for bullet in seat.bullets)


def _teams(position: Position) -> list[str]:
    if any(seat.token < 0 or UNKNOWN in seat.bullets for seat in position.seats):
        return []
    cia, kgb = (
        sum(_points(seat) for seat in position.seats if seat.token == side)
        for side in (Token.CIA, Token.KGB)
    )
    if cia == kgb:
        return ["CIA and KGB are level.", f"Both teams have {cia} points."]
    ahead, behind = ("CIA", "KGB") if cia > kgb else ("KGB", "CIA")
    gap = abs(cia - kgb)
    points = "a point" if gap == 1 else f"{gap} points"
    return [
        f"The {ahead} leads by {points}.",
        f"The {behind} is {points} behind.",
        f"So far it is {max(cia, kgb)} to {min(cia, kgb)} for the {ahead}.",
    ]


def _lowest(position: Position) -> list[str]:
    if any(UNKNOWN in seat.bullets for seat in position.seats):
        return []
    points = [_points(seat) for seat in position.seats]
    last = [seat for seat, count in enumerate(points) if count == min(points)]
    if len(last) > 1:
        return [f"{listed_seats(last)} share the lowest score."] if len(last) < 4 else []
    (seat,) = last
    who = "You have" if seat == 0 else f"{seat_name(seat)} has"
    sentences = [f"{who} the lowest score, {points[seat]}."]
    if position.seats[seat].token == Token.HIPPIE and seat:
        sentences.append(f"{seat_name(seat)} is a Hippie with the lowest score of all.")
    return sentences


def _end(position: Position) -> list[str]:
    threshold = THRESHOLDS[position.players - FEWEST_PLAYERS]
    sizes = [seat.size for seat in position.seats]
    if max(sizes) >= threshold:
        return ["This turn is the last.", "The game ends with this turn."]
    near = [seat for seat, size in enumerate(sizes) if size == threshold - 1]
    if near == [0]:
        return ["One more card in your display ends the game."]
    names = ["you" if seat == 0 else seat_name(seat) for seat in near]
    *most, last = names
    either = f"{', '.join(most)} or {last}" if most else last
    sentences = [f"One more card for {either} ends the game."]
    if 0 not in near:
        has = "has" if len(near) == 1 else "each have"
        sentences.append(f"{listed_seats(near)} {has} {threshold - 1} of {threshold} cards.")
    return sentences


def _yourself(position: Position) -> list[str]:
    token = position.seats[0].token
    if token < 0:
        return ["You have lost track of your own token.", "Whose side are you on? You do not know."]
    friends = [
        number for number, seat in enumerate(position.seats) if number and seat.token == token
    ]
    sentences = [f"You are {_SIDES[token]}."]
    if token != Token.HIPPIE and all(seat.token >= 0 for seat in position.seats):
        name = SIDE_NAMES[token]
        if friends:
            sentences = [f"{', '.join(map(seat_name, friends))} and you are {name}."]
        else:
            sentences = [f"You are all that is left of the {name}."]
    return sentences


def _centre(position: Position) -> list[str]:
    if position.centre < 0:
        return []
    side = SIDE_NAMES[position.centre]
    return [f"The token in the centre is {side}.", f"A {side} token lies in the centre."]


def _holder(position: Position) -> list[str]:
    holder = position.holder
    if holder == NOBODY:
        return []
    return [f"{'You hold' if holder == 0 else f'{seat_name(holder)} holds'} the UN token."]


def _moment(position: Position) -> list[str]:
    """What the seat is about to decide."""
    card = character_name(position.offered)
    match position.phase:
        case Phase.CHOOSE:
            first, second = (character_name(card) for card in dict.fromkeys(position.turned))
            return [
                f"You have turned up a {first} and a {second}.",
                f"{first} or {second}: one of them you must offer.",
            ]
        case Phase.TARGET:
            return [f"The {card} is yours to offer.", f"Somebody is to be offered the {card}."]
        case Phase.SWAP:
            return [
                "The Psychiatrist lets you swap two players' tokens.",
                "You have taken a Psychiatrist.",
            ]
        case Phase.PASS_ON:
            return ["The Politician is yours, but not to keep.", "Your Politician must move on."]
        case Phase.GIVE:
            bullet = bullet_text(position.bullet)
            return [
                f"The Bullet that you have drawn is worth {bullet}.",
                f"A Bullet of {bullet} needs a display to lie in.",
            ]
        case Phase.NEIGHBOUR:
            return ["The Diplomat offers you a choice of neighbours."]
    return []
