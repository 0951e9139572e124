"""Fuzzing: mutated files must be refused with one sentence, or mean what they say.

Each `Target` reads one kind of file as the commands do. What it accepts is judged by an oracle that
does not share its code: the rules' invariants, another search, or the genuine file.
"""

import io
import json
import random
import signal
import sqlite3
import tempfile
import traceback
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from arena.cli.saved_games import load_replay
from arena.league.bundle import open_bundle, write_bundle
from arena.league.config import BUNDLED_LEAGUES, league_from_json, read_league
from arena.league.database import OF_A_GAME, TABLES
from arena.league.journal import Journal
from arena.league.outcome import pack_notes, unpack_notes
from arena.league.verify import RunCheck
from arena.match.referee import BotFault, LiveGame
from bots import Bot
from bots.bot import Budget, Match
from bots.runtime.faults import BotFailure
from bots.runtime.frames import frames_text, read_frames
from bots.runtime.protocol import decode
from games.errors import GameError
from games.registry import game, read_position
from games.replay import ConsideredMove, Replay, read_replay, write_replay
from games.seats import seat_from_name
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View
from solver.ask import Query, solve_query
from solver.certificates.checker import check_certificate
from solver.certificates.format import (
    Certificate,
    SeatCertificate,
    read_certificate,
    read_seat_certificate,
    write_certificate,
    write_seat_certificate,
)
from solver.certificates.seat_checker import check_seat_certificate
from solver.certificates.seat_writer import certify_seat
from solver.certificates.writer import certify
from solver.core.budget import NodeBudget
from solver.puzzles.files import Puzzle, find_puzzle, load_puzzle, prove
from solver.puzzles.lines import puzzle_line, puzzle_of_line
from tests.support.leagues import play, small
from tests.support.mutations import mutate

SECONDS = 20.0
"""No file of these sizes may take longer."""

NODES = 20_000
PUZZLES = ("so-he-says", "whoever-you-are", "doubt", "a-quiet-burial", "kindness", "frog-leap")
_HIDDEN_HEROES = (
    "threshold 5; red 4; green 4; deck ShSo FlKn PiPi WaWi RoOr AcFi BoGo UnMe GrGu ArSk; "
    "harbor ?; A leader Pavyr hand RoOr open ShSo FlKn PiPi WaWi; "
    "B leader Xiadul open AcFi hidden ?; C leader Lemron open BoGo hidden ?"
)
_CARDS_DRAWN = (
    "threshold 2; red 8; green 5; deck JoCh BoGo GrGu ShSo UnMe ArSk FuFr KeKo; wilderness ?x2; "
    "harbor ?x3; A leader Pavyr hand JoCh open BoGo; B leader ? open GrGu"
)
SEAT_POSITIONS = (_HIDDEN_HEROES, _CARDS_DRAWN)


class Hang(BaseException):
    """A file took too long; not an Exception, so that nothing on the way catches it."""


class Target(ABC):
    """One kind of file."""

    name: str
    genuine: list[bytes]

    @abstractmethod
    def read(self, data: bytes) -> object:
        """What the file means; GameError or BotFailure if it is refused."""

    @abstractmethod
    def wrong(self, meaning: object, origin: int) -> str:
        """Why it should have been refused; empty if it is right. `origin`: the genuine file."""

    def mutated(self, origin: int, dice: random.Random) -> bytes:
        return mutate(self.genuine[origin], self.genuine, dice)


_MAY_BE = ("the tavern is not full at the start of a turn",)
"""What no game leads to, but a position may say: its slots are written one by one."""


class Positions(Target):
    """Positions as text, for `solve`, `play --from` and puzzles."""

    name = "positions"

    def __init__(self, _folder: Path) -> None:
        self.games: list[str] = []
        self.genuine = []
        for name, players in (("hidden-leaders", 3), ("hidden-leaders", 4), ("secrets", 5)):
            for seed in range(12):
                state = random_state(name, players, seed)
                positions = game(name).positions
                assert positions is not None
                self.genuine.append(positions.write(state).encode())
                self.games.append(name)

    def read(self, data: bytes) -> object:
        text = data.decode("utf-8", "replace")
        name = "secrets" if b"policeman" in data.lower() else "hidden-leaders"
        for guess in (name, "secrets", "hidden-leaders"):
            try:
                return guess, read_position(game(guess), text).draw(Rng(1))
            except GameError as error:
                first = error
        raise first

    def wrong(self, meaning: object, origin: int) -> str:
        assert isinstance(meaning, tuple)
        name, state = meaning
        rules = game(name)
        assert isinstance(state, State)
        assert rules.positions is not None
        problems = [each for each in rules.analysis.invariants(state) if each not in _MAY_BE]
        if problems:
            return problems[0]
        again = rules.positions.read(rules.positions.write(state)).draw(Rng(1))
        return "" if again.key() == state.key() else "it is another position when it is written"


