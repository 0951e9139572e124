"""How good the judgement of `champion` is: who will win, and who has which leader.

    python benchmarks/judgement.py
    python benchmarks/judgement.py --bot ismcts:iterations=100 --games 40

Plays games of a bot against itself that no model was trained on, and asks at the start of every
turn. Of the winner: the log loss of `State.win_estimates`, which `ismcts` uses, and of the bundled
model, both knowing all cards; then how often seats won that the model gave about that chance. Of
leaders: the mean probability that each belief of seat A gives to the true leader of another seat,
by round; even odds, the suspicion of `ismcts` and the belief of the model; then how often a seat
had a leader to whom the belief gave about that probability. Everything is seeded.
"""

import argparse
from collections import defaultdict
from math import log
from statistics import fmean

from tabulate import tabulate

from arena.match.referee import run_game
from bots.champion.model import Model, load_model
from bots.ismcts.role_belief import RoleBelief
from bots.runtime.loading import load_bot
from games.registry import game
from games.replay import Replay

GAME = "hidden-leaders"
FIRST_SEED = 700_000
SUSPICION = 0.15
LAST_ROUND = 9


class Tally:
    """What was found in all games."""

    def __init__(self) -> None:
        self.losses: dict[tuple[int, str], list[float]] = defaultdict(list)
        self.won: dict[int, list[tuple[float, bool]]] = defaultdict(list)
        self.leaders: dict[tuple[int, str], list[float]] = defaultdict(list)
        self.had: dict[int, list[tuple[float, bool]]] = defaultdict(list)

    def judge(self, model: Model, replay: Replay, winners: tuple[int, ...]) -> None:
        """Ask who wins at the start of every turn."""
        state, turn = replay.new(), 0
        for move in replay.moves:
            if state.actor >= 0 and state.turns > turn:
                turn = state.turns
                judged = {"estimate": list(state.win_estimates()), "model": model.judge(state)}
                for name, chances in judged.items():
                    happened = [chances[seat] for seat in winners] or [1 - sum(chances)]
                    self.losses[replay.players, name].append(-log(max(happened[0], 1e-3)))
                for seat, chance in enumerate(judged["model"]):
                    self.won[min(9, int(chance * 10))].append((chance, seat in winners))
            state.play(move)

    def infer(self, model: Model, replay: Replay) -> None:
        """Ask seat A who has which leader at the start of every turn."""
        state, view, turn = replay.new(record=True), replay.view(0), 0
        inferred, suspected = model.watch(view), RoleBelief(0, replay.players)
        for move in replay.moves:
            state.play(move)
            for event in state.take_events(0):
                view.observe(event)
                inferred.observe(event)
                suspected.update(view)
            if state.actor >= 0 and state.turns > turn and view.complete:
                turn = state.turns
                own, when = int(state.role(0)), min(LAST_ROUND, turn // replay.players)
                weights = suspected.prior(6, SUSPICION)
                shares = inferred.role_weights()
                for seat in range(1, replay.players):
                    role = int(state.role(seat))
                    free = [weights[seat * 6 + r] for r in range(6) if r != own]
                    given = shares[seat * 6 + role]
                    for r in range(6):
                        share = shares[seat * 6 + r]
                        if r != own:
                            self.had[min(9, int(share * 10))].append((share, r == role))
                    self.leaders[when, "even"].append(1 / 5)
                    self.leaders[when, "suspicion"].append(weights[seat * 6 + role] / sum(free))
                    self.leaders[when, "belief"].append(given)


def show(title: str, headers: list[str], rows: list[list[object]]) -> None:
    print(title)
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"), end="\n\n")


def reliability(found: dict[int, list[tuple[float, bool]]]) -> list[list[object]]:
    """A line for every tenth of the probabilities given: how many, their mean, how many true."""
    return [
        [
            f"{10 * k}-{10 * k + 10} %",
            len(given),
            f"{fmean(chance for chance, _ in given):.3f}",
            f"{fmean(true for _, true in given):.3f}",
        ]
        for k, given in sorted(found.items())
    ]


def main() -> None:
    """Print four tables."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--model", default="", help="a model file, default: the bundled one")
    parser.add_argument("--games", type=int, default=40, help="at each number of players")
    options = parser.parse_args()
    model, tally, rules = load_model(GAME, options.model), Tally(), game(GAME)
    for players in rules.player_counts:
        for number in range(options.games):
            table = [load_bot(options.bot)] * players
            result = run_game(rules, table, FIRST_SEED + number)
            tally.judge(model, result.replay, result.winners)
            tally.infer(model, result.replay)
    names = ("estimate", "model")
    losses = [
        [
            n,
            len(tally.losses[n, "model"]),
            *(f"{fmean(tally.losses[n, name]):.3f}" for name in names),
        ]
        for n in rules.player_counts
    ]
    show(
        f"Who wins, {options.games} games of {options.bot}: log loss",
        ["players", "turns", *names],
        losses,
    )
    show(
        "Seats by the chance that the model gave",
        ["chance", "seats", "mean chance", "won"],
        reliability(tally.won),
    )
    kinds = ("even", "suspicion", "belief")
    leaders = [
        [
            when,
            len(tally.leaders[when, "even"]),
            *(f"{fmean(tally.leaders[when, kind]):.3f}" for kind in kinds),
        ]
        for when in sorted({when for when, _ in tally.leaders})
    ]
    show("Probability of the true leader, by round", ["round", "asked", *kinds], leaders)
    show(
        "Leaders by the probability that the belief gave",
        ["probability", "leaders", "mean probability", "true"],
        reliability(tally.had),
    )


if __name__ == "__main__":
    main()
