"""Scenarios as seen by a seat that joins the table now.

game = given(player(0, hand=["Keen Koi"]), player(1, hidden=["Grumpy Guard"]))
view = seen(game, 0)      # knows the hand of seat 0 and that seat 1 has a hidden hero
game.play("Keen Koi")
follow(view, game)        # adds what the seat has perceived since
"""

from __future__ import annotations

from games.hidden_leaders.knowledge.late_view import onlooker
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from tests.support.scenario import Scenario


def seen(game: Scenario, seat: int) -> HiddenLeadersView:
    """The View of that seat, whose events must not have been taken before."""
    view = onlooker(game.state, seat)
    follow(view, game)
    return view


def follow(view: HiddenLeadersView, game: Scenario) -> None:
    """Update the View with what its seat has perceived since."""
    for event in game.events(view.seat):
        view.observe(event)
