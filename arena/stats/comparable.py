"""Which bots the games compare on both sides, so that they say how strong these are.

A bot that has won nothing could be weaker than any number, one that has won everything stronger.
Then only the prior decides how far away the model puts it, and how little that varies between deals
does not show how sure it is. The same holds for a group of bots that has lost every game against
the others. In terms of the model: the likelihood has a maximum among bots of which each has beaten
every other, directly or through others (Ford 1957, Hunter 2004).
"""

from collections.abc import Iterable

from arena.stats.game_record import GameRecord


def comparable(games: Iterable[GameRecord]) -> frozenset[str]:
    """The largest group of bots that have all beaten each other, directly or through others.

    Empty if two groups are equally large: neither is the one that the others are compared with.
    """
    beaten: dict[str, set[str]] = {}
    for seats, won in {(game.seats, game.shares()) for game in games}:
        for bot, share in zip(seats, won, strict=True):
            # If nobody won, the seats are as good as each other.
            beaten.setdefault(bot, {bot}).update(seats if share or not any(won) else ())
    for middle, through in beaten.items():
        for others in beaten.values():
            if middle in others:
                others.update(through)
    groups = {
        frozenset(other for other in others if bot in beaten[other])
        for bot, others in beaten.items()
    }
    most = max(map(len, groups), default=0)
    largest = [group for group in groups if len(group) == most]
    return largest[0] if len(largest) == 1 else frozenset()
