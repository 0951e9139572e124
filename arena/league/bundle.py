"""A league in one file that a stranger can verify: the run, what was made of it, and the bots.

A bundle is a ZIP file. Its manifest has the SHA-256 of every other file in it; the host publishes
the SHA-256 of the manifest, or signs it.
"""

import json
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.files import file_digest, write_errors
from arena.league.bot_sources import all_files, bot_identities, portable_spec
from arena.league.config import BotSpec, League, beside
from arena.league.database import arena_version
from arena.league.export import summary
from arena.league.journal import Journal
from arena.league.read_run import run_of, write_run
from arena.league.signature import is_signed_by, sign, signer_of
from arena.stats.ranking_table import ranking_tables, ranking_text
from arena.stats.standings import standings_of
from bots.runtime.loading import bot_package
from games.errors import GameError

FORMAT: Final = "arena-bundle"
VERSION: Final = 1

RUN: Final = "run.db"
TABLE_FILE: Final = "table.txt"
MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "manifest.json.sig"
_MOST_BYTES: Final = 2**32
_MOST_FILES: Final = 10_000
_MOST_MANIFEST: Final = 2**23
"""Bytes of the manifest, which is read before anything else says how large the bundle is."""
_NAME: Final = re.compile(r"(?!.*\.\.)[\w][\w.+-]*(/[\w][\w.+-]*)*")
_DAY: Final = (2000, 1, 1, 0, 0, 0)  # of every file, so that the same content is the same bundle


class BadBundle(GameError):
    """A bundle that cannot be written or read."""


# ---- writing ------------------------------------------------------------------------------------


def write_bundle(
    journal: Journal, file: Path, *, sources: bool = False, key: Path | None = None
) -> str:
    """Write the bundle of a run; returns the SHA-256 of its manifest.

    `sources`: with the files of the bots, not only their digests; `key`: to sign the manifest.
    """
    secret = journal.secret()
    if secret is not None and not secret.revealed:
        raise BadBundle(f"{journal.path} has a secret seed until its league is complete")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        journal.copy_to(folder / RUN)
        for name, text in documents(journal).items():
            (folder / name).write_text(text, encoding="utf-8")
        if sources:
            _copy_sources(journal, folder)
        names = sorted(str(each.relative_to(folder)) for each in _files(folder))
        manifest = folder / MANIFEST
        text = json.dumps(_manifest(journal, folder, names), indent=2, ensure_ascii=False)
        manifest.write_text(text + "\n", encoding="utf-8")
        names.append(MANIFEST)
        if key is not None:
            sign(manifest, key)
            names.append(SIGNATURE)
        with write_errors(file), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
            for name in names:
                about = zipfile.ZipInfo(name, _DAY)
                about.compress_type = zipfile.ZIP_DEFLATED
                about.external_attr = 0o644 << 16
                target.writestr(about, (folder / name).read_bytes())
        return file_digest(manifest)


def documents(journal: Journal) -> dict[str, str]:
    """What is made of a run for readers, and made again to verify it."""
    run = run_of(journal)
    return {
        "league.json": json.dumps(summary(journal), indent=2, ensure_ascii=False) + "\n",
        "results.jsonl": write_run(run),
        TABLE_FILE: ranking_text(run) + "\n",
    }


def _files(folder: Path) -> Iterator[Path]:
    return (each for each in folder.rglob("*") if each.is_file())


def _manifest(journal: Journal, folder: Path, names: list[str]) -> dict[str, object]:
    secret = journal.secret()
    return {
        "format": FORMAT,
        "version": VERSION,
        "arena": arena_version(),
        "content": journal.content_digest(),
        "chain": journal.head(),
        "seed": str(journal.league.seed),
        "commitment": None if secret is None else journal.commitment(),
        "bots": journal.bots,
        "files": {
            name: {"sha256": file_digest(folder / name), "bytes": (folder / name).stat().st_size}
            for name in names
        },
    }


def _copy_sources(journal: Journal, folder: Path) -> None:
    """The files of each bot, in a folder of its own; BadBundle if others played."""
    now = bot_identities(journal.league)
    for place, spec in enumerate(journal.league.bots):
        if now[spec.name] != journal.bots.get(spec.name):
            raise BadBundle(f"the files of {spec.name} are not those that played; omit --sources")
        if bot_package(spec.bot) is not None:
            raise BadBundle(
                f"{spec.name} is named by its module, and only files can be part of a bundle; name "
                "its file in the league, like my_bot.py:MyBot, or omit --sources"
            )
        files = [file for file in all_files(spec.bot) if file.is_file()]
        for file in files:
            base = files[0].parent
            name = file.relative_to(base) if file.is_relative_to(base) else Path(file.name)
            target = _bot_folder(folder, place) / name
            if target.exists() or not _NAME.fullmatch(str(name)):
                raise BadBundle(f"{file} of {spec.name} cannot be part of a bundle; omit --sources")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())


def _bot_folder(folder: Path, place: int) -> Path:
    return folder / "bots" / f"{place:02}"


