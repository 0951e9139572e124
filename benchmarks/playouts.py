"""Who foretells the winner better: the model of `champion`, or playouts by its policy.

    python benchmarks/playouts.py
    python benchmarks/playouts.py --games 20 --players 2 4

Plays games of a bot against itself that no model was trained on, and asks at the start of every
other turn, by the log loss of the result: the model's value, and the mean of playouts in which all
seats move by the policy, at several sharpnesses (1 is as trained). "all cards": in the true world.
"own cards": in worlds as seat A can imagine them, but with the true leaders, which leaves out how
well leaders are guessed. The value counts as two playouts, so that no chance is 0. Seeded.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable
from math import log
from statistics import fmean

from tabulate import tabulate

from arena.match.referee import run_game
from bots.champion.model import Model, load_model
from bots.champion.policy import MovePolicy
from bots.runtime.loading import load_bot
from games.registry import game
from games.replay import Replay
from games.state import CHANCE, NOBODY, Rng, State

GAME = "hidden-leaders"
FIRST_SEED = 710_000
PLAYOUTS = 64
"""For each position and sharpness."""
VALUE_COUNTS_AS = 2
SHARPNESS = (1.0, 2.0, 3.0, 5.0)
SIGHTS = ("all cards", "own cards")

Chances = list[float]


class Tally:
    """The losses found in all games of one number of players."""

    def __init__(self, model: Model, players: int) -> None:
        self.model = model
        self.policies = {
            sharp: MovePolicy([weight * sharp for weight in model.policy]) for sharp in SHARPNESS
        }
        self.rng = Rng(players)
        self.losses: dict[tuple[str, float], list[float]] = defaultdict(list)
        """By sight and sharpness; 0 is the value."""

    def ask(self, replay: Replay, winners: tuple[int, ...]) -> None:
        """Ask at the start of every other turn."""
        state, view, turn = replay.new(record=True), replay.view(0), 0
        for move in replay.moves:
            if state.actor >= 0 and state.turns > turn:
                turn = state.turns
                if turn % 2 == 0:
                    roles = [int(state.role(seat)) for seat in range(replay.players)]
                    imagined = [view.sample(self.rng) for _ in range(PLAYOUTS)]
                    for world in imagined:
                        for seat, role in enumerate(roles):
                            world.assume_role(seat, role)
                    self.compare("all cards", [state] * PLAYOUTS, winners)
                    self.compare("own cards", imagined, winners)
            state.play(move)
            for event in state.take_events(0):
                view.observe(event)

    def compare(self, sight: str, worlds: list[State], winners: tuple[int, ...]) -> None:
        value = mean(self.model.judge(world) for world in worlds)
        self.losses[sight, 0.0].append(loss(value, winners))
        for sharp, policy in self.policies.items():
            played = mean(self.result(world, policy) for world in worlds)
            share = VALUE_COUNTS_AS / (VALUE_COUNTS_AS + len(worlds))
            both = [(1 - share) * p + share * v for p, v in zip(played, value, strict=True)]
            self.losses[sight, sharp].append(loss(both, winners))

    def result(self, world: State, policy: MovePolicy) -> Chances:
        end = world.copy()
        while end.actor != NOBODY:
            if end.actor == CHANCE:
                end.sample_chance(self.rng)
            else:
                end.play(policy.sample(end, self.rng))
        return [float(end.wins(seat)) for seat in range(end.players)]


def mean(rows: Iterable[Chances]) -> Chances:
    return [fmean(column) for column in zip(*rows, strict=True)]


def loss(chances: Chances, winners: tuple[int, ...]) -> float:
    happened = [chances[seat] for seat in winners] or [1 - sum(chances)]
    return -log(max(happened[0], 1e-3))


def main() -> None:
    """Print a table for each sight."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--bot", default="champion:iterations=100")
    parser.add_argument("--games", type=int, default=40, help="at each number of players")
    parser.add_argument("--players", type=int, nargs="+", default=list(game(GAME).player_counts))
    options = parser.parse_args()
    tallies: dict[int, Tally] = {}
    for players in options.players:
        tallies[players] = Tally(load_model(GAME), players)
        for number in range(options.games):
            bots = [load_bot(options.bot)] * players
            result = run_game(game(GAME), bots, FIRST_SEED + number)
            tallies[players].ask(result.replay, result.winners)
    for sight in SIGHTS:
        print(f"{sight}, {options.games} games of {options.bot}: log loss")
        rows = [
            [
                players,
                len(tally.losses[sight, 0.0]),
                *(f"{fmean(tally.losses[sight, sharp]):.3f}" for sharp in (0.0, *SHARPNESS)),
            ]
            for players, tally in tallies.items()
        ]
        kinds = [f"playouts, {sharp:g}" for sharp in SHARPNESS]
        headers = ["players", "positions", "value", *kinds]
        print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"), end="\n\n")


if __name__ == "__main__":
    main()
