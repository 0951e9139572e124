"""What a puzzle of Secrets turns on: themes, read off the line that solves it."""

from __future__ import annotations

from typing import Final

from games.puzzle_material import SolutionLine
from games.secrets.constants import KINDS, Phase, Token
from games.secrets.state import Secrets
from games.state import NOBODY, State


class Theme:
    """The themes by name, as puzzle files spell them."""

    BULLET: Final = "bullet"
    HIDDEN_TOKENS: Final = "hidden tokens"
    HIPPIE: Final = "hippie"
    LEVEL_TEAMS: Final = "level teams"
    OFFER: Final = "offer"
    PAIRS: Final = "pairs"
    REFUSAL: Final = "refusal"
    SWAP: Final = "swap"
    UN_TOKEN: Final = "UN token"  # noqa: S105


THEMES: Final = tuple(theme for name, theme in vars(Theme).items() if name.isupper())

_BY_PHASE: Final = {
    Phase.CHOOSE: Theme.OFFER,
    Phase.TARGET: Theme.OFFER,
    Phase.UN: Theme.UN_TOKEN,
    Phase.ANSWER: Theme.REFUSAL,
    Phase.SWAP: Theme.SWAP,
    Phase.NEIGHBOUR: Theme.SWAP,
    Phase.GIVE: Theme.BULLET,
}
"""What the seat decides, and the theme of that."""


def line_themes(line: SolutionLine) -> list[str]:
    """All themes that the line shows, most telling first."""
    tables, end = [_table(state) for state in line.states], _table(line.end)
    themes = []
    if _face_down(end) > _face_down(tables[0]):
        themes.append(Theme.PAIRS)
    if end.actor == NOBODY and end.side == -1:
        themes.append(Theme.LEVEL_TEAMS)
    if end.actor == NOBODY and end.side == Token.HIPPIE:
        themes.append(Theme.HIPPIE)
    if any(table.phase == Phase.UN for table in tables[1:]):
        themes.append(Theme.UN_TOKEN)
    own = [table.phase for table in tables if table.actor == line.seat]
    themes += [_BY_PHASE[phase] for phase in own if phase in _BY_PHASE]
    return list(dict.fromkeys(themes))


def _table(state: State) -> Secrets:
    assert isinstance(state, Secrets)
    return state


def _face_down(table: Secrets) -> int:
    """Cards in all displays that count nothing."""
    seats = range(table.players)
    return sum(int(table.down(seat, card)) for seat in seats for card in range(KINDS))
