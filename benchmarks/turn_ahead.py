"""How well `champion`'s value foresees the next turn, by how near the end of the game is.

    python benchmarks/turn_ahead.py
    python benchmarks/turn_ahead.py --players 2 6 --games 100

Four times from the same turn of a game a first move is drawn at random, and a search plays the turn
to its end. Such positions are siblings: they come of different moves of one decision. Then searches
play the next seat's turn, 24 times each, and the value is asked again. The mean of that is what the
value should have said before. A line tells how far off it was (root mean square over all seats),
and how far off the difference between siblings was for the seat that made the move, which is what a
search decides by. The scatter of the 24 turns is taken off both.

"With replies": the likeliest moves of the next seat are tried, each with quick moves to the end of
its turn, and count more the better they suit that seat, eight times over. Seeded: the same on any
machine.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import exp, sqrt
from statistics import fmean, variance

from tabulate import tabulate

from arena.seeds import derive_seed
from arena.training.selfplay import GameTask, OpenCards, Player, value_search
from bots.champion.model import Model, bundled_model, load_model
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.registry import game
from games.state import CHANCE, NOBODY, Rng, State

GAME = "hidden-leaders"
ITERATIONS = 60
SEED = 778
SIBLINGS = 4
TURNS = 24
TRIES = 8
REPLIES = 3
PRIOR = 0.5
"""How sharp the policy is when replies are weighed, as in `champion`."""
SHARPNESS = 25.0
ROUNDS = (2, 6)
"""The position is taken in one of these rounds, from the first to before the second."""

Chances = list[float]


@dataclass(frozen=True)
class Sibling:
    """A position after a turn, and what was made of it."""

    decision: int
    seat: int
    """Whose turn it was."""
    short: int
    """Open heroes that the leading party lacks to end the game."""
    value: Chances
    replied: Chances
    ahead: Chances
    """After the next turn, on average."""
    scatter: Chances
    """The variance of these averages."""


def chances(model: Model, state: State) -> Chances:
    """Of every seat."""
    if state.actor == NOBODY:
        return [float(state.wins(seat)) for seat in range(state.players)]
    return model.judge(state)


def play_until(player: Player, turn: int) -> None:
    """Let searches play until that many turns are completed and a seat must decide."""
    state = player.state
    while state.actor != NOBODY and (state.actor == CHANCE or state.turns < turn):
        if state.actor == CHANCE:
            state.sample_chance(player.rng)
            continue
        move = player.choose()
        player.observe(move)
        state.play(move)


def finish_turn(player: Player) -> None:
    """Let searches play the running turn to its end."""
    play_until(player, int(player.state.turns) + 1)


def branched(player: Player, *numbers: int) -> Player:
    """A player who knows the same and goes on with a copy of the table."""
    other = Player(player.task, player.state.copy())
    other.rng = Rng(derive_seed(SEED, "branch", player.task.players, player.task.number, *numbers))
    other.scores = [scores[:] for scores in player.scores]
    return other


def replied(model: Model, state: State, rng: Rng) -> Chances:
    """The chances after the next seat's likeliest moves."""
    search = value_search(OpenCards(state, deal=False), state, model)
    moves = state.moves()
    odds = [share**PRIOR for share in model.move_shares(state)]
    likeliest = sorted(range(len(moves)), key=lambda i: -odds[i])[:REPLIES]
    sums = [0.0] * state.players
    for _ in range(TRIES):
        rows = []
        for i in likeliest:
            reply = state.copy()
            reply.play(moves[i])
            search.finish_turns(reply, state.turns + 1, rng)
            after = chances(model, reply)
            rows.append((odds[i] * exp(SHARPNESS * after[state.actor]), after))
        total = sum(weight for weight, _ in rows)
        for seat in range(state.players):
            sums[seat] += sum(weight * after[seat] for weight, after in rows) / total / TRIES
    return sums


def siblings(model: Model, player: Player, decision: int) -> Iterator[Sibling]:
    """What different first moves of this turn lead to."""
    moves = player.state.moves()
    for number in range(SIBLINGS if len(moves) > 1 else 0):
        other = branched(player, number)
        state = other.state
        move = moves[other.rng.below(len(moves))]
        other.observe(move)
        state.play(move)
        finish_turn(other)
        if state.actor == NOBODY or state.count == 1:
            continue
        turns = []
        for turn in range(TURNS):
            later = branched(other, number, turn)
            finish_turn(later)
            turns.append(chances(model, later.state))
        by_seat = list(zip(*turns, strict=True))
        yield Sibling(
            decision,
            int(player.state.actor),
            shortest(state),
            chances(model, state),
            replied(model, state, other.rng),
            [fmean(seat) for seat in by_seat],
            [variance(seat) / TURNS for seat in by_seat],
        )


def shortest(state: State) -> int:
    """Open heroes that the leading party lacks to end the game."""
    assert isinstance(state, HiddenLeaders)
    return int(state.threshold - max(state.size(Zone.OPEN + seat) for seat in range(state.players)))


def played(model: Model, players: int, games: int) -> Iterator[Sibling]:
    """Siblings of one decision of each game."""
    for number in range(games):
        task = GameTask(GAME, str(bundled_model(GAME)), ITERATIONS, players, number, SEED, 1)
        player = Player(task, game(GAME).new(players))
        state = player.state
        first, end = (players * rounds for rounds in ROUNDS)
        turn = first + int(Rng(derive_seed(SEED, "turn", players, number)).below(end - first))
        play_until(player, turn)
        if state.actor != NOBODY:
            yield from siblings(model, player, number)


def error(group: list[Sibling], said: Callable[[Sibling], Chances]) -> float:
    """Root mean square, over all seats, of how far off it was."""
    squares = [
        (value - ahead) ** 2 - scatter
        for each in group
        for value, ahead, scatter in zip(said(each), each.ahead, each.scatter, strict=True)
    ]
    return sqrt(max(0.0, fmean(squares)))


def difference_error(group: list[Sibling], said: Callable[[Sibling], Chances]) -> float:
    """The same for differences between siblings, from their mean."""
    squares = []
    for decision in {each.decision for each in group}:
        mine = [each for each in group if each.decision == decision]
        if len(mine) > 1:
            off = [said(each)[each.seat] - each.ahead[each.seat] for each in mine]
            squares.append(variance(off) - fmean(each.scatter[each.seat] for each in mine))
    return sqrt(max(0.0, fmean(squares))) if squares else 0.0


def rows(found: Iterable[Sibling]) -> Iterator[list[object]]:
    everything = list(found)
    for short in ((3, 99), (2, 2), (1, 1)):
        group = [each for each in everything if short[0] <= each.short <= short[1]]
        if group:
            label = f"{short[0]} and more" if short[1] > short[0] else str(short[0])
            numbers: list[float] = []
            for said in (lambda each: each.value, lambda each: each.replied):
                numbers += [error(group, said), difference_error(group, said)]
            yield [label, len(group), *(f"{number:.3f}" for number in numbers)]


def main() -> None:
    """Print a table for each player count."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--players", type=int, nargs="*", default=[2, 4, 6])
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    model = load_model(GAME)
    headers = ["short", "positions", "value", "differences", "with replies", "differences"]
    for players in options.players:
        print(f"{players} players, {options.games} games")
        found = rows(played(model, players, options.games))
        print(tabulate(found, headers=headers, disable_numparse=True, stralign="right"), "\n")


if __name__ == "__main__":
    main()
