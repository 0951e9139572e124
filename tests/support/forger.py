"""A forger of run files, who knows the arena as well as we do, and every kind of edit he makes.

Each edit is a function of a `Forger`. Afterwards he covers his tracks as far as he likes: ratings
computed anew, or everything that the file can be made to say about itself, chain included.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Self

from arena.league import chain
from arena.league.bot_sources import bot_identities
from arena.league.chain import Kind
from arena.league.config import BotSpec
from arena.league.database import OF_A_GAME
from arena.league.game_identity import GameIdentity
from arena.league.journal import Journal, SavedGame
from arena.league.outcome import Fault, Finished, pack_moves
from arena.league.replay_bots import key_of
from arena.league.secret_seed import commitment_to
from arena.league.worker import finished_game
from arena.seeds import derive_seed
from arena.stats.trueskill_ratings import all_ratings
from games.errors import GameError
from games.registry import game
from games.state import CHANCE, NOBODY, Rng
from tests.support.leagues import play

OTHER_SEED = 2**100


class Forger:
    """An editor of one run file, with SQL and with the rules."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.base = sqlite3.connect(file, isolation_level=None)

    @classmethod
    def of_copy(cls, genuine: Path, copy: Path) -> Self:
        shutil.copyfile(genuine, copy)
        return cls(copy)

    def sql(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        return self.base.execute(statement, values).fetchall()

    def saved(self, number: int) -> SavedGame:
        with Journal.read(self.file) as journal:
            (game,) = journal.games(number)
        return game

    def numbers(self, where: str) -> list[int]:
        """Games that satisfy a condition, in the order of the schedule."""
        query = f"""SELECT number FROM schedule JOIN games USING (identity)
            LEFT JOIN faults USING (identity) WHERE {where} ORDER BY number"""  # noqa: S608
        return [int(str(number)) for (number,) in self.sql(query)]

    def sound(self) -> int:
        """A game that ended by the rules, and that somebody won."""
        return self.numbers("seat IS NULL AND winners != '[]'")[0]

    def delete(self, number: int) -> None:
        """A game and everything about it."""
        identity = self.saved(number).identity
        for table in ("schedule", "disqualified", *OF_A_GAME):
            self.sql(f"DELETE FROM {table} WHERE identity = ?", identity)  # noqa: S608

    def edit_league(self, **changes: object) -> None:
        ((config,),) = self.sql("SELECT value FROM league WHERE key = 'config'")
        values = {**json.loads(str(config)), **changes}
        text = json.dumps(values, ensure_ascii=False, sort_keys=True)
        self.sql("UPDATE league SET value = ? WHERE key = 'config'", text)

    def rewrite(self, number: int, moves: list[int], fault: Fault | None = None) -> None:
        """Give a game other moves, and everything that follows from them."""
        saved = self.saved(number)
        replay = saved.replay
        rules = game(replay.game)
        state = replay.new()
        made = [0] * replay.players
        for move in moves:
            if state.actor >= 0:
                made[state.actor] += 1
            state.play(move)
        with Journal.read(self.file) as journal:
            key = key_of(journal.league, saved)
        decisions = sum(made) if fault is None else fault.decision
        outcome = finished_game(key, rules, state, moves, decisions, fault)
        winners = state.winners() if fault is None else ()
        self._store(saved, outcome._replace(winners=winners), made)

    def _store(self, saved: SavedGame, outcome: Finished, made: list[int]) -> None:
        identity = saved.identity
        facts = (json.dumps(outcome.winners), json.dumps(outcome.roles), *outcome[3:8])
        self.sql(
            """UPDATE games SET winners = ?, roles = ?, first = ?, decisions = ?, turns = ?,
               moves = ?, position = ?, notes = x'', turn_limit = ? WHERE identity = ?""",
            *(*facts, outcome.turn_limit, identity),
        )
        self.sql("DELETE FROM faults WHERE identity = ?", identity)
        self.sql("DELETE FROM times WHERE identity = ?", identity)
        if outcome.fault is not None:
            bot = saved.record.seats[outcome.fault.seat]
            row = (identity, outcome.fault.seat, bot, *outcome.fault[1:])
            self.sql("INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)", *row)
        for seat, count in enumerate(made):
            where = "WHERE identity = ? AND seat = ?"
            self.sql(f"UPDATE spent SET decisions = ? {where}", count, identity, seat)  # noqa: S608

    def played_on(self, number: int, keep: int, luck_of: int | None = None) -> list[int]:
        """The first moves of a game, continued at random; the luck is that of the seed.

        `luck_of`: another seed to deal from.
        """
        saved = self.saved(number)
        state = saved.replay.new()
        luck = Rng(derive_seed(saved.seed if luck_of is None else luck_of, "deal"))
        dice = Rng(7)
        moves: list[int] = []
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                moves.append(state.sample_chance(luck))
                continue
            legal = state.moves()
            known = len(moves) < keep and saved.replay.moves[len(moves)] in legal
            move = saved.replay.moves[len(moves)] if known else legal[dice.below(len(legal))]
            moves.append(move)
            state.play(move)
        return moves

    # ---- covering tracks ------------------------------------------------------------------------

    def rate(self) -> None:
        """Ratings as the games that are left give them."""
        self.base.commit()
        with suppress(GameError, KeyError, ValueError, IndexError):
            with Journal.read(self.file) as journal:
                if not journal.ratings():
                    return
                ratings = all_ratings(journal.played(), journal.taking_part())
            self.sql("DELETE FROM ratings")
            self.base.executemany("INSERT INTO ratings VALUES (?, ?, ?, ?)", ratings)

    def rebuild_chain(self) -> None:
        """A chain as if the file had always been what it is now."""
        self.sql("DELETE FROM chain")
        secret = self.sql("SELECT commitment, revealed FROM secret")
        for commitment, _ in secret:
            chain.append(self.base, Kind.COMMITMENT, bytes.fromhex(str(commitment)))
        chain.append(self.base, Kind.LEAGUE, chain.league_digest(self.base))
        for row in self.sql("SELECT * FROM sittings ORDER BY rowid"):
            chain.append(self.base, Kind.SITTING, chain.digest_of([row]))
        for (identity,) in self.sql("SELECT identity FROM games"):
            assert isinstance(identity, bytes)
            chain.append_game(self.base, identity)
        if self.sql("SELECT * FROM ratings"):
            with suppress(GameError), Journal.read(self.file) as journal:
                chain.append(self.base, Kind.END, bytes.fromhex(journal.content_digest()))
        for commitment, revealed in secret:
            if revealed:
                chain.append(self.base, Kind.REVEALED, bytes.fromhex(str(commitment)))

    def close(self) -> None:
        self.base.close()


class Found(NamedTuple):
    """What finds an edit if the forger rebuilds the whole file around it."""

    by: str


ANYWAY = Found("`arena verify`")
BOTS = Found("`--replay-bots`")
HEAD = Found("only the published chain")
SAID = Found("a note says it")


@dataclass(frozen=True)
class Edit:
    """One kind of edit."""

    what: str
    do: Callable[[Forger], object]
    found: Found = ANYWAY
    why: str = ""
    """Why nothing but the published chain finds it, if that is so."""
    disqualified: bool = False
    """Whether it needs a run from which a bot was disqualified."""
    rates: bool = True
    """Whether the forger computes the ratings anew; pointless if they are what he edited."""
    anew: bool = False
    """Whether nothing is left of the old file, and so no old chain."""

    def __str__(self) -> str:
        return self.what.replace(" ", "-")


def _first(column: str, value: str) -> Callable[[Forger], object]:
    """Set a column of the first sound game."""

    def edit(forger: Forger) -> None:
        identity = forger.saved(forger.sound()).identity
        forger.sql(f"UPDATE games SET {column} = {value} WHERE identity = ?", identity)  # noqa: S608

    return edit


def _delete_deal(forger: Forger) -> None:
    for number in forger.numbers("deal = 1"):
        forger.delete(number)


def _shorten(forger: Forger) -> None:
    """As if one deal fewer had been asked for."""
    with Journal.read(forger.file) as journal:
        deals = journal.league.deals
        last = [number for number, row in journal.numbered().items() if row[2] == deals - 1]
    for number in last:
        forger.delete(number)
    forger.edit_league(deals=deals - 1)


def _forget_the_end(forger: Forger) -> None:
    """As if the league had been stopped before the games that hurt."""
    forger.delete(forger.numbers("counted")[-1])
    forger.sql("DELETE FROM ratings")
    forger.sql("UPDATE secret SET revealed = 0")


def _extra(forger: Forger) -> None:
    number = forger.sound()
    identity = forger.saved(number).identity
    columns = "players, seed, seats, winners, roles, first, decisions, turns, moves, position"
    forger.sql(
        f"INSERT INTO games SELECT x'0011', {columns}, notes, turn_limit FROM games"  # noqa: S608
        " WHERE identity = ?",
        identity,
    )
    forger.sql(
        "INSERT INTO spent SELECT x'0011', seat, decisions, seconds, slowest FROM spent"
        " WHERE identity = ?",
        identity,
    )
    forger.sql("INSERT INTO schedule SELECT 900, x'0011', deal, round, 1 FROM schedule LIMIT 1")


def _swap_numbers(forger: Forger) -> None:
    for step in ("-1 - number", "iif(number = -1, 1, 0)"):
        forger.sql(f"UPDATE schedule SET number = {step} WHERE number IN (0, 1, -1, -2)")  # noqa: S608


def _swap_contents(forger: Forger) -> None:
    """Two rotations of a deal change places: each is stored as the other."""
    one, other = (forger.saved(number).identity for number in (0, 1))
    for table in OF_A_GAME:
        for before, after in ((one, b"x"), (other, one), (b"x", other)):
            forger.sql(f"UPDATE {table} SET identity = ? WHERE identity = ?", after, before)  # noqa: S608


def _swap_seats(forger: Forger) -> None:
    saved = forger.saved(forger.sound())
    seats = json.dumps(saved.record.seats[::-1], ensure_ascii=False)
    forger.sql("UPDATE games SET seats = ? WHERE identity = ?", seats, saved.identity)


def _reseed(forger: Forger) -> None:
    """Another deal for a game, under the identity that it would have."""
    number = forger.sound()
    moves = forger.played_on(number, 0, luck_of=4711)
    forger.rewrite(number, moves)
    saved = forger.saved(number)
    with Journal.read(forger.file) as journal:
        identity = GameIdentity(journal.league, journal.bots).of(4711, saved.record.seats)
    for table in ("schedule", *OF_A_GAME):
        forger.sql(f"UPDATE {table} SET identity = ? WHERE identity = ?", identity, saved.identity)  # noqa: S608
    forger.sql("UPDATE games SET seed = 4711 WHERE identity = ?", identity)


def _redraw(forger: Forger) -> None:
    """A seed and a commitment that were made up afterwards."""
    forger.sql("UPDATE secret SET seed = ?", str(OTHER_SEED))
    forger.sql("UPDATE secret SET commitment = ?", commitment_to(OTHER_SEED))


def _change_luck(forger: Forger) -> None:
    number = forger.sound()
    forger.rewrite(number, forger.played_on(number, 0, luck_of=4711))


def _change_choices(forger: Forger) -> None:
    number = forger.sound()
    forger.rewrite(number, forger.played_on(number, 12))


def _play_anew(forger: Forger) -> None:
    """The same league with another secret seed."""
    with Journal.read(forger.file) as journal:
        league = journal.league
    other = forger.file.with_name("anew.db")
    play(other, league, draw=True)
    with closing(sqlite3.connect(other)) as base:
        base.backup(forger.base)


def _forfeit(forger: Forger) -> None:
    """Cut a game off, as if whoever was to move had failed."""
    number = forger.sound()
    moves = list(forger.saved(number).replay.moves)
    state = forger.saved(number).replay.new()
    place = made = 0
    while made < 3 or state.actor < 0:
        made += state.actor >= 0
        state.play(moves[place])
        place += 1
    fault = Fault(state.actor, "exception", made + 1, "raised ValueError")
    forger.rewrite(number, moves[:place], fault)


def _pardon(forger: Forger) -> None:
    """Let a game that ended by a fault go on."""
    number = forger.numbers("seat IS NOT NULL AND counted")[0]
    known = len(forger.saved(number).replay.moves)
    forger.rewrite(number, forger.played_on(number, known))


def _blame(forger: Forger) -> None:
    forger.sql("UPDATE faults SET seat = 1 - seat")


def _blame_by_name(forger: Forger) -> None:
    forger.sql("UPDATE faults SET bot = 'random'")


def _cut_chain(forger: Forger) -> None:
    """Delete a game together with its entry."""
    identity = forger.saved(forger.sound()).identity
    forger.delete(forger.sound())
    forger.sql("DELETE FROM chain WHERE identity = ?", identity)


def _prune(forger: Forger) -> None:
    """Delete a game, and say that it did not belong to the league."""
    identity = forger.saved(forger.sound()).identity
    forger.delete(forger.sound())
    chain.append(forger.base, Kind.PRUNED, b"", identity)


def _rename(forger: Forger) -> None:
    """Two bots change their names in all games."""
    swap = {"hasty": "random", "random": "hasty"}
    for number in forger.numbers("1"):
        saved = forger.saved(number)
        seats = json.dumps([swap.get(name, name) for name in saved.record.seats])
        forger.sql("UPDATE games SET seats = ? WHERE identity = ?", seats, saved.identity)


def _impersonate(forger: Forger) -> None:
    """Say that one bot was another one, with the digests and identities that would follow."""
    with Journal.read(forger.file) as journal:
        league = journal.league
        played = [(saved.identity, saved.seed, saved.record.seats) for saved in journal.games()]
    specs = {spec.name: spec.bot for spec in league.bots} | {"hasty": "greedy:depth=2"}
    bots = tuple(BotSpec(name, bot) for name, bot in specs.items())
    digests = bot_identities(replace(league, bots=bots))
    forger.edit_league(bots=[f"{spec.bot} as {spec.name}" for spec in bots])
    forger.sql("UPDATE league SET value = ? WHERE key = 'bots'", json.dumps(digests))
    identity = GameIdentity(league, digests)
    for before, seed, seats in played:
        for table in ("schedule", *OF_A_GAME):
            after = identity.of(seed, seats)
            forger.sql(f"UPDATE {table} SET identity = ? WHERE identity = ?", after, before)  # noqa: S608


def _claim_conversion(forger: Forger) -> None:
    """Say that the file was converted, so that nobody asks for the schedule; take games out."""
    forger.sql("INSERT INTO league VALUES ('converted', '1')")
    forger.delete(forger.sound())


def _sql(statement: str) -> Callable[[Forger], object]:
    return lambda forger: forger.sql(statement)


def _one_move_less(forger: Forger) -> None:
    saved = forger.saved(forger.sound())
    moves = pack_moves(saved.replay.moves[:-1])
    forger.sql("UPDATE games SET moves = ? WHERE identity = ?", moves, saved.identity)


EDITS = (
    # ---- games taken out, put in or moved
    Edit("a game is deleted", lambda forger: forger.delete(forger.sound())),
    Edit("the last game is deleted", lambda forger: forger.delete(forger.numbers("counted")[-1])),
    Edit("all games of a deal are deleted", _delete_deal),
    Edit("a game is deleted with its entry in the chain", _cut_chain),
    Edit("a game is deleted and called pruned", _prune),
    Edit("only the number of a game is deleted", _sql("DELETE FROM schedule WHERE number = 1")),
    Edit(
        "the last deals are deleted and the config asks for fewer",
        _shorten,
        HEAD,
        "it is a whole league with fewer deals",
    ),
    Edit(
        "the last game and the end of the league are deleted",
        _forget_the_end,
        SAID,
        "it is a league that was stopped; the verdict says that games have not been played",
    ),
    Edit("a game is put in twice", _extra),
    Edit("two games change numbers", _swap_numbers),
    Edit("two rotations of a deal change places", _swap_contents),
    Edit("a game no longer counts", _sql("UPDATE schedule SET counted = 0 WHERE number = 0")),
    Edit("a game is moved to another deal", _sql("UPDATE schedule SET deal = 3 WHERE number = 0")),
    Edit(
        "a game is moved to another round", _sql("UPDATE schedule SET round = 9 WHERE number = 0")
    ),
    # ---- what happened in a game
    Edit("the winner is another", _first("winners", "iif(winners = '[1]', '[0]', '[1]')")),
    Edit("the bots change seats", _swap_seats),
    Edit("the roles are others", _first("roles", '\'["X", "Y"]\'')),
    Edit("another seat began", _first("first", "1 - first")),
    Edit("the number of turns is another", _first("turns", "turns + 1")),
    Edit("the number of decisions is another", _first("decisions", "decisions + 1")),
    Edit("the last position is another", _first("position", "zeroblob(16)")),
    Edit("the turn limit ended it", _first("turn_limit", "1 - turn_limit")),
    Edit("the last move is deleted", _one_move_less),
    Edit("the cards are others, and the game is played on from there", _change_luck),
    Edit("a game is dealt from another seed, with the identity of that", _reseed),
    Edit(
        "a bot chooses other legal moves, and the game is played on from there",
        _change_choices,
        BOTS,
        "the game could have been played like that",
    ),
    Edit(
        "the whole league is played again, until a favourite wins",
        _play_anew,
        HEAD,
        "it is an honest league, but its commitment is not the published one",
        anew=True,
    ),
    # ---- faults
    Edit("a game is cut off by a fault that was none", _forfeit, BOTS, "the bot could have failed"),
    Edit(
        "a fault is deleted, and the game is played on from there",
        _pardon,
        BOTS,
        "the game could have been played like that",
    ),
    Edit("a fault is blamed on the other seat", _blame),
    Edit("a fault is blamed on another bot", _blame_by_name),
    Edit("a fault is of an unknown kind", _sql("UPDATE faults SET kind = 'bad luck'")),
    Edit("a fault is at another decision", _sql("UPDATE faults SET decision = decision + 1")),
    Edit(
        "a fault has other words",
        _sql("UPDATE faults SET problem = 'deleted the disk'"),
        HEAD,
        "nothing follows from them",
    ),
    Edit("a disqualified bot is forgotten", _sql("DELETE FROM disqualified"), disqualified=True),
    Edit(
        "another bot is disqualified",
        _sql("UPDATE disqualified SET bot = 'random'"),
        disqualified=True,
    ),
    Edit(
        "a bot is disqualified for fewer faults",
        _sql("UPDATE disqualified SET faults = 1"),
        disqualified=True,
    ),
    Edit(
        "the evidence against a bot is deleted",
        lambda forger: forger.delete(forger.numbers("NOT counted")[0]),
        disqualified=True,
    ),
    # ---- the league and its seed
    Edit("the seed of the league is another", lambda forger: forger.edit_league(seed=5)),
    Edit("seed and commitment are made up afterwards", _redraw),
    Edit(
        "the commitment is another", _sql("UPDATE secret SET commitment = upper(hex(zeroblob(32)))")
    ),
    Edit(
        "seed and commitment are deleted",
        _sql("DELETE FROM secret"),
        SAID,
        "it is a league with a seed that somebody chose",
    ),
    Edit(
        "the digest of a bot is another",
        _sql("UPDATE league SET value = replace(value, '0', '1') WHERE key = 'bots'"),
    ),
    Edit(
        "an option of the game is another",
        lambda forger: forger.edit_league(options={"deck": "beginner"}),
    ),
    Edit("more deals were asked for", lambda forger: forger.edit_league(deals=9)),
    Edit("two bots change names", _rename),
    Edit("a bot is said to be another one", _impersonate, BOTS, "it could have played like that"),
    Edit(
        "the file is called converted, and a game is deleted",
        _claim_conversion,
        SAID,
        "the schedules of old versions are not known",
    ),
    # ---- ratings
    Edit("a rating is another", _sql("UPDATE ratings SET mu = 50 WHERE players = 0"), rates=False),
    Edit("an uncertainty is another", _sql("UPDATE ratings SET sigma = 1"), rates=False),
    Edit("ratings are deleted", _sql("DELETE FROM ratings WHERE bot = 'random'"), rates=False),
    Edit("a rating is put in", _sql("INSERT INTO ratings VALUES (5, 'random', 1, 1)"), rates=False),
    # ---- what differs between machines
    Edit(
        "a bot's comments are deleted",
        _sql("UPDATE games SET notes = x''"),
        HEAD,
        "nothing follows from them",
    ),
    Edit(
        "the time of a bot is another",
        _sql("UPDATE spent SET seconds = 0.5"),
        HEAD,
        "nothing follows from it",
    ),
    Edit("the number of timed decisions is another", _sql("UPDATE spent SET decisions = 1")),
    Edit(
        "the output of a bot is another",
        _sql("UPDATE output SET text = 'hello'"),
        HEAD,
        "nothing follows from it",
    ),
    Edit(
        "it was played on another machine",
        _sql("UPDATE sittings SET machine = 'x'"),
        HEAD,
        "nothing follows from it",
    ),
    # ---- the chain and the file itself
    Edit(
        "an entry of the chain is another",
        _sql("UPDATE chain SET digest = zeroblob(32) WHERE place = 4"),
        HEAD,
        "rebuilt, the chain is that of an honest file",
    ),
    Edit(
        "the first entries of the chain are deleted",
        _sql("DELETE FROM chain WHERE place < 3"),
        HEAD,
        "rebuilt, the chain is that of an honest file",
    ),
    Edit("rows about a game that is not there", _sql("INSERT INTO output VALUES (x'99', 'hello')")),
)
"""Every kind of edit; docs/verifying.md has the same table."""
