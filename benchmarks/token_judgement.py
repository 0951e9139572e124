"""How good the judgement of `champion` is at Secrets: who will win, and who has which token.

    python benchmarks/token_judgement.py
    python benchmarks/token_judgement.py --bot ismcts:iterations=100 --games 40

Plays games of a bot against itself that no model was trained on, and asks at the start of every
turn. Of the winners: the mean log loss over the seats of `State.win_estimates`, which `ismcts`
uses, and of the bundled model, both knowing everything. Of tokens: the log loss of what seat A
gives to the true sides of the other seats, as far as it cannot be certain of them: the exact odds
of its View, and the belief of the model at several sharpnesses. Everything is seeded.
"""

import argparse
from collections import defaultdict
from math import log
from statistics import fmean

from tabulate import tabulate

from arena.match.referee import run_game
from bots.champion.model import Model, load_model
from bots.runtime.loading import load_bot
from games.registry import game
from games.replay import Replay
from games.secrets.constants import Token
from games.secrets.view import SecretsView

GAME = "secrets"
FIRST_SEED = 700_000
SHARPNESSES = (0.5, 1.0, 1.5, 2.5)
LEAST = 1e-3

Losses = dict[tuple[int, str], list[float]]
"""By players and by what was asked."""


def judge(model: Model, replay: Replay, winners: tuple[int, ...], losses: Losses) -> None:
    """Ask who wins at the start of every turn."""
    state, turn = replay.new(), 0
    for move in replay.moves:
        if state.actor >= 0 and state.turns > turn:
            turn = state.turns
            judged = {"estimate": list(state.win_estimates()), "model": model.judge(state)}
            for name, chances in judged.items():
                given = [
                    chance if seat in winners else 1 - chance for seat, chance in enumerate(chances)
                ]
                losses[replay.players, name].append(-fmean(log(max(x, LEAST)) for x in given))
        state.play(move)


def infer(model: Model, replay: Replay, losses: Losses) -> None:
    """Ask seat A for the sides of the others at the start of every turn."""
    state, view, turn = replay.new(record=True), replay.view(0), 0
    assert isinstance(view, SecretsView)
    beliefs = {sharpness: model.watch_worlds(view, sharpness) for sharpness in SHARPNESSES}
    for move in replay.moves:
        state.play(move)
        for event in state.take_events(0):
            view.observe(event)
            for belief in beliefs.values():
                assert belief is not None
                belief.observe(event)
        if state.actor < 0 or state.turns == turn or not view.complete:
            continue
        turn = state.turns
        weights = {str(sharp): belief.role_weights() for sharp, belief in beliefs.items() if belief}
        for seat in range(1, replay.players):
            side, odds = int(state.role(seat)), view.odds(seat)
            if max(odds) == 1:
                continue
            losses[replay.players, "odds"].append(-log(odds[side]))
            for name, shares in weights.items():
                losses[replay.players, name].append(-log(shares[seat * Token.COUNT + side]))


def main() -> None:
    """Print a table of each."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--bot", default="ismcts:iterations=250")
    parser.add_argument("--games", type=int, default=100, help="at each number of players")
    options = parser.parse_args()
    rules, model, factory = game(GAME), load_model(GAME), load_bot(options.bot)
    losses: Losses = defaultdict(list)
    for players in rules.player_counts:
        for number in range(options.games):
            result = run_game(rules, [factory] * players, FIRST_SEED + number)
            judge(model, result.replay, result.winners, losses)
            infer(model, result.replay, losses)
    names = ("estimate", "model", "odds", *map(str, SHARPNESSES))
    rows = [
        [players, *(f"{fmean(losses[players, name]):.3f}" for name in names)]
        for players in rules.player_counts
    ]
    print(f"{options.games} games of {options.bot} at each count, mean log loss")
    headers = [
        "players",
        "win_estimates",
        "value",
        "exact odds",
        *map("belief {}".format, SHARPNESSES),
    ]
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"))


if __name__ == "__main__":
    main()