def random_state(name: str, players: int, seed: int) -> State:
    """A table in the middle of a random game, with a seat to decide."""
    rules, rng = game(name), Rng(seed)
    state = rules.new(players)
    for _ in range(8 + 6 * (seed % 6)):
        before = state.copy()
        if state.actor == CHANCE:
            state.sample_chance(rng)
        elif state.actor != NOBODY:
            legal = state.moves()
            state.play(legal[rng.below(len(legal))])
        if state.actor == NOBODY:
            state = before
            break
    while state.actor == CHANCE:
        state.sample_chance(rng)
    return state


class Replays(Target):
    """Replays as `verify` and `show` read them."""

    name = "replays"

    def __init__(self, folder: Path) -> None:
        self.file = folder / "replay.jsonl"
        run = folder / "replays.db"
        play(run, small(deals=1))
        with Journal.read(run) as journal:
            games = [saved.replay for saved in journal.games()]
        self.genuine = [write_replay(replay).encode() for replay in games]

    def read(self, data: bytes) -> object:
        self.file.write_bytes(data)
        return load_replay(self.file)

    def wrong(self, meaning: object, origin: int) -> str:
        return (
            ""
            if any(meaning == read_replay(each.decode()) for each in self.genuine)
            else ("it is another game than any of the genuine ones, although it has a digest")
        )


class Configs(Target):
    """Leagues as TOML."""

    name = "configs"

    def __init__(self, folder: Path) -> None:
        self.file = folder / "league.toml"
        self.genuine = [path.read_bytes() for path in sorted(BUNDLED_LEAGUES.glob("*.toml"))]
        self.genuine.append(
            b'bots = ["random", "greedy:depth=6 as deep"]\nplayers = "2-4"\ndeals = 20\nseed = 7\n'
            b"lineups = 50\nprobation = 2\nseconds_per_move = 0.5\nuntil_settled = true\ntop = 1\n"
            b'trust = false\nwithout = ["deep"]\n[options]\ndeck = "beginner"\nrounds = 4\n'
        )

    def read(self, data: bytes) -> object:
        self.file.write_bytes(data)
        return read_league(self.file, {})

    def wrong(self, meaning: object, origin: int) -> str:
        as_json = getattr(meaning, "as_json")()  # noqa: B009
        text = json.dumps(as_json)
        again = league_from_json(json.loads(text))
        if json.dumps(again.as_json()) != text:
            return "it is another league when it is saved"
        rules = game(again.game)
        counts = [*again.players]
        if not counts or not rules.min_players <= min(counts) <= max(counts) <= rules.max_players:
            return f"its player counts are {counts}"
        if not again.bots or len(set(again.names)) != len(again.bots) or again.deals < 1:
            return "it has no bots, two of one name, or no deals"
        return ""


class Puzzles(Target):
    """Puzzle files, read and proved."""

    name = "puzzles"

    def __init__(self, folder: Path) -> None:
        self.file = folder / "puzzle.toml"
        self.genuine = [find_puzzle(name).read_bytes() for name in PUZZLES]

    def read(self, data: bytes) -> object:
        self.file.write_bytes(data)
        puzzle = load_puzzle(self.file)
        return puzzle, prove(puzzle, NodeBudget(NODES))

    def wrong(self, meaning: object, origin: int) -> str:
        """An independent checker follows the proof of the same question."""
        assert isinstance(meaning, tuple)
        puzzle, solution = meaning
        assert isinstance(puzzle, Puzzle)
        try:
            certificate = certify(solution, NodeBudget(50 * NODES))
        except GameError:
            return ""  # not every question can be certified
        check_certificate(certificate)
        best = max(
            claim.sure if puzzle.ask == "sure" else claim.value for claim in certificate.claims
        )
        return "" if best == puzzle.value else f"its value is {puzzle.value}, proven is {best}"


class PuzzleLines(Target):
    """Puzzles as lines, read and solved."""

    name = "puzzle lines"

    def __init__(self, _folder: Path) -> None:
        puzzles = [load_puzzle(find_puzzle(name)) for name in PUZZLES]
        self.genuine = [puzzle_line(puzzle).encode() for puzzle in puzzles]

    def read(self, data: bytes) -> object:
        try:
            puzzle = puzzle_of_line(data.decode())
        except UnicodeDecodeError:
            raise GameError("not UTF-8") from None
        solve_query(puzzle.query, NodeBudget(NODES), every_world=True)
        return puzzle

    def wrong(self, meaning: object, origin: int) -> str:
        """Written again, the line asks the same."""
        assert isinstance(meaning, Puzzle)
        again = puzzle_of_line(puzzle_line(meaning))
        same = (again.ask, str(again.query.position)) == (meaning.ask, str(meaning.query.position))
        return "" if same else "it asks something else when written again"


