"""A seat of Secrets learns nothing it may not know: twin games look the same to it."""

from __future__ import annotations

import random

import pytest

from games.engine import COMPILED
from games.registry import game
from games.secrets.constants import CENTRE, Character, Event, Move, Phase
from games.secrets.state import Secrets
from tests.support.twins import Twins, leaks, play_twins, telling

pytestmark = pytest.mark.slow

RULES = game("secrets")
TWINS = 2000 if COMPILED else 80


class SecretsTwins(Twins[Secrets]):
    """Tokens the seat does not know, the card on offer and Bullets may differ."""

    def twin_move(self, move: int, dice: random.Random) -> int:
        """Secret choices of others go either way, and so does a Bullet the twin has not left."""
        a, b = self.games
        secret = a.actor != self.seat and a.phase in (Phase.CHOOSE, Phase.NEIGHBOUR)
        bullet = a.phase == Phase.BULLET and move not in b.moves()
        return dice.choice(b.moves()) if secret or bullet else move

    def about_to_differ(self, move: int, twin_move: int) -> bool:
        a, b = self.games
        if a.phase in (Phase.LOOK, Phase.PASS_ON):
            return a.taker == self.seat and self.token_differs(move - Move.PLACE)
        if a.phase == Phase.BULLET:
            return a.taker == self.seat and a.pile != b.pile
        if move not in (Move.ACCEPT, Move.REFUSE, Move.INTERRUPT) or a.phase not in (
            Phase.UN,
            Phase.ANSWER,
        ):
            return False
        if a.offered != b.offered:
            return True
        taker = a.un if move == Move.INTERRUPT else a.target if move == Move.ACCEPT else a.player
        if a.offered == Character.DOUBLE_AGENT:
            return taker == self.seat and self.token_differs(CENTRE)
        if a.offered == Character.JOURNALIST:
            return taker != self.seat and self.token_differs(taker)
        return a.offered == Character.DIPLOMAT and self.token_differs(CENTRE)

    def token_differs(self, place: int) -> bool:
        a, b = self.games
        return a.token(place) != b.token(place)


@pytest.mark.parametrize("part", range(4))
def test_twins_look_the_same(part: int) -> None:
    alike = sum(play_twins(SecretsTwins, RULES, seed) for seed in range(part, TWINS, 4))
    assert alike > TWINS // 2


@pytest.mark.compiled
@pytest.mark.parametrize("kind", [Event.CHOSE, Event.GIVEN, Event.LOOK])
def test_a_leak_is_detected(kind: int) -> None:
    assert leaks(SecretsTwins, RULES, range(400), telling(kind)) > 2
