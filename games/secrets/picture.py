"""The table of Secrets as data to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.forms.picture import (
    BACK,
    CardKind,
    Face,
    Faces,
    PictureChoice,
    Pile,
    SeatPicture,
    TablePicture,
    pile,
    row,
)
from games.secrets.board import headline, offered_text, side_name
from games.secrets.catalogue import catalogue
from games.secrets.constants import (
    BULLETS,
    CENTRE,
    KINDS,
    SIDE_NAMES,
    VALUES,
    Character,
    Move,
    Phase,
)
from games.secrets.moves import bullet_text, move_text
from games.secrets.scoring import score
from games.secrets.state import Secrets
from games.secrets.table import FACELESS, SHOT
from games.state import NOBODY, UNSEEN, State
from games.wording import counted

_TURNED_UP: Final = "turned up"
_SIGNS: Final = (
    (212, "M12 1l9 3v7c0 6-4 10-9 12-5-2-9-6-9-12V4z"),
    (2, "M12 1l3 7h8l-6 5 2 8-7-5-7 5 2-8-6-5h8z"),
    (
        140,
        (
            "M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zm-1 3v7l-5 5a8 8 0 0 1 5-12z"
            "m2 0a8 8 0 0 1 5 12l-5-5z"
        ),
    ),
)


def faces() -> Faces:
    kinds = [
        CardKind(name=name, hue=hue, sign=sign)
        for name, (hue, sign) in zip(SIDE_NAMES, _SIGNS, strict=True)
    ]
    characters = [
        Face(
            name=card.name,
            kinds=[],
            corner=f"{VALUES[number]:+d}",
            text=card.sentence,
            rulings=[f"{key}  {text}" for key, text in _rulings(card.facts)],
        )
        for number, card in enumerate(catalogue().cards)
    ]
    bullets = [
        Face(name="Bullet", kinds=[], corner=bullet_text(k), text="A Bullet.", rulings=[])
        for k in range(BULLETS)
    ]
    roles = {name: [side] for side, name in enumerate(SIDE_NAMES)}
    return Faces(kinds=kinds, cards=[*characters, *bullets], roles=roles)


def _rulings(facts: object) -> list[tuple[str, str]]:
    assert isinstance(facts, dict)
    return [(str(key), str(text)) for key, text in facts["rulings"].items()]


def table_picture(state: State) -> TablePicture:
    assert isinstance(state, Secrets)
    return TablePicture(
        headline=headline(state),
        text="",
        turn=state.player,
        decides=max(state.actor, -1),
        over=state.actor == NOBODY,
        tracks=[],
        piles=_piles(state),
        seats=[_seat(state, seat) for seat in range(state.players)],
    )


def _piles(state: Secrets) -> list[Pile]:
    token = state.token(CENTRE)
    deck = state.bag + len(state.bottom_cards())
    centre = pile("token in the centre", [], 1, side_name(token), kind=max(token, -1))
    piles = [pile("deck", [], deck), centre]
    if Phase.CHOOSE <= state.phase <= Phase.ANSWER:
        piles.append(pile(_TURNED_UP, _turned_up(state), says=offered_text(state)))
    return piles


def _turned_up(state: Secrets) -> list[int]:
    return [card for card in (state.one, state.two) if card != UNSEEN]


def _seat(state: Secrets, seat: int) -> SeatPicture:
    token = state.token(seat)
    facts = ["has the UN token"] if state.un == seat else []
    if state.actor == NOBODY:
        facts.append(counted(score(state, seat), "point"))
    up = [card for card in range(KINDS) for _ in range(state.up(seat, card))]
    down = [card for card in range(KINDS) for _ in range(state.down(seat, card))]
    shot = [k for k in range(BULLETS) if (state.m[SHOT + seat] >> k) & 1]
    bullets = [Character.COUNT + k for k in shot] + [BACK] * state.m[FACELESS + seat]
    rows = [row("display", [*map(_known, up), *bullets], state.threshold)]
    if down:
        rows.append(row("turned down", [*map(_known, down)]))
    return SeatPicture(role=SIDE_NAMES[token] if token >= 0 else "", facts=facts, rows=rows)


def _known(card: int) -> int:
    return card if 0 <= card < Character.COUNT else BACK


def choices(state: State, moves: Sequence[int]) -> list[PictureChoice]:
    """Legal moves; uses only what the seat that decides may see."""
    assert isinstance(state, Secrets)
    return [_choice(state, move) for move in moves]


def _choice(state: Secrets, move: int) -> PictureChoice:
    choice = PictureChoice(move=move, text=move_text(state, move), cards=[], seats=[], spots=[])
    if Move.CARD <= move < Move.PLACE:
        # The same character may lie in displays, which are not meant.
        offered = [i for i, card in enumerate(_turned_up(state)) if card == move - Move.CARD]
        choice["spots"] += [(NOBODY, _TURNED_UP, index) for index in offered]
    elif Move.PLACE <= move < Move.PLACE + state.players:
        choice["seats"].append(move - Move.PLACE)
    elif move >= Move.SWAP:
        choice["seats"] += divmod(move - Move.SWAP, 8)
    return choice
