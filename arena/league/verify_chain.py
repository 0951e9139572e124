"""Checks the chain of a run file, and that its seed is the one that was committed to."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from arena.league.chain import ChainEntry, Kind, broken_link, digest_of
from arena.league.journal import Journal
from arena.league.secret_seed import GUESSABLE, commitment_to
from games.wording import counted

_NEW_GAMES: Final = (Kind.GAME, Kind.LEAGUE)
"""What follows the end of a league only if it was changed."""


def ended(chain: Sequence[ChainEntry]) -> bool:
    """Whether the chain says that the league is complete."""
    return _last_end(chain) is not None


def _last_end(chain: Sequence[ChainEntry]) -> ChainEntry | None:
    """The end of the league, unless it was changed or played on after that."""
    for entry in reversed(chain):
        if entry.kind == Kind.END:
            return entry
        if entry.kind in _NEW_GAMES:
            return None
    return None


def chain_problems(journal: Journal, numbers: Mapping[bytes, int]) -> Iterator[str]:
    """Where the file is not what the chain says was written.

    `numbers`: identity -> the game's number in the league, for messages.
    """
    chain = journal.chain()
    broken = broken_link(chain)
    if broken is not None or not chain:
        yield f"the chain is broken at entry {broken or 0}: entries were changed or taken out"
        return
    yield from _game_problems(journal, chain, numbers)
    leagues = [entry for entry in chain if entry.kind == Kind.LEAGUE]
    if not leagues or leagues[-1].digest != journal.digest_of_league():
        yield "config, rules version or bots were changed: the chain has others"
    sittings = [entry.digest for entry in chain if entry.kind == Kind.SITTING]
    if sittings != [digest_of([tuple(row.values())]) for row in journal.sessions()]:
        yield "sessions were changed: the chain has others"
    end = _last_end(chain)
    if end is not None and end.digest.hex() != journal.content_digest():
        yield "the content was changed after the end: the chain has another digest"


def _game_problems(
    journal: Journal, chain: Sequence[ChainEntry], numbers: Mapping[bytes, int]
) -> Iterator[str]:
    """Games that were deleted, edited or put in after they were played."""
    sealed: dict[bytes, bytes] = {}
    for entry in chain:
        if entry.kind == Kind.GAME:
            sealed[entry.identity] = entry.digest
        elif entry.kind == Kind.PRUNED:
            sealed.pop(entry.identity, None)

    def name(identity: bytes) -> str:
        number = numbers.get(identity)
        return f"game {number}" if number is not None else f"spare game {identity.hex()[:8]}"

    stored = journal.stored()
    for identity in sealed.keys() - stored.keys():
        yield f"{name(identity)}: it was deleted; the chain has it"
    for identity in stored:
        if identity not in sealed:
            yield f"{name(identity)}: it is not in the chain, so it was put in by hand"
        elif sealed[identity] != journal.digest_of_game(identity):
            yield f"{name(identity)}: it was edited; the chain has another digest of it"


def seed_problems(journal: Journal) -> Iterator[str]:
    """Where the seed is not the one that was committed to before the first game."""
    secret = journal.secret()
    kinds = (Kind.COMMITMENT, Kind.WITHDRAWN, Kind.REVEALED)
    entries = [entry for entry in journal.chain() if entry.kind in kinds]
    committed = bool(entries) and entries[-1].kind != Kind.WITHDRAWN
    if secret is None:
        yield from ["the secret seed was deleted: the chain has it"] if committed else []
        return
    commitment = commitment_to(journal.league.seed)
    if commitment != journal.commitment() or secret.seed != journal.league.seed:
        yield f"the seed {journal.league.seed} is not that of the commitment {journal.commitment()}"
    elif not committed or entries[-1].digest.hex() != commitment:
        yield "the commitment to the seed was changed: the chain has another"
    elif secret.revealed != (entries[-1].kind == Kind.REVEALED):
        yield "the chain does not say the same about whether the seed was revealed"
    else:
        yield from _games_before(journal, next(e for e in entries if e.digest.hex() == commitment))


def _games_before(journal: Journal, commitment: ChainEntry) -> Iterator[str]:
    """Games that were played before there was a commitment."""
    ours = {row[0]: number for number, row in journal.numbered().items()}
    for entry in journal.chain():
        if entry.place < commitment.place and entry.kind == Kind.GAME and entry.identity in ours:
            yield f"game {ours[entry.identity]}: it was played before the commitment to its seed"


def chain_note(journal: Journal) -> str:
    """That the chain is younger than its games, if it is."""
    if any(entry.kind == Kind.CONVERTED for entry in journal.chain()):
        return "the chain begins with a conversion: what was edited before does not show in it"
    return ""


def seed_note(journal: Journal) -> str:
    """What the seed of a league with strangers says about its deals; empty without strangers."""
    secret = journal.secret()
    if secret is not None:
        when = "and revealed" if secret.revealed else "and not revealed yet"
        late = played_after_reveal(journal)
        were = f"{counted(late, 'game')} {'was' if late == 1 else 'were'}"
        known = f"; {were} dealt after that, from a known seed" if late else ""
        return f"the seed was committed to before the first game {when}{known}"
    if journal.league.isolated_names():
        guess = " and can be guessed" if journal.league.seed < GUESSABLE else ""
        return f"the seed was chosen{guess}; nobody committed to it"
    return ""


def played_after_reveal(journal: Journal) -> int:
    """How many games of the league were played when its secret seed had been printed.

    Not those that were deleted since, or belong to the league as it was before it was changed.
    """
    chain, commitment = journal.chain(), journal.commitment()
    revealed = (e.place for e in chain if e.kind == Kind.REVEALED and e.digest.hex() == commitment)
    late = chain[next(revealed, len(chain)) :]
    ours = {identity for identity, *_ in journal.numbered().values()}
    return len(ours & {entry.identity for entry in late if entry.kind == Kind.GAME})


def head_problem(journal: Journal, published: str) -> str:
    """Why a link that the host has published does not belong to this file; empty if it does."""
    links = [entry.link.hex() for entry in journal.chain()]
    if published.lower() not in links:
        return f"its chain does not contain the published head {published}"
    return ""