class Certificates(Target):
    """Proofs as JSON, checked."""

    name = "certificates"

    def __init__(self, _folder: Path) -> None:
        proofs = [prove(load_puzzle(find_puzzle(name)), NodeBudget()) for name in PUZZLES]
        texts = [write_certificate(certify(proof, NodeBudget())) for proof in proofs]
        self.genuine = [text.encode() for text in texts if len(text) < 60_000]

    def read(self, data: bytes) -> object:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise GameError("not UTF-8") from None
        certificate = read_certificate(text)
        check_certificate(certificate)
        return certificate

    def wrong(self, meaning: object, origin: int) -> str:
        """The same question, solved by a search."""
        assert isinstance(meaning, Certificate)
        rules = game(meaning.game)
        position = read_position(rules, meaning.position)
        words = {key: getattr(meaning, key) for key in ("goal", "horizon", "others", "sight")}
        solution = solve_query(Query(rules, position, **words), NodeBudget(50 * NODES))
        if not solution.answer.exact:
            return ""
        found = {solution.text(value): value.likely[0] for value in solution.answer.values}
        claimed = {claim.move: claim.value for claim in meaning.claims}
        return "" if found == claimed else f"it claims {claimed}, a search finds {found}"


class SeatCertificates(Target):
    """Proofs of what a seat can win as it knows the game, checked."""

    name = "seat certificates"

    def __init__(self, _folder: Path) -> None:
        rules = game("hidden-leaders")
        self.genuine = []
        for text in SEAT_POSITIONS:
            query = Query(rules, read_position(rules, text), sight="own", most_worlds=0)
            proof = certify_seat(solve_query(query, NodeBudget()))
            self.genuine.append(write_seat_certificate(proof).encode())

    def read(self, data: bytes) -> object:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise GameError("not UTF-8") from None
        certificate = read_seat_certificate(text)
        check_seat_certificate(certificate)
        return certificate

    def wrong(self, meaning: object, origin: int) -> str:
        """The same question, solved by a search that knows the same events."""
        assert isinstance(meaning, SeatCertificate)
        rules = game(meaning.game)
        seat = seat_from_name(meaning.seat)
        view = rules.view(seat, meaning.players, **meaning.options)
        for event in meaning.events:
            view.observe(event)
        assert rules.positions is not None
        position = rules.positions.read(rules.positions.write_view(view))
        query = Query(rules, position, sight="own", view=view)
        solution = solve_query(query, NodeBudget(50 * NODES))
        if not solution.answer.exact:
            return ""
        found = {words: float(value.likely[0]) for words, value in solution.moves.items()}
        claimed = {claim.move: float(claim.value) for claim in meaning.claims}
        same = found.keys() == claimed.keys() and all(
            abs(found[words] - claimed[words]) < 1e-8 for words in found
        )
        return "" if same else f"it claims {claimed}, a search finds {found}"


class Echo(Bot):
    """Says what a line says, whatever that is."""

    reply: dict[str, object]

    def choose(self, view: View) -> int:
        return self.reply.get("move")  # type: ignore[return-value]

    def explain(self) -> str:
        return self.reply.get("reason")  # type: ignore[return-value]

    def considered(self) -> list[tuple[int, int, float]]:
        return self.reply.get("candidates")  # type: ignore[return-value]

    def belief(self) -> dict[str, float]:
        return self.reply.get("belief")  # type: ignore[return-value]


class EchoFactory:
    """Makes bots that answer with the same line."""

    name = "echo"

    def __init__(self) -> None:
        self.reply: dict[str, object] = {}

    def make(self, seat: int, seed: int, budget: Budget | None, match: Match | None) -> Bot:
        bot = Echo(seat, Rng(seed))
        bot.reply = self.reply
        return bot


