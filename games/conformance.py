"""Random-play conformance: does a game keep the contract of State? For games of your own, too.

    from games.conformance import check_game

    check_game(lambda: new_game(4), seed=1, games=100)

plays games at random and compares each position with the contract: legal moves, copies, replays,
keys, events, the end. The first fault raises InvariantBroken, whose message holds the moves that lead
there. Game `seed + i` is the same whatever was checked before it, so a fault found in a long run
comes again with `games=1` and the seed named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.state import CHANCE, NOBODY, Rng, State

CheckInvariants = Callable[[State], list[str]]
"""What is wrong with a position of one particular game, one sentence each."""

CheckEvents = Callable[[State, int, list[tuple[int, ...]]], list[str]]
"""What is wrong with the events a seat got from the last move."""

MoveText = Callable[[State, int], str]
ParseMove = Callable[[State, str], int]

LOOKAHEAD = 12
"""How many plies copies are played on: enough to finish a card and start the next turn."""

KEYS_KEPT = 50_000
"""How many positions are remembered to compare equal keys with; a bound on memory."""


class InvariantBroken(AssertionError):
    """A game does not keep the contract. The message is enough to see it again."""

    def __init__(self, problem: str, seed: int, moves: Sequence[int]) -> None:
        self.problem = problem
        self.seed = seed
        self.moves = list(moves)
        """Every move and chance outcome from a new game to the fault."""
        super().__init__(f"{problem} (game seed {seed}, ply {len(self.moves)}, moves {self.moves})")

    def __reduce__(self) -> tuple[type[InvariantBroken], tuple[str, int, list[int]]]:
        """Survives the way back from a worker process."""
        return InvariantBroken, (self.problem, self.seed, self.moves)


@dataclass
class Tally:
    """What was checked."""

    games: int = 0
    decisions: int = 0
    """Choices made by seats."""
    plies: int = 0
    """Those, and chance outcomes: how often moves and laws were checked."""
    copies: int = 0
    """Plies at which copies, keys and the replay were compared as well."""

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.plies += other.plies
        self.copies += other.copies


def check_game(
    new: Callable[[], State],
    seed: int = 0,
    games: int = 100,
    *,
    every: int = 1,
    longest: int = 100_000,
    invariants: CheckInvariants | None = None,
    check_events: CheckEvents | None = None,
    move_text: MoveText | None = None,
    parse_move: ParseMove | None = None,
) -> Tally:
    """Play `games` random games and raise InvariantBroken at the first fault.

    Moves and `invariants` are checked at every ply; copies, keys, replays and texts at every `every`-th,
    starting elsewhere in each game, so that no ply number is never looked at. `longest` is how many
    plies a game may have. Without `move_text` and `parse_move`, move texts are not checked.
    """
    total = Tally()
    seen: dict[bytes, tuple[int, list[int]]] = {}
    for number in range(seed, seed + games):
        game = _Game(new, number, every, seen)
        game.hooks(invariants, check_events, move_text, parse_move)
        game.run(longest)
        total.add(game.tally)
    return total


def position(new: Callable[[], State], moves: Sequence[int]) -> State:
    """The position that the moves of a InvariantBroken lead to."""
    state = new()
    for move in moves:
        state.play(move)
    return state


class _Game:
    """One game under examination, with a twin that replays it as it goes."""

    def __init__(
        self,
        new: Callable[[], State],
        seed: int,
        every: int,
        seen: dict[bytes, tuple[int, list[int]]],
    ) -> None:
        self.new = new
        self.seed = seed
        self.every = every
        self.seen = seen
        self.state = new()
        self.echo = new()
        self.recording = seed % every == 0
        if self.recording:
            self.echo.record()
        self.rng = Rng(seed)
        self.other_rng = Rng(seed ^ 0x5EED)
        self.played: list[int] = []
        self.kept: list[tuple[State, bytes]] = []
        self.tally = Tally(games=1)

    def hooks(
        self,
        invariants: CheckInvariants | None,
        check_events: CheckEvents | None,
        move_text: MoveText | None,
        parse_move: ParseMove | None,
    ) -> None:
        self.invariants = invariants
        self.check_events = check_events
        self.move_text = move_text
        self.parse_move = parse_move

    def broken(self, problem: str, ahead: Sequence[int] = ()) -> InvariantBroken:
        """The fault, with `ahead` played after the moves of the game itself."""
        return InvariantBroken(problem, self.seed, [*self.played, *ahead])

    def run(self, longest: int) -> None:
        try:
            self.play_to_the_end(longest)
        except InvariantBroken:
            raise
        except Exception as error:
            # Whatever a game raises on legal moves is a fault of the game.
            raise self.broken(f"raised {type(error).__name__}: {error}") from error

    def play_to_the_end(self, longest: int) -> None:
        while self.state.actor != NOBODY:
            self.check_position()
            if self.due():
                self.check_closely()
            self.ply()
            if len(self.played) > longest:
                raise self.broken(f"the game has not ended after {longest} plies")
        self.check_end()

    def due(self) -> bool:
        return (len(self.played) + self.seed) % self.every == 0

    # ---- every ply ------------------------------------------------------------------------

    def check_position(self) -> None:
        state = self.state
        self.tally.plies += 1
        moves = state.moves()
        if not moves:
            raise self.broken(f"actor {state.actor} has no move, yet the game is not over")
        if moves != sorted(set(moves)):
            raise self.broken(f"moves are not ascending and unique: {moves}")
        if not (0 <= state.actor < state.players or state.actor == CHANCE):
            raise self.broken(f"actor {state.actor} is neither a seat nor CHANCE nor NOBODY")
        if state.actor == CHANCE:
            weights = state.weights()
            if len(weights) != len(moves) or min(weights) <= 0:
                raise self.broken(f"weights {weights} do not fit the outcomes {moves}")
        self.check_laws()

    def check_laws(self) -> None:
        if self.invariants is not None:
            problems = self.invariants(self.state)
            if problems:
                raise self.broken("; ".join(problems))

    def ply(self) -> None:
        """One random move or outcome, also in the twin."""
        state = self.state
        if state.actor == CHANCE:
            move = state.sample_chance(self.rng)
        else:
            self.tally.decisions += 1
            move = state.legal[self.rng.below(state.count)]
            state.play(move)
        self.played.append(move)
        self.echo.play(move)
        if self.recording:
            self.compare_events()

    def compare_events(self) -> None:
        for seat in range(self.echo.players):
            news = self.echo.take_events(seat)
            if self.echo.take_events(seat):
                raise self.broken(f"seat {seat} is told the same events twice")
            problems = [] if self.check_events is None else self.check_events(self.echo, seat, news)
            if problems:
                raise self.broken("; ".join(problems))

    # ---- now and then ---------------------------------------------------------------------

    def check_closely(self) -> None:
        self.tally.copies += 1
        key = self.state.key()
        self.check_hot_moves()
        self.check_replay(key)
        self.check_key(key)
        self.check_copies(key)
        if len(self.played) >= 1 << len(self.kept):
            self.check_earlier_copies()
        self.check_texts()
        self.check_prospects()

    def check_hot_moves(self) -> None:
        """`legal` and `count`, which hot loops read, say the same as `moves()`."""
        state = self.state
        if state.actor == CHANCE:
            return
        hot = sorted(state.legal[i] for i in range(state.count))
        if hot != state.moves():
            raise self.broken(f"legal holds {hot}, but moves() are {state.moves()}")

    def check_replay(self, key: bytes) -> None:
        """The twin got the same moves by `play` alone, perhaps with events."""
        if self.echo.key() != key:
            how = ", with events recorded," if self.recording else ""
            raise self.broken(f"the same moves replayed{how} lead to another position")

    def check_key(self, key: bytes) -> None:
        """Equal keys must mean equal positions; a different actor or moves prove the contrary."""
        state = self.state
        here = (int(state.actor), state.moves())
        if len(self.seen) < KEYS_KEPT:
            there = self.seen.setdefault(key, here)
        else:
            there = self.seen.get(key, here)
        if there != here:
            raise self.broken(f"one key for two positions: (actor, moves) {here} and {there}")

    def check_copies(self, key: bytes) -> None:
        """A copy is equal; it and a second one play on identically; the original stays."""
        state = self.state
        one, two = state.copy(), state.copy()
        for copy in (one, two):
            if copy.key() != key or copy.moves() != state.moves() or copy.actor != state.actor:
                raise self.broken("a copy differs from its original")
        ahead: list[int] = []
        after = key
        for _ in range(LOOKAHEAD):
            if one.actor == NOBODY:
                break
            after = self.play_on(one, two, after, ahead)
        if after != two.key():
            raise self.broken("two copies, given the same moves, end differently", ahead)
        if state.key() != key:
            raise self.broken(f"playing {ahead} in a copy changes the original")

    def play_on(self, one: State, two: State, before: bytes, ahead: list[int]) -> bytes:
        """One more random move in both copies; the key it leads to."""
        moves = one.moves()
        if not moves:
            raise self.broken("a copy played on has no move, yet is not over", ahead)
        if two.moves() != moves:
            raise self.broken(f"two equal copies differ: moves {moves} and {two.moves()}", ahead)
        move = moves[self.other_rng.below(len(moves))]
        ahead.append(move)
        one.play(move)
        two.play(move)
        after = one.key()
        if after == before:
            raise self.broken("the last move leaves the key as it was", ahead)
        return after

    def check_earlier_copies(self) -> None:
        """Copies kept at the plies 1, 2, 4, 8 ... must not change while the game goes on."""
        for copy, key in self.kept:
            if copy.key() != key:
                raise self.broken("playing on changes a copy taken earlier")
        self.kept.append((self.state.copy(), self.state.key()))

    def check_texts(self) -> None:
        if self.move_text is None or self.parse_move is None or self.state.actor == CHANCE:
            return
        texts: dict[str, int] = {}
        for move in self.state.moves():
            text = self.move_text(self.state, move)
            if text in texts:
                raise self.broken(f"moves {texts[text]} and {move} are both called '{text}'")
            texts[text] = move
            back = self.parse_move(self.state, text)
            if back != move:
                raise self.broken(f"move {move} is called '{text}', which is read as {back}")

    def check_prospects(self) -> None:
        """What is judged of an unfinished game must be chances; roles must be those there are."""
        state = self.state
        roles = [state.role(seat) for seat in range(state.players)]
        if not all(-1 <= role < state.roles for role in roles):
            raise self.broken(f"roles {roles} are not among the {state.roles} there are")
        if min(roles, default=-1) < 0 < state.roles:
            return  # not dealt yet
        chances = [float(chance) for chance in state.win_estimates()]
        if len(chances) != state.players or min(chances) < 0.0:
            raise self.broken(f"prospects {chances} are not a chance for every seat")

    # ---- the end --------------------------------------------------------------------------

    def check_end(self) -> None:
        state = self.state
        key = state.key()
        self.check_laws()
        self.check_replay(key)
        self.check_earlier_copies()
        if state.moves():
            raise self.broken(f"the game is over, yet {state.moves()} are legal")
        winners = state.winners()
        if list(winners) != sorted(set(winners)) or not set(winners) <= set(range(state.players)):
            raise self.broken(f"winners {winners} are not ascending seats of {state.players}")
        if self.echo.winners() != winners or state.copy().winners() != winners:
            raise self.broken("replay or copy disagree about the winners")
        self.check_playout(key)

    def check_playout(self, key: bytes) -> None:
        """The same generator, all at once: `playout` is the loop above, only faster."""
        quick = self.new()
        decisions = quick.playout(Rng(self.seed))
        if quick.key() != key or decisions != self.tally.decisions:
            raise self.broken("playout() ends elsewhere than the same luck move by move")
