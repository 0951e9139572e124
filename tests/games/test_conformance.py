"""check_game passes a correct game and catches each way of breaking the contract."""

import pickle
from collections.abc import Callable

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.conformance import InvariantBroken, check_game, check_moves_event, position
from games.features import FeatureLayout
from games.forms.observations import ObservationLayout
from games.hidden_leaders.invariants import invariants
from games.hidden_leaders.rules.cards import RETAIL
from games.hidden_leaders.rules.constants import Event, Zone
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.hidden_leaders.rules.table import LAST
from games.registry import Analysis, Game, GameText
from games.state import CHANCE, FOREVER, NOBODY, Rng, State
from games.view import View


class Heap(State):
    """Chance lays out 9 to 12 stones; players take one to three in turn; the last stone wins."""

    def __init__(self) -> None:
        super().__init__(2)
        self.move_limit = 13
        self.stones: list[int] = []
        self.winner = NOBODY
        self.events: list[list[tuple[int, ...]]] | None = None
        self.restart()

    def restart(self) -> None:
        self.actor = CHANCE

    def moves(self) -> list[int]:
        if self.actor == CHANCE:
            return [9, 10, 11, 12]
        if self.actor == NOBODY:
            return []
        return [take for take in (1, 2, 3) if take <= len(self.stones)]

    def play(self, move: int) -> None:
        if self.actor == CHANCE:
            self.stones = list(range(move))
            self.actor = 0
        else:
            del self.stones[-move:]
            if self.stones:
                self.actor = 1 - self.actor
            else:
                self.winner, self.actor = self.actor, NOBODY
        self.after(move)

    def after(self, move: int) -> None:
        moves = self.moves()
        for i, legal in enumerate(moves):
            self.legal[i] = legal
        self.count = len(moves)
        if self.events is not None:
            for seat in range(2):
                self.events[seat].append((move,))

    def blank(self) -> "Heap":
        return type(self)()

    def copy(self) -> "Heap":
        twin = self.blank()
        twin.actor, twin.count, twin.winner = self.actor, self.count, self.winner
        twin.legal = self.legal[:]
        twin.stones = self.stones[:]
        return twin

    def winners(self) -> tuple[int, ...]:
        return () if self.winner == NOBODY else (self.winner,)

    def key(self) -> bytes:
        return bytes([self.actor + 2, self.winner + 1, len(self.stones)])

    def record(self) -> None:
        self.events = [[], []]

    def take_events(self, seat: int) -> list[tuple[int, ...]]:
        assert self.events is not None
        news, self.events[seat] = self.events[seat], []
        return news


def broken(**methods: Callable[..., object]) -> type[Heap]:
    """Heap with other methods."""
    return type("Broken", (Heap,), methods)


def after(method: Callable[..., object], then: Callable[..., object]) -> Callable[..., object]:
    """A method that first does what `method` does."""

    def both(state: Heap, *arguments: object) -> object:
        result = method(state, *arguments)
        return then(state, result)

    return both


def change(**fields: Callable[[Heap], object]) -> Callable[[Heap, object], object]:
    """Sets fields of what a method has returned, or of the state if it returned nothing."""

    def changed(state: Heap, result: object) -> object:
        for name, value in fields.items():
            setattr(result or state, name, value(state))
        return result

    return changed


NoMoves = broken(moves=lambda s: [] if len(s.stones) == 5 else Heap.moves(s))
SharedStones = broken(copy=after(Heap.copy, change(stones=lambda s: s.stones)))


class SecretCounter(Heap):
    """Something outside the key, shared by all, decides what happens."""

    played = 0

    def play(self, move: int) -> None:
        type(self).played += 1
        if self.actor != CHANCE and type(self).played % 7 == 0:
            move = 1
        super().play(move)


class Crashing(Heap):
    def play(self, move: int) -> None:
        super().play(move)
        if not self.stones:
            raise ZeroDivisionError("no stones left")