class ProtocolLines(Target):
    """Lines that the process of a bot writes, up to what is stored of them."""

    name = "protocol lines"

    def __init__(self, _folder: Path) -> None:
        state = self._game(EchoFactory()).state
        lines: list[dict[str, object]] = [
            {"type": "move", "decision": 0, "move": move, "reason": f"because {move}"}
            for move in state.moves()
        ]
        lines[0]["candidates"] = [[move, 10, 0.25] for move in state.moves()]
        lines[0]["belief"] = {"B wins": 0.25}
        frames = [["bot.py", 12, "choose", "return 1 / 0"]]
        lines.append({"type": "error", "kind": "exception", "problem": "x", "frames": frames})
        self.genuine = [json.dumps(line).encode() for line in lines]

    @staticmethod
    def _game(factory: EchoFactory) -> LiveGame:
        rules = game("hidden-leaders")
        live = LiveGame(rules, Replay(rules.name, 2, ()), {0: factory, 1: factory}, 5)
        live.begin()
        while live.state.actor == CHANCE:
            live.sample_chance()
        return live

    def read(self, data: bytes) -> object:
        reply = decode(data.partition(b"\n")[0])
        if reply.get("type") == "error":
            return frames_text(read_frames(reply.get("frames")))
        factory = EchoFactory()
        factory.reply = reply
        live = self._game(factory)
        move, _ = live.ask()
        legal = move in live.state.moves()
        live.play(move)
        return legal, live.replay()

    def wrong(self, meaning: object, origin: int) -> str:
        """What was kept must be legal, and storable without loss."""
        if isinstance(meaning, str):
            meaning.encode()
            return "" if meaning.isprintable() or "\n" in meaning or not meaning else "unprintable"
        assert isinstance(meaning, tuple)
        legal, replay = meaning
        assert isinstance(replay, Replay)
        if not legal:
            return "the move is not legal"
        for note in replay.notes.values():
            note.reason.encode()
            assert all(isinstance(each, ConsideredMove) for each in note.candidates)
        stored = unpack_notes(pack_notes(replay.notes))
        again = read_replay(write_replay(replay))
        return "" if stored == replay.notes == again.notes else "the note changes when it is stored"


def _tables(file: Path) -> dict[str, list[object]]:
    """Every row of our tables."""
    names = [statement.split()[2] for statement in TABLES.split(";\n") if statement.strip()]
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as base:
        queries = {name: f"SELECT * FROM {name} ORDER BY 1, 2" for name in names}  # noqa: S608
        return {name: base.execute(query).fetchall() for name, query in queries.items()}


_ODD_VALUES = (0, -1, 1, 2**62, 1.5, None, "", "x", "[]", "{}", "[0, 7]", b"", b"\x00", "[" * 5000)


class RunFiles(Target):
    """Run files, verified: damaged bytes, and values that another program has put in."""

    name = "run files"

    def __init__(self, folder: Path) -> None:
        self.file = folder / "run.db"
        original = folder / "genuine.db"
        bots = ("random", "greedy:depth=1 as hasty", "ismcts:iterations=2 as thinker")
        play(original, small(*bots, deals=1, players=2), draw=True)
        with Journal.read(original) as journal:
            journal.copy_to(self.file)
        self.genuine = [self.file.read_bytes()]
        self.rows = _tables(self.file)

    def mutated(self, origin: int, dice: random.Random) -> bytes:
        if dice.random() < 0.4:
            return mutate(self.genuine[origin], self.genuine, dice)
        self.file.write_bytes(self.genuine[origin])
        with closing(sqlite3.connect(self.file)) as base, base:
            for _ in range(dice.choice((1, 1, 2))):
                _edit(base, dice)
        return self.file.read_bytes()

    def read(self, data: bytes) -> object:
        self.file.write_bytes(data)
        for beside in ("-wal", "-shm", "-journal"):
            Path(f"{self.file}{beside}").unlink(missing_ok=True)
        with Journal.read(self.file) as journal:
            if problems := RunCheck(journal).problems():
                raise GameError(problems[0])
        return _tables(self.file)

    def wrong(self, meaning: object, origin: int) -> str:
        return "" if meaning == self.rows else "its rows are not those that were written"


def _edit(base: sqlite3.Connection, dice: random.Random) -> None:
    """One change with SQL: a value, a row less, a row twice, or two rows that change places."""
    table = dice.choice(("league", "games", "schedule", "ratings", "chain", "secret", *OF_A_GAME))
    columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
    keys = [row[0] for row in base.execute(f"SELECT {columns[0]} FROM {table}")]  # noqa: S608
    if not keys:
        return
    key, column = dice.choice(keys), dice.choice(columns)
    where = f"WHERE {columns[0]} IS ?"
    try:
        match dice.randrange(4):
            case 0:
                base.execute(f"DELETE FROM {table} {where}", (key,))  # noqa: S608
            case 1:
                query = f"SELECT {column} FROM {table} WHERE {columns[0]} IS ?"  # noqa: S608
                (other,) = base.execute(query, (dice.choice(keys),)).fetchone()
                base.execute(f"UPDATE {table} SET {column} = ? {where}", (other, key))  # noqa: S608
            case 2:
                (value,) = base.execute(f"SELECT {column} FROM {table} {where}", (key,)).fetchone()  # noqa: S608
                base.execute(
                    f"UPDATE {table} SET {column} = ? {where}",  # noqa: S608
                    (_damaged(value, dice), key),
                )
            case _:
                base.execute(
                    f"UPDATE {table} SET {column} = ? {where}",  # noqa: S608
                    (dice.choice(_ODD_VALUES), key),
                )
    except sqlite3.Error:
        pass  # the database itself refuses it