# ---- reading ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bundle:
    """A bundle that was unpacked; every file is what the manifest says."""

    folder: Path
    manifest: Mapping[str, object]
    digest: str
    """The SHA-256 of the manifest."""
    signed: bool
    files: frozenset[str] = field(default_factory=frozenset)

    @property
    def run(self) -> Path:
        return self.folder / RUN

    def league(self, league: League) -> League:
        """The league with the bots of the bundle instead of files of this machine."""
        bots = []
        for place, spec in enumerate(league.bots):
            inside = _bot_folder(self.folder, place)
            bot = beside(inside, portable_spec(spec)) if inside.is_dir() else spec.bot
            bots.append(BotSpec(spec.name, bot))
        return replace(league, bots=tuple(bots))

    def problems(self, journal: Journal) -> Iterator[str]:
        """Where the bundle says something else than the run in it."""
        expected: dict[str, object] = {
            "content": journal.content_digest(),
            "chain": journal.head(),
            "seed": str(journal.league.seed),
            "commitment": journal.commitment() or None,
            "bots": journal.bots,
        }
        for what, value in expected.items():
            if self.manifest.get(what) != value:
                yield f"{MANIFEST}: {what} is not that of the run"
        for name, text in documents(journal).items():
            if name not in self.files:
                yield f"{name} is missing"
            elif not self._says(name, text) and not (
                name == TABLE_FILE and self._same_tables(journal)
            ):
                yield f"{name} is not what this version of the arena makes of the run"
        if any(name.startswith("bots/") for name in self.files):
            for name, identity in bot_identities(self.league(journal.league)).items():
                if journal.bots.get(name) != identity:
                    yield f"the files of {name} in the bundle are not those that played"

    def remark(self, journal: Journal) -> str:
        """What is no problem, but worth saying; empty if there is nothing."""
        if self._says(TABLE_FILE, documents(journal)[TABLE_FILE]):
            return ""
        return f"the sentences in {TABLE_FILE} are not those of this version; its numbers are right"

    def _says(self, name: str, text: str) -> bool:
        return (self.folder / name).read_bytes() == text.encode()

    def _same_tables(self, journal: Journal) -> bool:
        """Whether the tables agree; another version may explain them in other words."""
        run = run_of(journal)
        tables = ranking_tables(standings_of(run)) if run.games else []
        ours = [line for table in tables for line in table.without_foot().splitlines()]
        theirs = (
            (self.folder / TABLE_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
        )
        rest = iter(theirs)
        in_order = all(line in rest for line in ours)
        return bool(ours) and in_order and all(line in ours for line in theirs if "  " in line)

    def signer(self) -> str | None:
        """The fingerprint of the key that signed the manifest; None if the signature is forged."""
        return signer_of(self.folder / MANIFEST, self.folder / SIGNATURE)

    def is_signed_by(self, public_key: Path) -> bool:
        signature = self.folder / SIGNATURE
        return self.signed and is_signed_by(self.folder / MANIFEST, signature, public_key)


@contextmanager
def open_bundle(path: Path) -> Iterator[Bundle]:
    """Unpack a bundle for as long as the context lasts; BadBundle if it is not intact."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        try:
            with zipfile.ZipFile(path) as archive:
                bundle = _unpack(archive, folder)
        except BadBundle as error:
            raise BadBundle(f"{path}: {error}") from None
        except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError) as error:
            raise BadBundle(f"{path} is not a bundle, or is damaged: {error}") from None
        except (RuntimeError, NotImplementedError, LookupError, OSError) as error:
            raise BadBundle(f"{path} cannot be unpacked: {error}") from None
        yield bundle


def _unpack(archive: zipfile.ZipFile, folder: Path) -> Bundle:
    members = {about.filename: about for about in archive.infolist()}
    if len(members) != len(archive.infolist()) or len(members) > _MOST_FILES:
        raise BadBundle("a file is in it twice, or there are too many")
    if MANIFEST not in members:
        raise BadBundle(f"it has no {MANIFEST}, so it is not a bundle")
    text = _read(archive, members[MANIFEST], _MOST_MANIFEST)
    manifest = json.loads(text)
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, dict) or manifest.get("format") != FORMAT:
        raise BadBundle(f"{MANIFEST} is not that of a bundle")
    if manifest.get("version") != VERSION:
        raise BadBundle(f"its version is {manifest.get('version')}, this arena reads {VERSION}")
    odd = set(members) ^ {*files, MANIFEST} - {SIGNATURE}
    if odd - {SIGNATURE} or RUN not in files:
        raise BadBundle(f"its files are not those of {MANIFEST}: {', '.join(sorted(odd))}")
    (folder / MANIFEST).write_bytes(text)
    if signed := SIGNATURE in members:
        signature = _read(archive, members[SIGNATURE], _MOST_MANIFEST)
        (folder / SIGNATURE).write_bytes(signature)
    if sum(about.file_size for about in members.values()) > _MOST_BYTES:
        raise BadBundle(f"it unpacks to more than {_MOST_BYTES} bytes")
    for name, about in files.items():
        _unpack_file(archive, members[name], about, folder)
    return Bundle(folder, manifest, sha256(text).hexdigest(), signed, frozenset(files))


def _unpack_file(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, about: object, folder: Path
) -> None:
    name = member.filename
    if not _NAME.fullmatch(name) or not isinstance(about, dict):
        raise BadBundle(f"{name!r} may not be in a bundle")
    content = _read(archive, member, _MOST_BYTES)
    actual = {"sha256": sha256(content).hexdigest(), "bytes": len(content)}
    if about != actual:
        raise BadBundle(f"{name} was changed: its SHA-256 is not that of {MANIFEST}")
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """The content, of which no more is unpacked than `most` and than the archive says there is."""
    if member.file_size > most:
        raise BadBundle(f"{member.filename} is too large: over {most >> 20} MB")
    with archive.open(member) as packed:
        content = packed.read(member.file_size + 1)
    if len(content) > member.file_size:
        raise BadBundle(f"{member.filename} is larger than it says")
    return content
