"""Whether a separate random stream for every seat makes leagues more precise.

    python benchmarks/card_streams.py

Two bots play every deal in all rotations; one observation is the difference of the shares they win
in a deal. The smaller its variance between deals, the fewer deals a league needs. There are three
ways to draw: one stream for everything; a stream per seat, used for what is drawn after that seat's
decision; and a stream per draw of a seat, from which the first available card is taken, so that a
seat's tenth draw is the same card where possible. The relative error of a variance is about
sqrt(2 / deals).

    3000 deals, 2 players                     one stream   by seat   by draw
    greedy:depth=3 against greedy:depth=2         0.369     0.349     0.363
    greedy against greedy:depth=1                 0.330     0.329     0.349
    1200 deals, 3 players
    greedy against greedy:depth=1                 0.172     0.177     0.178
"""

import argparse
from statistics import pvariance

from tabulate import tabulate

from arena.seeds import derive_seed
from bots.runtime.loading import ClassFactory, load_bot
from games.registry import game
from games.state import CHANCE, NOBODY, Rng, State

RULES = game("hidden-leaders")


class OneStream:
    """One stream for everything, as in the arena."""

    def __init__(self, seed: int, players: int) -> None:
        self.streams = [Rng(derive_seed(seed, "deal"))] * (players + 1)

    def sample_chance(self, state: State, last: int) -> None:
        """Sample a chance event; `last` is the seat that decided last, or -1 before the first."""
        state.sample_chance(self.streams[last + 1])


class BySeat(OneStream):
    """A stream for what is drawn after each seat's decisions."""

    def __init__(self, seed: int, players: int) -> None:
        self.streams = [Rng(derive_seed(seed, "deal", seat)) for seat in range(-1, players)]


class ByDraw:
    """A stream for each draw of each seat."""

    def __init__(self, seed: int, players: int) -> None:
        self.seed = seed
        self.draws = [0] * (players + 1)

    def sample_chance(self, state: State, last: int) -> None:
        self.draws[last + 1] += 1
        rng = Rng(derive_seed(self.seed, "deal", last, self.draws[last + 1]))
        possible = set(state.moves())
        outcome = rng.below(state.move_limit)
        while outcome not in possible:
            outcome = rng.below(state.move_limit)
        state.play(outcome)


def winners(
    factories: list[ClassFactory], seed: int, streams: OneStream | ByDraw
) -> tuple[int, ...]:
    """The winners of one game, played without the referee's checks."""
    players = len(factories)
    state = RULES.new(players, record=True)
    views = [RULES.view(seat, players) for seat in range(players)]
    bots = [f.make(seat, derive_seed(seed, "bot", seat)) for seat, f in enumerate(factories)]
    last = -1
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            streams.sample_chance(state, last)
            continue
        last = state.actor
        for seat, view in enumerate(views):
            for event in state.take_events(seat):
                view.observe(event)
        state.play(bots[last].choose(views[last]))
    return state.winners()


def spread(kind: type[OneStream | ByDraw], first: str, second: str, players: int, n: int) -> float:
    """The variance between deals of what the first bot wins more than the second."""
    factories = load_bot(first), load_bot(second)
    seats = [factories[seat % 2] for seat in range(players)]
    differences = []
    for deal in range(n):
        ahead = 0
        for turn in range(players):
            rotated = seats[turn:] + seats[:turn]
            for seat in winners(rotated, deal, kind(deal, players)):
                ahead += 1 if rotated[seat] is factories[0] else -1
        differences.append(ahead / players)
    return pvariance(differences)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--deals", type=int, default=300)
    deals = parser.parse_args().deals
    pairs = [
        ("greedy:depth=3", "greedy:depth=2", 2),
        ("greedy", "greedy:depth=1", 2),
        ("greedy", "greedy:depth=1", 3),
    ]
    kinds: list[type[OneStream | ByDraw]] = [OneStream, BySeat, ByDraw]
    rows = [
        [f"{first} against {second}, {players} players"]
        + [f"{spread(kind, first, second, players, deals):.3f}" for kind in kinds]
        for first, second, players in pairs
    ]
    headers = [f"variance over {deals} deals", "one stream", "by seat", "by draw"]
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"))


if __name__ == "__main__":
    main()
