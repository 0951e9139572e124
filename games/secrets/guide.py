"""Help for a person who plays Secrets: characters, goals, events, and why a game was won."""

from __future__ import annotations

from typing import Final

from games.seats import seat_name, who, whose
from games.secrets.board import side_name
from games.secrets.constants import CENTRE, CHARACTER_NAMES, SIDE_NAMES, VALUES, Event, Token
from games.secrets.moves import bullet_text, character_name, find_character, place_name
from games.secrets.rulings import BY_CHARACTER, RULES
from games.secrets.scoring import score, team_total
from games.secrets.state import Secrets
from games.secrets.view import SecretsView
from games.state import NOBODY, UNSEEN, State
from games.view import View
from games.wording import counted

SHORT_RULES: Final = """\
Everybody has a secret token: CIA, KGB or Hippie. Tokens change places during the game, so you may \
lose track of your own; the one in front of you at the end counts.
A Hippie who alone has the lowest score wins alone. Otherwise the team with more points wins, CIA \
or KGB; if they are level, everybody loses.
A turn: two different characters are turned up. The active player offers one of them face down to \
another player and may claim, truly or not, what it is. If that player accepts, they take it; if \
not, the active player takes it. The holder of the UN token, who alone has the fewest cards, may \
take it instead. The player who takes the card does what it says.
Two equal characters in a display are turned face down and count nothing.
The game ends with the turn in which some display has 5 cards (4 with 7 or 8 players)."""


def describe(words: str) -> str:
    """Value and rulings of a character; UnknownCard suggests the closest name."""
    wanted = words.casefold()
    for number, name in enumerate(CHARACTER_NAMES):
        if name.casefold() in wanted:  # a move in words, such as "offer Scientist"
            return _described(number)
    return _described(find_character(words))


def _described(character: int) -> str:
    lines = [f"{CHARACTER_NAMES[character]}, {VALUES[character]:+d}"]
    lines += [f"S{number}  {RULES.rulings[number]}" for number in BY_CHARACTER[character]]
    return "\n".join(lines)


def hint(choice: str) -> str:
    """What the character does that a choice would offer."""
    verb, _, name = choice.partition(" ")
    if verb != "offer" or name not in CHARACTER_NAMES:
        return ""
    character = CHARACTER_NAMES.index(name)
    return f"{VALUES[character]:+d}. {RULES.rulings[BY_CHARACTER[character][0]]}"


def aim(view: View) -> str:
    """The seat's side and its goal, what is known of the others, and how far the end is."""
    assert isinstance(view, SecretsView)
    sizes = [view.size(seat) for seat in range(view.players)]
    places = [*range(view.players), CENTRE]
    odds = "; ".join(f"{place_name(place)} {_odds(view, place)}" for place in places)
    return (
        f"You are {seat_name(view.seat)}, {_goal(view)}\n"
        f"Tokens as far as you can tell: {odds}.\n"
        f"{view.threshold} cards in one display end the game; most so far: {max(sizes)}."
    )


def _goal(view: SecretsView) -> str:
    if view.side == UNSEEN:
        return "and cannot be sure of your own side."
    if view.side == Token.HIPPIE:
        return "a Hippie: you want the lowest score, alone."
    return f"{side_name(view.side)}: your team wants more points than the other."


def _odds(view: SecretsView, place: int) -> str:
    """The side if certain, else the chances of those that are possible."""
    chances = view.odds(place)
    if max(chances) == 1.0:
        return SIDE_NAMES[chances.index(1.0)]
    possible = [(side, chance) for side, chance in enumerate(chances) if chance > 0]
    return " ".join(f"{SIDE_NAMES[side]} {chance:.0%}" for side, chance in possible)


# ---- events -----------------------------------------------------------------------------------


def news(view: View, event: tuple[int, ...], before: str) -> str:
    """What an event adds to the text of the move before it; often nothing."""
    assert isinstance(view, SecretsView)
    kind = event[0]
    if kind == Event.LOOK:
        return _look(view, event[1], event[2], event[3], before)
    if kind == Event.SHOW:
        token = _token(view, event[1])
        return f"{token} is {side_name(event[2])}" if event[2] >= 0 else f"all others see {token}"
    if kind == Event.TURN:
        return f"{whose(event[1], view.seat)} turn"
    if kind == Event.UP:
        return f"{character_name(event[1])} is turned up"
    if kind == Event.TAKEN:
        return f"{character_name(event[2])} goes to {who(event[1], view.seat)}"
    if kind == Event.DOWN:
        what = f"the {character_name(event[2])}s" if event[2] >= 0 else "all characters"
        return f"{what} before {who(event[1], view.seat)} are turned down"
    if kind == Event.BULLET and event[2] >= 0:
        return f"the Bullet is {bullet_text(event[2])}"
    if kind == Event.UN:
        holder = "the centre" if event[1] == NOBODY else who(event[1], view.seat)
        return f"the UN token goes to {holder}"
    return ""


def _token(view: View, place: int) -> str:
    return "the centre token" if place == CENTRE else f"{whose(place, view.seat)} token"


def _look(view: SecretsView, looker: int, place: int, side: int, before: str) -> str:
    if side >= 0:
        sees = "you see" if looker == view.seat else f"{seat_name(looker)} sees"
        return f"{sees} that {_token(view, place)} is {side_name(side)}"
    if not view.decisions or "look at" in before:
        return ""  # everybody looks at the start; the Detective's move says it
    return f"{who(looker, view.seat)} looks at the token of {place_name(place)}"


# ---- the end ----------------------------------------------------------------------------------


def outcome(state: State) -> str:
    """Every score, and what decided the game."""
    assert isinstance(state, Secrets)
    lines = [
        f"{seat_name(seat)}, {side_name(state.token(seat))}: "
        f"{counted(score(state, seat), 'point')}."
        for seat in range(state.players)
    ]
    totals = f"CIA {team_total(state, Token.CIA)}, KGB {team_total(state, Token.KGB)}"
    if state.side == Token.HIPPIE:
        lines.append("A Hippie alone has the lowest score and wins alone.")
    elif state.side < 0:
        lines.append(f"{totals}: level, so everybody loses.")
    else:
        lines.append(f"{totals}: {side_name(state.side)} wins.")
    return "\n".join(lines)