class EventsChangeTheGame(Heap):
    def after(self, move: int) -> None:
        super().after(move)
        if self.events is not None and len(self.stones) == 6:
            self.stones.pop()


class Endless(Heap):
    def after(self, move: int) -> None:
        if len(self.stones) < 4 and self.actor >= 0:
            self.stones = list(range(12))
        super().after(move)


FAULTS: dict[str, tuple[type[Heap], str]] = {
    "no moves": (NoMoves, "has no move"),
    "descending": (broken(moves=lambda s: Heap.moves(s)[::-1]), "not ascending"),
    "twice": (broken(moves=lambda s: sorted(Heap.moves(s) * 2)), "not ascending and unique"),
    "strange actor": (
        broken(play=after(Heap.play, change(actor=lambda s: 2 if s.actor == 1 else s.actor))),
        "neither a seat nor CHANCE",
    ),
    "few weights": (broken(weights=lambda s: [1, 1]), "weights"),
    "halves": (broken(weights=lambda s: [0.5] * len(s.moves())), "not whole numbers"),
    "outcomes beyond the limit": (
        broken(moves=lambda s: [13] if s.actor == CHANCE else Heap.moves(s)),
        r"moves \[13\] are not all from 0 to move_limit - 1, which is 12",
    ),
    "observed moves beyond the limit": (
        broken(observed_move=lambda s, move: move + 20),
        "observed moves .* are not below 13",
    ),
    "a list of winners": (broken(winners=lambda s: list(Heap.winners(s))), "are no tuple"),
    "zero weight": (broken(weights=lambda s: [1, 1, 0, 1]), "weights"),
    "other hot moves": (
        broken(after=after(Heap.after, change(count=lambda s: min(s.count, 2)))),
        "legal holds",
    ),
    "shared stones": (SharedStones, "copy|copies|original"),
    "forgetful copy": (
        broken(copy=after(Heap.copy, change(actor=lambda s: min(s.actor, 0)))),
        "a copy differs",
    ),
    "secret counter": (SecretCounter, "differ|another position"),
    "says one outcome and plays another": (
        broken(sample_chance=after(Heap.sample_chance, lambda s, played: 10 if played == 9 else 9)),
        "replaying the same moves",
    ),
    "blind key": (
        broken(key=lambda s: bytes([s.actor + 2, s.winner + 1, len(s.stones) // 4])),
        "one key for two positions|leaves the key",
    ),
    "events change the game": (
        EventsChangeTheGame,
        "with events recorded leads to another position",
    ),
    "same events again": (broken(take_events=lambda s, seat: s.events[seat]), "twice"),
    "endless": (Endless, "has not ended after 200 plies"),
    "moves after the end": (broken(moves=lambda s: Heap.moves(s) or [1]), "over, yet"),
    "strange winner": (broken(winners=lambda s: (2,)), "winners"),
    "unsorted winners": (broken(winners=lambda s: (1, 0)), "winners"),
    "copies forget winners": (
        broken(copy=after(Heap.copy, change(winners=lambda s: lambda: ()))),
        "disagree about the winners",
    ),
    "other playout": (
        broken(playout=lambda s, rng, limit=FOREVER: Heap.playout(s, rng, limit) + 1),
        "playout",
    ),
    "negative estimates": (
        broken(win_estimates=lambda s: vec[float]([-0.5, 1.5])),
        "win estimates",
    ),
    "strange role": (broken(role=lambda s, seat: 3), "roles"),
    "crashing": (Crashing, "raised ZeroDivisionError: no stones left"),
}


def test_a_correct_game_passes_and_is_counted() -> None:
    tally = check_game(Heap, seed=5, games=50)
    assert tally.games == 50
    assert tally.plies == tally.decisions + 50
    assert tally.copies == tally.plies


@pytest.mark.parametrize(("game", "problem"), FAULTS.values(), ids=FAULTS)
def test_every_fault_is_found(game: type[Heap], problem: str) -> None:
    with pytest.raises(InvariantBroken, match=problem):
        check_game(game, games=50, longest=200)


def test_a_sparse_check_still_finds_aliasing() -> None:
    with pytest.raises(InvariantBroken, match=r"copy|copies|original"):
        check_game(SharedStones, games=50, every=5)


def test_a_fault_can_be_reproduced_from_its_message_alone() -> None:
    with pytest.raises(InvariantBroken) as first:
        check_game(NoMoves, seed=0, games=50)
    fault = first.value
    assert f"game seed {fault.seed}, ply {len(fault.moves)}, moves {fault.moves}" in str(fault)
    with pytest.raises(InvariantBroken) as second:
        check_game(NoMoves, seed=fault.seed, games=1)
    assert second.value.moves == fault.moves
    assert position(NoMoves, fault.moves).moves() == []


def test_a_fault_survives_pickling() -> None:
    fault = InvariantBroken("it broke", 7, [1, 2])
    back = pickle.loads(pickle.dumps(fault))  # noqa: S301
    assert (str(back), back.problem, back.seed, back.moves) == (str(fault), "it broke", 7, [1, 2])


def test_invariants_are_checked_at_every_position_and_at_the_end() -> None:
    actors: list[int] = []

    def watch(state: State) -> list[str]:
        actors.append(state.actor)
        return []

    tally = check_game(Heap, games=1, invariants=watch)
    assert len(actors) == tally.plies + 1
    assert actors[-1] == NOBODY
    with pytest.raises(InvariantBroken, match="too few; too dull"):
        check_game(Heap, games=1, invariants=lambda state: ["too few", "too dull"])


def test_events_of_every_seat_are_checked() -> None:
    with pytest.raises(InvariantBroken, match="seat 1 sees too much"):
        check_game(
            Heap, check_events=lambda state, seat, events: [f"seat {seat} sees too much"] * seat
        )


def stones(state: State, move: int) -> str:
    return f"take {move}"


@pytest.mark.parametrize(
    ("text", "parse", "problem"),
    [
        (stones, lambda state, text: int(text[5:]), ""),
        (lambda state, move: "take", lambda state, text: 1, "both called 'take'"),
        (stones, lambda state, text: 1, "'take 2', which is read as 1"),
    ],
)
def test_move_texts_are_unique_and_read_back(
    text: Callable[[State, int], str], parse: Callable[[State, str], int], problem: str
) -> None:
    if not problem:
        check_game(Heap, games=5, move_text=text, parse_move=parse)
        return
    with pytest.raises(InvariantBroken, match=problem):
        check_game(Heap, games=5, move_text=text, parse_move=parse)


class HeapText(GameText):
    def move(self, state: State, move: int) -> str:
        return f"take {move}"

    def parse(self, state: State, words: str) -> int:
        return int(words.removeprefix("take "))

    def draw(self, state: State, seat: int | None) -> str:
        assert isinstance(state, Heap)
        return f"{len(state.stones)} stones"


class HeapView(View):
    """Sees everything."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat, 2)
        self.heap = Heap()

    def observe(self, event: tuple[int, ...]) -> None:
        self.heap.play(event[0])
        self.actor = int(self.heap.actor)
        self.moves = self.heap.moves() if self.actor == self.seat else []
        self.decisions += self.actor != NOBODY
        self.complete = True

    def text(self, move: int) -> str:
        return f"take {move}"

    def imagine(self) -> State:
        return self.heap.copy()

    def sample(self, rng: Rng) -> State:
        return self.heap.copy()

    def key(self) -> bytes:
        return self.heap.key()


class HeapGame(Game):
    """Heap with the parts a checker uses."""

    name = "heap"
    title = "Heap"
    rules_version = 1
    min_players, max_players = 2, 4
    text: GameText = HeapText()

    def __init__(self) -> None:
        self.asked: set[int] = set()
        self.make_view: Callable[[int], View] = HeapView

    def new(self, players: int, **options: object) -> State:
        self.asked.add(players)
        return Heap()

    def view(self, seat: int, players: int, **options: object) -> View:
        return self.make_view(seat)


class HeapAnalysis(Analysis):
    def invariants(self, state: State) -> list[str]:
        return ["too few stones"]


def test_a_game_is_checked_at_every_player_count_or_at_one() -> None:
    rules = HeapGame()
    assert check_game(rules, games=9).games == 9
    assert rules.asked == {2, 3, 4}
    rules.asked.clear()
    check_game(rules, games=3, players=4)
    assert rules.asked == {4}


def test_a_game_brings_its_own_texts_and_invariants() -> None:
    rules = HeapGame()
    rules.text = GameText()
    with pytest.raises(InvariantBroken, match=r"must implement draw"):
        check_game(rules, games=1)
    rules = HeapGame()
    rules.analysis = HeapAnalysis()
    with pytest.raises(InvariantBroken, match="too few stones"):
        check_game(rules, games=1)


# ---- Hidden Leaders -----------------------------------------------------------------------------


def begun(players: int = 3) -> HiddenLeaders:
    """A game at the start of its first turn."""
    state = new_game(players)
    rng = Rng(1)
    while state.actor == CHANCE or state.legal[0] < 0 or state.turns == 0:
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.moves()[0])
    assert invariants(state) == []
    return state


def empty_a_slot_by_hand(state: HiddenLeaders) -> None:
    state.lift(Zone.TAVERN, 1)
    state.lay(Zone.GRAVEYARD, LAST, 0)


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (
            lambda s: s.lift(Zone.HARBOR, 0),
            f"{len(RETAIL) - 1} cards are on the table, but {len(RETAIL)} in the deck",
        ),
        (lambda s: s.lay(Zone.GRAVEYARD, LAST, s.cards(Zone.HARBOR)[0]), "lies in 2 places"),
        (empty_a_slot_by_hand, "places"),
        (lambda s: setattr(s, "red", 13), "the red marker is off the track: 13"),
        (lambda s: setattr(s, "actor", 5), "actor 5 is not at the table"),
    ],
    ids=["a card lost", "a card twice", "a slot emptied", "a marker off", "an empty seat to move"],
)
def test_a_spoiled_position_breaks_an_invariant(
    spoil: Callable[[HiddenLeaders], None], problem: str
) -> None:
    state = begun()
    spoil(state)
    assert problem in "; ".join(invariants(state))


def test_only_the_actor_may_receive_its_legal_moves() -> None:
    state = begun()
    kind = Event.LEGAL_MOVES
    event = (kind, *state.moves())
    assert check_moves_event(kind, state, state.actor, [event]) == []
    assert check_moves_event(kind, state, 1 - state.actor, [event]) != []
    assert check_moves_event(kind, state, state.actor, [(kind, 1)]) != []


def set_after(name: str, value: object) -> Callable[..., None]:
    """An `observe` that leaves a wrong value behind."""

    def observe(view: HeapView, event: tuple[int, ...]) -> None:
        HeapView.observe(view, event)
        setattr(view, name, value)

    return observe


def dealt(stones: int) -> Heap:
    heap = Heap()
    heap.play(stones)
    return heap


def with_role(heap: Heap, role: int) -> Heap:
    """A copy that says every seat has that role."""
    twin = broken(role=lambda _state, _seat: role)()
    twin.actor, twin.count, twin.stones = heap.actor, heap.count, heap.stones[:]
    twin.legal = heap.legal[:]
    return twin


BROKEN_VIEWS: dict[str, tuple[str, object]] = {
    "is not complete": ("observe", set_after("complete", value=False)),
    r"has the actor 7 instead of 0": ("observe", set_after("actor", 7)),
    r"has the moves \[\] instead of \[1, 2, 3\]": ("observe", set_after("moves", [])),
    "has counted 0 decisions, not 1": ("observe", set_after("decisions", 0)),
    r"sample\(\) of seat 0 gives another decision: actor -2": ("sample", lambda *_: Heap()),
    r"imagine\(\) of seat 0 gives another decision: actor -2": ("imagine", lambda _: Heap()),
    r"draw\(\) for seat 0 shows on its table by sample\(\) '12 stones' instead of": (
        "sample",
        lambda *_: dealt(12),
    ),
    r"playing in what sample\(\) of seat 0 returned changes": ("sample", lambda v, _: v.heap),
    r"playing in what imagine\(\) of seat 0 returned changes": ("imagine", lambda v: v.heap),
    r"sample\(\) of seat 0 gives it the role 0 instead of -1": (
        "sample",
        lambda v, _: with_role(v.heap, 0),
    ),
    "has a move without a text": ("text", lambda *_: ""),
    r"must implement key\(\)": ("key", View.key),
}


@pytest.mark.parametrize("problem", BROKEN_VIEWS)
def test_a_view_that_breaks_the_contract_is_caught(problem: str) -> None:
    name, method = BROKEN_VIEWS[problem]
    rules = HeapGame()
    rules.make_view = type("BrokenView", (HeapView,), {name: method})
    with pytest.raises(InvariantBroken, match=problem):
        check_game(rules, games=5)


# ---- what learners see --------------------------------------------------------------------------


class Numbered(Heap):
    """Heap with observations and features."""

    def fill_observation(self, _seat: int, out: vec[i64], at: int) -> None:
        out[at] = len(self.stones)

    def fill_features(self, out: vec[float]) -> None:
        out[0] = float(len(self.stones))

    def move_features(self, move: int, _role: int, out: vec[i64]) -> int:
        out[0] = move - 1
        return 1


class NumberedView(HeapView):
    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.heap = Numbered()

    def fill_observation(self, out: vec[i64], at: int) -> None:
        self.heap.fill_observation(self.seat, out, at)


class NumberedGame(HeapGame):
    observation = ObservationLayout(1, (("stones", 1),), (("own", 1),))
    features = FeatureLayout(1, ("stones",), (), (), 0, one_winner=True, moves=3)

    def __init__(self, make: type[Heap]) -> None:
        super().__init__()
        self.make = make
        self.make_view = NumberedView

    def new(self, players: int, **options: object) -> State:
        return self.make()


def test_observations_and_features_that_fit_pass() -> None:
    assert check_game(NumberedGame(Numbered), games=9).games == 9


def observes(value: Callable[[Numbered], int], word: int) -> type[Heap]:
    """A table that tells its seats something else than their Views do."""

    def fill(state: Numbered, _seat: int, out: vec[i64], at: int) -> None:
        out[at], out[at + word] = len(state.stones), value(state)

    return type("Observed", (Numbered,), {"fill_observation": fill})


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (observes(lambda s: len(s.stones) + 1, 0), "from its View differs .* in 'stones'"),
        (observes(lambda _: 5, 1), "from its View differs .* in 'own'"),
        (observes(lambda _: 5 << 56, 1), "in 'the rest, which must be 0'"),
        (
            type("NoNumber", (Numbered,), {"fill_features": lambda _, out: fill_nan(out)}),
            "a feature is no finite number",
        ),
        (
            type("Beyond", (Numbered,), {"move_features": lambda _s, m, _r, out: beyond(m, out)}),
            r"move 1 has the features \[3\], not all below 3",
        ),
    ],
)
def test_what_learners_see_is_checked(table: type[Heap], problem: str) -> None:
    """The table's observation must come from what the View knows: else hidden cards leak."""
    with pytest.raises(InvariantBroken, match=problem):
        check_game(NumberedGame(table), games=5)


def fill_nan(out: vec[float]) -> None:
    out[0] = float("nan")


def beyond(move: int, out: vec[i64]) -> int:
    out[0] = move + 2
    return 1
