"""`arena verify`: checks runs of leagues, bundles and replays."""

from __future__ import annotations

import re
import sys
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

import click

from arena.cli.console import progress_bar, show_json, show_report, wrap
from arena.cli.exit_codes import FAILED
from arena.cli.options import FILE_PATH, json_option
from arena.cli.saved_games import check_replay, is_run, load_replay
from arena.cli.trust import warn_of_strangers
from arena.league.bundle import Bundle, open_bundle
from arena.league.config import League
from arena.league.database import BadRun, is_bundle
from arena.league.journal import Journal
from arena.league.replay_bots import PlayedAgain, check_same_bots, replay_bots
from arena.league.signature import read_public_key
from arena.league.verify import RunCheck
from arena.league.verify_chain import chain_note, head_problem, seed_note
from arena.sandbox.policy import NoSandbox
from games.errors import BadReplay
from games.wording import counted, listed

_DIGEST: Final = re.compile("[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class Asked:
    """What the command line asks for besides the usual checks."""

    replay_bots: int
    trust: bool
    """Whether bots play again with the user's rights, not in sandboxes."""
    head: str | None
    commitment: str | None
    signer: Path | None


@click.command("verify")
@click.argument(
    "files", type=FILE_PATH, metavar="RUN|BUNDLE|FILE.jsonl ...", nargs=-1, required=True
)
@click.option(
    "--replay-bots",
    type=click.IntRange(1),
    default=None,
    metavar="N",
    help="Let the bots play N games again, chosen at random: do they make the same moves?",
)
@click.option(
    "--trust", is_flag=True, help="With --replay-bots: the bots of a run play with your rights."
)
@click.option(
    "--head", metavar="HEX", help="The whole chain head that the host published: is it the run's?"
)
@click.option("--commitment", metavar="HEX", help="The commitment that the host published.")
@click.option("--signer", type=FILE_PATH, help="The host's public SSH key: did it sign the bundle?")
@json_option
def verify_command(
    files: tuple[Path, ...],
    replay_bots: int | None,
    trust: bool,
    head: str | None,
    commitment: str | None,
    signer: Path | None,
    as_json: bool,
) -> int:
    """Replay and check every game of a league, or a replay.

    Of a run, nothing is believed: the cards are dealt again from the seed, every move is replayed,
    the schedule, faults and disqualified bots are derived again from the config and the results,
    and ratings from the games. The chain in the file shows whether anything was edited, deleted or
    put in. A bundle (`arena export --bundle`) is a run whose tables and bots are checked too. With
    --replay-bots bots play in sandboxes, because a file may come from anybody. Then come digests:
    `content` is the same for the same league on every machine, `chain` stands for this very file.
    Of a replay: is every move legal, are result and digest right? Exit code 1 if anything is wrong.

    \b
    Examples:
      arena verify runs/default.db
      arena verify runs/default.db --replay-bots 20
      arena verify league.zip --head HEX --signer host.pub
      arena verify runs/default/replays/*.jsonl
    """
    for option, digest in (("--head", head), ("--commitment", commitment)):
        if digest is not None and not _DIGEST.fullmatch(digest):
            kind = option.removeprefix("--")
            raise click.UsageError(f"{option}: a {kind} has 64 hexadecimal digits, not {digest!r}")
    if signer:
        read_public_key(signer)
    if trust and not replay_bots:
        raise click.UsageError("--trust says how the bots play again: add --replay-bots N")
    asked = Asked(replay_bots or 0, trust, head, commitment, signer)
    checked: list[Verified] = []
    for file in files:
        each = _verify(file, asked)
        checked.append(each)
        if not as_json:
            show_report("\n".join(each.lines()))
    correct = not any(each.problems for each in checked)
    if as_json:
        show_json("verify", {"correct": correct, "files": [asdict(each) for each in checked]})
    return 0 if correct else FAILED


@dataclass(frozen=True)
class Verified:
    """What was found in one file."""

    file: str
    games: int
    """Games of a run; a replay has one."""
    problems: list[str]
    moves: int | None = None
    """Moves and chance events of a replay."""
    ratings: int | None = None
    """Recomputed ratings of a run."""
    content: str | None = None
    """The digest of a run without problems."""
    chain: str | None = None
    """The head of a run's chain, if there are no problems."""
    seed: str | None = None
    """The seed of a run, if it was drawn and is revealed."""
    commitment: str | None = None
    """The commitment to that seed."""
    notes: list[str] = field(default_factory=list)
    """What should be known about a run, and what cannot be seen."""
    replayed: list[int] = field(default_factory=list)
    """Games that the bots played again."""

    def lines(self) -> list[str]:
        if self.moves is not None:
            moves = counted(self.moves, "move")
            return [f"{self.file}: {moves} and chance events replayed, all correct"]
        if self.ratings is None:  # a replay, whose problem names the file
            return self.problems
        if self.problems:
            count = f"{counted(len(self.problems), 'problem')} in {counted(self.games, 'game')}"
            count += " and their ratings"
            return [*self.problems, f"{self.file}: {count}"]
        recomputed = f", {counted(self.ratings, 'rating')} recomputed" if self.ratings else ""
        verdict = f"{self.file}: {counted(self.games, 'game')} replayed{recomputed}, all correct"
        digests = [f"content {self.content}", f"chain {self.chain}"]
        if self.commitment:
            digests.append(f"commitment {self.commitment}")
        if self.seed:
            digests.append(f"seed {self.seed}")
        on_terminal = sys.stdout is not None and sys.stdout.isatty()
        notes = [wrap(note, indent=4) if on_terminal else note for note in self.notes]
        return [verdict, *digests, *notes]


def _verify(file: Path, asked: Asked) -> Verified:
    if is_run(file):
        with Journal.read(file) as journal:
            return _verify_run(file, journal, asked)
    if is_bundle(file):
        if asked.trust:
            raise click.UsageError(f"--trust is for runs; bots of {file}, a bundle, are isolated")
        with open_bundle(file) as bundle:
            try:
                with Journal.read(bundle.run) as journal:
                    return _verify_run(file, journal, asked, bundle)
            except BadRun as error:  # which names a file that nobody else can see
                message = str(error).replace(str(bundle.run), f"{file}, {bundle.run.name}")
                raise BadRun(message) from None
    check_replay(file, "a bundle")
    try:
        replay = load_replay(file)
    except BadReplay as error:
        return Verified(str(file), 1, [str(error)])
    return Verified(str(file), 1, [], moves=len(replay.moves))


def _verify_run(
    file: Path, journal: Journal, asked: Asked, bundle: Bundle | None = None
) -> Verified:
    """Check everything about a run and, if it lies in one, its bundle."""
    league = bundle.league(journal.league) if bundle else journal.league
    if asked.replay_bots:
        check_same_bots(journal, league)
    played = len(journal.numbers(counted=False))
    check = RunCheck(journal)
    with progress_bar(played, "Replaying") as progress:
        wrong = check.problems(progress)
    wrong += _published(journal, asked)
    notes = [check.incomplete(), seed_note(journal), chain_note(journal)]
    if journal.converted:
        notes.append("converted from an older file: its schedule cannot be checked")
    if bundle is not None:
        said_otherwise = list(bundle.problems(journal))
        notes.append("" if said_otherwise else bundle.remark(journal))
        wrong += said_otherwise + _signature(bundle, asked, notes)
    elif asked.signer:
        wrong.append("it is not a bundle, so nobody has signed it")
    again = PlayedAgain([])
    if asked.replay_bots and not wrong:
        again = _play_again(journal, league, asked, notes)
        wrong += again.problems
        notes += [f"{again.repeated} of {len(again.games)} games were repeated", *again.notes]
    notes.append(_unseen(asked, played, again.repeated))
    secret = journal.secret()
    return Verified(
        str(file),
        played,
        wrong,
        ratings=len(journal.ratings()),
        content=None if wrong else journal.content_digest(),
        chain=None if wrong else journal.head(),
        seed=str(secret.seed) if secret and secret.revealed else None,
        commitment=journal.commitment() or None,
        notes=[note for note in notes if note],
        replayed=again.games,
    )


def _published(journal: Journal, asked: Asked) -> list[str]:
    """Where the run is not what the host has published about it."""
    wrong = []
    if asked.head and (problem := head_problem(journal, asked.head)):
        wrong.append(problem)
    if asked.commitment and asked.commitment.lower() != journal.commitment():
        actual = journal.commitment() or "there is none"
        wrong.append(f"the commitment is not {asked.commitment} as published: {actual}")
    return wrong


def _signature(bundle: Bundle, asked: Asked, notes: list[str]) -> list[str]:
    """What is wrong with who signed the bundle; what is not wrong is added to the notes."""
    notes.append(f"manifest {bundle.digest}")
    if asked.signer:
        if not bundle.is_signed_by(asked.signer):
            return [f"it is not signed by the key in {asked.signer}"]
        notes.append(f"signed by the key in {asked.signer}")
        return []
    if not bundle.signed:
        notes.append("it is not signed")
        return []
    signer = bundle.signer()
    if signer is None:
        return ["its signature is forged"]
    notes.append(f"signed by the key {signer}; whose it is, --signer HOST.pub tells")
    return []


def _play_again(journal: Journal, league: League, asked: Asked, notes: list[str]) -> PlayedAgain:
    """Let the bots play again: in sandboxes, since the file may come from anybody."""
    if asked.trust:
        warn_of_strangers(spec.bot for spec in league.bots)
    elif league.trust:
        league = replace(league, trust=False)
        if names := league.isolated_names():
            notes.append(f"played in sandboxes this time: {listed(names)} (--trust: not)")
    count = min(asked.replay_bots, len(journal.numbers(counted=False)))
    with progress_bar(count, "Playing again") as progress:
        try:
            return replay_bots(journal, league, asked.replay_bots, progress)
        except NoSandbox as error:
            raise NoSandbox(f"{error}; --trust lets bots play with your rights") from None


def _unseen(asked: Asked, games: int, repeated: int) -> str:
    """What the checks cannot show; the bots have repeated so many of the games."""
    unseen = []
    if games > repeated:
        others = (
            "the other game" if games - repeated == 1 else f"the other {games - repeated} games"
        )
        which = f"the moves of {others}" if repeated else "these moves"
        hint = "" if asked.replay_bots else " (--replay-bots)"
        unseen.append(f"that the bots chose {which}{hint}")
    if not asked.head and not asked.signer:
        unseen.append("that nobody made the whole file anew (--head, as the host published it)")
    unseen.append("times and what bots said or printed")
    return f"not proven: {'; '.join(unseen)}"