def _damaged(value: object, dice: random.Random) -> object:
    match value:
        case str():
            return mutate(value.encode(), [value.encode()], dice).decode("utf-8", "replace")
        case bytes():
            return mutate(value, [value], dice)
        case int():
            return value + dice.choice((-1, 1, 1000))
        case float():
            return value * dice.choice((-1.0, 1.0000001, 2.0))
        case _:
            return 0


class Bundles(Target):
    """Bundles, unpacked and verified."""

    name = "bundles"

    def __init__(self, folder: Path) -> None:
        self.file = folder / "bundle.zip"
        run = folder / "bundled.db"
        play(run, small("random", "random as b", deals=1, players=2), draw=True)
        with Journal.read(run) as journal:
            self.digest = write_bundle(journal, self.file)
        self.genuine = [self.file.read_bytes()]

    def read(self, data: bytes) -> object:
        self.file.write_bytes(data)
        with open_bundle(self.file) as bundle, Journal.read(bundle.run) as journal:
            problems = [*RunCheck(journal).problems(), *bundle.problems(journal)]
            if problems:
                raise GameError(problems[0])
            return bundle.digest

    def wrong(self, meaning: object, origin: int) -> str:
        return "" if meaning == self.digest else "its manifest is another"


TARGETS: tuple[Callable[[Path], Target], ...] = (
    *(
        Positions,
        Replays,
        Configs,
        Puzzles,
        PuzzleLines,
        Certificates,
        SeatCertificates,
        ProtocolLines,
        RunFiles,
        Bundles,
    ),
)


# ---- running ------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What came of fuzzing one kind of file."""

    name: str
    cases: int = 0
    refused: int = 0
    failures: list[str] = field(default_factory=list)
    """Tracebacks, hangs, wrong acceptances, and refusals of genuine files."""
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, what: str, data: bytes) -> None:
        self.kinds[kind] += 1
        if self.kinds[kind] <= 40:
            self.failures.append(f"{self.name}: {kind}: {what}\n  input: {data[:3000]!r}")


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def fuzz(make: Callable[[Path], Target], count: int, seed: int) -> Tally:
    """So many mutated files of one kind; the same seed gives the same files, case by case."""
    with tempfile.TemporaryDirectory() as place:
        target = make(Path(place))
        tally = Tally(target.name)
        for origin, data in enumerate(target.genuine):
            _judge(target, origin, data, tally, genuine=True)
        for case in range(count):
            dice = random.Random(f"{seed}/{target.name}/{case}")
            origin = dice.randrange(len(target.genuine))
            _judge(target, origin, target.mutated(origin, dice), tally)
            tally.cases += 1
    return tally


def _judge(target: Target, origin: int, data: bytes, tally: Tally, genuine: bool = False) -> None:
    try:
        with time_limit(SECONDS):
            meaning = target.read(data)
    except (GameError, BotFailure, BotFault) as error:
        tally.refused += 1
        if genuine:
            tally.add("genuine refused", str(error), data)
        if problem := _bad_message(error):
            tally.add("bad message", problem, data)
        return
    except Hang:
        tally.add("hang", f"more than {SECONDS:g} s", data)
        return
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        tally.add(f"traceback {type(error).__name__}", _last_frames(error), data)
        return
    try:
        with time_limit(3 * SECONDS):
            wrong = target.wrong(meaning, origin)
    except (Exception, Hang) as error:  # noqa: BLE001
        wrong = _last_frames(error)
    if wrong:
        tally.add("wrong acceptance", wrong, data)


def _bad_message(error: BaseException) -> str:
    """A message must say something, but not everything."""
    text = getattr(error, "problem", None) or str(error)
    if not text.strip():
        return "it is empty"
    return "" if len(text) < 20_000 else f"it has {len(text)} characters: {text[:200]!r}"


def _last_frames(error: BaseException) -> str:
    out = io.StringIO()
    traceback.print_exception(error, limit=-4, file=out)
    return out.getvalue()[-1500:]
