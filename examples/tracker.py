"""A bot that watches the track: which faction would win now, and is it one of its leader's?

It tries every move on the table as it sees it (`view.imagine`) and scores the markers, the parties
and the distance to the end of the game.

arena match examples/tracker.py:Tracker greedy random
"""

from bots import Bot, Option
from games import View
from games.hidden_leaders import (
    FACTIONS,
    HEROES,
    LEADERS,
    HiddenLeaders,
    HiddenLeadersView,
    Zone,
    steps_to,
)


class Tracker(Bot):
    """Pulls the markers towards its leader's factions and gathers their heroes."""

    patience = Option(1.0, "weight of a hero relative to a step on the track", least=0.0)

    def choose(self, view: View) -> int:
        """The move after which the table looks best."""
        assert isinstance(view, HiddenLeadersView), "this bot plays only Hidden Leaders"
        mine = [faction for faction in FACTIONS if faction & LEADERS[view.leader].factions]
        haste = self.haste(view)
        scores: dict[int, float] = {}
        for move in view.moves:
            table = view.imagine()
            table.play(move)
            scores[move] = max(self.score(table, faction, haste) for faction in mine)
        best = max(scores.values())
        return self.rng.choice([move for move in view.moves if scores[move] == best])

    def haste(self, view: HiddenLeadersView) -> float:
        """From 1 to 3 as the largest party grows to the size that ends the game."""
        largest = max(len(view.open(seat)) for seat in range(view.players))
        return 1.0 + 2.0 * largest / view.threshold

    def score(self, table: HiddenLeaders, faction: int, haste: float) -> float:
        """Few steps to the faction's victory, many of its heroes here, few in any other party."""
        rivals = [self.heroes(table, Zone.OPEN + seat, faction) for seat in range(table.players)]
        own = rivals.pop(self.seat) + self.heroes(table, Zone.HIDDEN + self.seat, faction)
        steps = float(steps_to(faction, table.red, table.green))
        return self.patience * (own - 0.5 * max(rivals)) - haste * steps

    def heroes(self, table: HiddenLeaders, zone: int, faction: int) -> int:
        """The number of known heroes of the faction in the zone."""
        known = [card for card in table.cards(zone) if card < len(HEROES)]
        return sum(1 for card in known if HEROES[card].faction & faction)
