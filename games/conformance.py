"""Checks by random play that a game keeps the contract of State; usable for games of your own.

    from games import check_game

    check_game(MyGame(), games=100)            # a Game: also its invariants, Views and move texts
    check_game(lambda: MyState(4), games=100)  # only the State

plays random games and compares every position with the contract: legal moves, copies, replays,
keys, events, the end. The first fault raises InvariantBroken, whose message lists the moves that
lead there. Game `seed + i` does not depend on the games before it, so a fault found in a long run
can be reproduced with `games=1` and the seed in the message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite

from librt.vecs import vec
from mypy_extensions import i64

from games.features import FeatureLayout
from games.forms.observations import ObservationLayout
from games.registry import Game
from games.state import CHANCE, MOST_MOVE_FEATURES, NOBODY, Rng, State
from games.view import View

CheckInvariants = Callable[[State], list[str]]
"""What is wrong with a position of one particular game, one sentence each."""

CheckEvents = Callable[[State, int, list[tuple[int, ...]]], list[str]]
"""What is wrong with the events a seat received from the last move."""

MoveText = Callable[[State, int], str]
ParseMove = Callable[[State, str], int]

LOOKAHEAD = 12
"""How many plies copies are played on: enough to finish a card and start the next turn."""

KEYS_KEPT = 50_000
"""How many positions are remembered to compare equal keys; a bound on memory."""


class InvariantBroken(AssertionError):
    """A game does not keep the contract. The message is enough to reproduce it."""

    def __init__(self, problem: str, seed: int, moves: Sequence[int]) -> None:
        self.problem = problem
        self.seed = seed
        self.moves = list(moves)
        """Every move and chance outcome from a new game to the fault."""
        super().__init__(f"{problem} (game seed {seed}, ply {len(self.moves)}, moves {self.moves})")

    def __reduce__(self) -> tuple[type[InvariantBroken], tuple[str, int, list[int]]]:
        """Makes it survive the way back from a worker process."""
        return InvariantBroken, (self.problem, self.seed, self.moves)


@dataclass
class CheckCounts:
    """What was checked."""

    games: int = 0
    decisions: int = 0
    """Choices made by seats."""
    plies: int = 0
    """Choices and chance outcomes: how often moves and invariants were checked."""
    copies: int = 0
    """Plies at which copies, keys and the replay were compared as well."""

    def add(self, other: CheckCounts) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.plies += other.plies
        self.copies += other.copies


@dataclass
class _Checks:
    """How games are made, and what is checked beyond the contract of State."""

    new: Callable[[int], State]
    """Game seed -> a new game."""
    every: int
    invariants: CheckInvariants | None
    events: CheckEvents | None
    move_text: MoveText | None
    parse_move: ParseMove | None
    view: Callable[[int, int], View] | None = None
    """Seat and number of players -> the View of that seat."""
    draw: Callable[[State, int], str] | None = None
    """A table in words, as far as a seat knows it."""
    observation: ObservationLayout | None = None
    features: FeatureLayout | None = None


def check_game(
    game: Game | Callable[[], State],
    seed: int = 0,
    games: int = 100,
    *,
    players: int | None = None,
    every: int = 1,
    longest: int = 100_000,
    invariants: CheckInvariants | None = None,
    check_events: CheckEvents | None = None,
    move_text: MoveText | None = None,
    parse_move: ParseMove | None = None,
) -> CheckCounts:
    """Play `games` random games and raise InvariantBroken at the first fault.

    `game` is a Game, or a function that returns a new State. A Game brings its own invariants,
    event checks and move texts; it is played with `players` players, by default with every player
    count in turn. For a function, checks that are not passed in are left out.

    Events are checked in every `every`-th game, and with a Game the Views that observe them: they
    announce the decision that is pending, and a sampled world has the same one. What the seat knows
    looks the same in that world as on the table (`GameText.draw`, `State.role`), and playing in the
    world does not change the View.

    Moves and invariants are checked at every ply; copies, keys, replays and texts at every
    `every`-th, with a different offset in each game so that no ply number is always skipped.
    A game of more than `longest` plies is a fault.
    """
    if isinstance(game, Game):
        counts = game.player_counts if players is None else (players,)

        def new(number: int) -> State:
            return game.new(counts[number % len(counts)])

        invariants = invariants or game.analysis.invariants
        check_events = check_events or game.analysis.check_events
        move_text, parse_move = move_text or game.text.move, parse_move or game.text.parse
    else:

        def new(number: int) -> State:  # noqa: ARG001
            return game()

    checks = _Checks(new, every, invariants, check_events, move_text, parse_move)
    if isinstance(game, Game):
        checks.view, checks.draw = game.view, game.text.draw
        checks.observation, checks.features = game.observation, game.features
    total = CheckCounts()
    seen: dict[bytes, tuple[int, list[int]]] = {}
    for number in range(seed, seed + games):
        checked = _CheckedGame(checks, number, seen)
        checked.run(longest)
        total.add(checked.counts)
    return total


def check_moves_event(
    kind: int, state: State, seat: int, events: list[tuple[int, ...]]
) -> list[str]:
    """What is wrong with the events that list legal moves: only the actor gets one, a true one."""
    listed = [event[1:] for event in events if event[0] == kind]
    if not listed:
        return []
    if seat != state.actor:
        return [f"seat {seat} received the moves of seat {state.actor}"]
    if listed != [tuple(state.moves())]:
        return [f"seat {seat} received the moves {listed}, but has {state.moves()}"]
    return []


def position(new: Callable[[], State], moves: Sequence[int]) -> State:
    """The position that the moves of an InvariantBroken lead to."""
    state = new()
    for move in moves:
        state.play(move)
    return state


class _CheckedGame:
    """One game under test, and a second State that replays it move by move."""

    def __init__(
        self, checks: _Checks, seed: int, seen: dict[bytes, tuple[int, list[int]]]
    ) -> None:
        self.checks = checks
        self.seed = seed
        self.seen = seen
        self.state = checks.new(seed)
        self.echo = checks.new(seed)
        self.recording = seed % checks.every == 0
        self.views: list[View] = []
        if self.recording:
            self.echo.record()
            if checks.observation is not None:
                self.echo.take_notes()
            if checks.view is not None:
                seats = range(self.echo.players)
                self.views = [checks.view(seat, self.echo.players) for seat in seats]
        self.rng = Rng(seed)
        self.other_rng = Rng(seed ^ 0x5EED)
        self.view_rng = Rng(seed ^ 0x51DE)
        self.played: list[int] = []
        self.kept: list[tuple[State, bytes]] = []
        self.counts = CheckCounts(games=1)

    def broken(self, problem: str, ahead: Sequence[int] = ()) -> InvariantBroken:
        """The fault; `ahead` was played in a copy after the moves of the game."""
        return InvariantBroken(problem, self.seed, [*self.played, *ahead])

    def run(self, longest: int) -> None:
        try:
            self.play_to_end(longest)
        except InvariantBroken:
            raise
        except Exception as error:
            # Any exception on legal moves is a fault of the game.
            raise self.broken(f"raised {type(error).__name__}: {error}") from error

    def play_to_end(self, longest: int) -> None:
        while self.state.actor != NOBODY:
            self.check_position()
            if self.due():
                self.check_closely()
            self.ply()
            if len(self.played) > longest:
                raise self.broken(f"the game has not ended after {longest} plies")
        self.check_end()

    def due(self) -> bool:
        return (len(self.played) + self.seed) % self.checks.every == 0

    # ---- every ply ------------------------------------------------------------------------

    def check_position(self) -> None:
        state = self.state
        self.counts.plies += 1
        moves = state.moves()
        if not moves:
            raise self.broken(f"actor {state.actor} has no move, yet the game is not over")
        if moves != sorted(set(moves)):
            raise self.broken(f"moves are not ascending and unique: {moves}")
        if not 0 <= moves[0] <= moves[-1] < state.move_limit:
            limit = f"not all from 0 to move_limit - 1, which is {state.move_limit - 1}"
            raise self.broken(f"moves {moves} are {limit}")
        if not (0 <= state.actor < state.players or state.actor == CHANCE):
            raise self.broken(f"actor {state.actor} is neither a seat nor CHANCE nor NOBODY")
        if state.actor == CHANCE:
            weights = state.weights()
            if len(weights) != len(moves) or min(weights) <= 0:
                raise self.broken(f"weights {weights} do not fit the outcomes {moves}")
            if not all(isinstance(weight, int) for weight in weights):
                raise self.broken(f"weights {weights} are not whole numbers")
        self.check_invariants()

    def check_invariants(self) -> None:
        problems = self.checks.invariants(self.state) if self.checks.invariants else []
        if problems:
            raise self.broken("; ".join(problems))

    def ply(self) -> None:
        """One random move or outcome, also in the replaying State."""
        state = self.state
        if state.actor == CHANCE:
            move = state.sample_chance(self.rng)
        else:
            self.counts.decisions += 1
            move = state.legal[self.rng.below(state.count)]
            state.play(move)
        self.played.append(move)
        self.echo.play(move)
        if self.recording:
            self.compare_events()

    def compare_events(self) -> None:
        for seat in range(self.echo.players):
            events = self.echo.take_events(seat)
            if self.echo.take_events(seat):
                raise self.broken(f"seat {seat} receives the same events twice")
            check = self.checks.events
            problems = check(self.echo, seat, events) if check else []
            if problems:
                raise self.broken("; ".join(problems))
            if self.views:
                for event in events:
                    self.views[seat].observe(event)
        self.check_views()

    def check_views(self) -> None:
        """Every View announces the decision that is pending, or the end."""
        actor = int(self.echo.actor)
        if actor == CHANCE:
            return
        for seat, view in enumerate(self.views):
            name = f"the View of seat {seat}"
            if not view.complete:
                raise self.broken(f"{name} is not complete, though nothing is left to chance")
            if view.actor != actor:
                raise self.broken(f"{name} has the actor {view.actor} instead of {actor}")
            moves = self.echo.moves() if seat == actor else []
            if view.moves != moves:
                raise self.broken(f"{name} has the moves {view.moves} instead of {moves}")
            announced = self.counts.decisions + (actor != NOBODY)
            if view.decisions != announced:
                raise self.broken(f"{name} has counted {view.decisions} decisions, not {announced}")
        if self.views and self.counts.decisions.bit_count() <= 1 and actor != NOBODY:
            self.check_view_closely(self.views[actor])
            self.check_features(self.echo)

    def check_view_closely(self, view: View) -> None:
        """At the decisions 1, 2, 4, 8 ...: texts, and worlds to search in."""
        key = view.key()
        for kind in ("sample", "imagine"):
            world = view.sample(self.view_rng) if kind == "sample" else view.imagine()
            if world.actor != view.actor or world.moves() != view.moves:
                raise self.broken(
                    f"{kind}() of seat {view.seat} gives another decision: "
                    f"actor {world.actor}, moves {world.moves()}"
                )
            self.check_known(view.seat, kind, world)
            if kind == "sample":
                self.check_observations(view, world)
            before = view.imagine().key()
            if kind == "sample":
                world.playout(self.view_rng, LOOKAHEAD)
            else:
                world.play(self.view_rng.choice(view.moves))
            if view.imagine().key() != before:
                raise self.broken(
                    f"playing in what {kind}() of seat {view.seat} returned changes the View"
                )
        if not all(view.text(move) for move in view.moves):
            raise self.broken(f"the View of seat {view.seat} has a move without a text")
        if view.key() != key:
            raise self.broken(
                f"the key of the View of seat {view.seat} changes when it is asked for"
            )

    def check_known(self, seat: int, kind: str, world: State) -> None:
        """What a seat knows is in its worlds as it is on the table."""
        table = self.echo
        if not table.roles_move:
            told, true = int(world.role(seat)), int(table.role(seat))
            if told != true:
                raise self.broken(
                    f"{kind}() of seat {seat} gives it the role {told} instead of {true}"
                )
            missing = [other for other in range(table.players) if world.role(other) < 0]
            if kind == "sample" and any(table.role(other) >= 0 for other in missing):
                raise self.broken(f"sample() of seat {seat} leaves roles of {missing} unknown")
        if self.checks.draw is None:
            return
        told_table, true_table = self.checks.draw(world, seat), self.checks.draw(table, seat)
        if told_table != true_table:
            raise self.broken(
                f"draw() for seat {seat} shows on its table by {kind}() {told_table!r} "
                f"instead of {true_table!r}"
            )

    def check_observations(self, view: View, world: State) -> None:
        """A seat's observation is the same from the table, from its View, and in its worlds."""
        layout = self.checks.observation
        if layout is None:
            return
        view.note_in(world)
        rows: dict[str, list[int]] = {}
        for kind in ("its View", "a world of sample()", "the table"):
            words = vec[i64]([0] * layout.words)
            if kind == "its View":
                view.fill_observation(words, 0)
            else:
                (world if "world" in kind else self.echo).fill_observation(view.seat, words, 0)
            rows[kind] = [word >> shift & 0xFF for word in words for shift in range(0, 64, 8)]
        true = rows.pop("the table")
        for kind, row in rows.items():
            if row != true:
                raise self.broken(
                    f"the observation of seat {view.seat} from {kind} differs from the table's in "
                    f"'{_part_that_differs(layout, row, true)}'"
                )

    def check_features(self, table: State) -> None:
        """Features are finite and as many as the layout says; those of moves are in range."""
        layout = self.checks.features
        if layout is None:
            return
        numbers = table.features(layout.room(table.players))
        if not all(map(isfinite, numbers)):
            raise self.broken("a feature is no finite number")
        scratch = vec[i64]([0] * MOST_MOVE_FEATURES)
        for move in table.moves() if layout.moves else ():
            count = int(table.move_features(move, table.role(table.actor), scratch))
            found = [int(scratch[i]) for i in range(count)]
            if not all(0 <= feature < layout.moves for feature in found):
                raise self.broken(
                    f"move {move} has the features {found}, not all below {layout.moves}"
                )

    # ---- at every n-th ply ---------------------------------------------------------------------

    def check_closely(self) -> None:
        self.counts.copies += 1
        key = self.state.key()
        self.check_hot_moves()
        self.check_replay(key)
        self.check_key(key)
        self.check_copies(key)
        if len(self.played) >= 1 << len(self.kept):
            self.check_earlier_copies()
        self.check_texts()
        self.check_win_estimates()

    def check_hot_moves(self) -> None:
        """`legal` and `count`, which hot loops read, agree with `moves()`."""
        state = self.state
        if state.actor == CHANCE:
            return
        hot = sorted(state.legal[i] for i in range(state.count))
        if hot != state.moves():
            raise self.broken(f"legal holds {hot}, but moves() are {state.moves()}")
        observed = [int(state.observed_move(move)) for move in hot]
        if not all(0 <= move < state.move_limit for move in observed):
            raise self.broken(f"observed moves {observed} are not below {state.move_limit}")

    def check_replay(self, key: bytes) -> None:
        """The replaying State got the same moves by `play` alone, possibly recording events."""
        if self.echo.key() != key:
            how = " with events recorded" if self.recording else ""
            raise self.broken(f"replaying the same moves{how} leads to another position")

    def check_key(self, key: bytes) -> None:
        """Equal keys mean equal positions; a different actor or other moves disprove that."""
        state = self.state
        here = (int(state.actor), state.moves())
        if len(self.seen) < KEYS_KEPT:
            there = self.seen.setdefault(key, here)
        else:
            there = self.seen.get(key, here)
        if there != here:
            raise self.broken(f"one key for two positions: (actor, moves) {here} and {there}")

    def check_copies(self, key: bytes) -> None:
        """Two copies are equal and play on identically, and the original does not change."""
        state = self.state
        first, second = state.copy(), state.copy()
        for copy in (first, second):
            if copy.key() != key or copy.moves() != state.moves() or copy.actor != state.actor:
                raise self.broken("a copy differs from its original")
        ahead: list[int] = []
        after = key
        for _ in range(LOOKAHEAD):
            if first.actor == NOBODY:
                break
            after = self.play_on(first, second, after, ahead)
        if after != second.key():
            raise self.broken("two copies, given the same moves, end differently", ahead)
        if state.key() != key:
            raise self.broken(f"playing {ahead} in a copy changes the original")

    def play_on(self, first: State, second: State, before: bytes, ahead: list[int]) -> bytes:
        """Plays one more random move in both copies and returns the new key."""
        moves = first.moves()
        if not moves:
            raise self.broken("a copy has no move, yet is not over", ahead)
        if second.moves() != moves:
            raise self.broken(f"two equal copies differ: moves {moves} and {second.moves()}", ahead)
        move = moves[self.other_rng.below(len(moves))]
        ahead.append(move)
        first.play(move)
        second.play(move)
        after = first.key()
        if after == before:
            raise self.broken("the last move leaves the key unchanged", ahead)
        return after

    def check_earlier_copies(self) -> None:
        """Copies taken at the plies 1, 2, 4, 8 ... must not change as the game continues."""
        for copy, key in self.kept:
            if copy.key() != key:
                raise self.broken("playing on changes an earlier copy")
        self.kept.append((self.state.copy(), self.state.key()))

    def check_texts(self) -> None:
        move_text, parse_move = self.checks.move_text, self.checks.parse_move
        if move_text is None or parse_move is None or self.state.actor == CHANCE:
            return
        texts: dict[str, int] = {}
        for move in self.state.moves():
            text = move_text(self.state, move)
            if text in texts:
                raise self.broken(f"moves {texts[text]} and {move} are both called '{text}'")
            texts[text] = move
            back = parse_move(self.state, text)
            if back != move:
                raise self.broken(f"move {move} is called '{text}', which is read as {back}")

    def check_win_estimates(self) -> None:
        """Win estimates must be chances, one per seat, and roles must exist."""
        state = self.state
        roles = [state.role(seat) for seat in range(state.players)]
        if not all(-1 <= role < state.roles for role in roles):
            raise self.broken(f"roles {roles} are not below {state.roles}")
        if min(roles, default=-1) < 0 < state.roles:
            return  # not dealt yet
        chances = [float(chance) for chance in state.win_estimates()]
        if len(chances) != state.players or min(chances) < 0.0:
            raise self.broken(f"win estimates {chances} are not one chance per seat")

    # ---- the end --------------------------------------------------------------------------

    def check_end(self) -> None:
        state = self.state
        key = state.key()
        self.check_invariants()
        self.check_replay(key)
        self.check_earlier_copies()
        if state.moves():
            raise self.broken(f"the game is over, yet {state.moves()} are legal")
        winners = state.winners()
        if not isinstance(winners, tuple):
            raise self.broken(f"winners {winners} are no tuple")
        if list(winners) != sorted(set(winners)) or not set(winners) <= set(range(state.players)):
            raise self.broken(f"winners {winners} are not ascending seats of {state.players}")
        if self.echo.winners() != winners or state.copy().winners() != winners:
            raise self.broken("replay or copy disagree about the winners")
        self.check_playout(key)

    def check_playout(self, key: bytes) -> None:
        """`playout` with the same generator must do what `ply` does, only faster."""
        quick = self.checks.new(self.seed)
        decisions = quick.playout(Rng(self.seed))
        if quick.key() != key or decisions != self.counts.decisions:
            raise self.broken("playout() ends differently from the same random moves one by one")


def _part_that_differs(layout: ObservationLayout, row: list[int], true: list[int]) -> str:
    for name, first, end in layout.parts():
        if row[first:end] != true[first:end]:
            return name
    return "the rest, which must be 0"
