"""Bundles: a stranger verifies a league with one command, and an edited bundle is refused."""

import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from arena.league.bundle import MANIFEST, SIGNATURE, write_bundle
from arena.league.journal import Journal
from tests.support.command_line import RunArena, check_refusal
from tests.support.json_schema import problems, schemas
from tests.support.leagues import play, small

BOT = """from bots import Bot
from helper import first

class Mine(Bot):
    def choose(self, view):
        return first(view.moves)
"""
NEEDS_SSH = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="there is no OpenSSH here")


@pytest.fixture
def run(folder: Path) -> Path:
    """A run with a bot in a file, and a module beside that."""
    Path("mine.py").write_text(BOT)
    Path("helper.py").write_text("def first(moves):\n    return moves[0]\n")
    play(Path("run.db"), small("random", "mine.py:Mine as mine", players=2), draw=True)
    return Path("run.db")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return new_key(tmp_path / "key")


def new_key(file: Path) -> Path:
    program = shutil.which("ssh-keygen")
    assert program
    words = [program, "-q", "-t", "ed25519", "-N", "", "-f", str(file)]
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
    return file


def elsewhere(monkeypatch: pytest.MonkeyPatch, folder: Path, *files: str) -> None:
    """As a stranger: only these files are there."""
    there = folder / "elsewhere"
    there.mkdir()
    for file in files:
        shutil.copy(file, there)
    monkeypatch.chdir(there)


def test_a_stranger_verifies_it_without_the_host_and_plays_with_its_bots(
    run: Path, folder: Path, arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = json.loads(arena("export", str(run), "--bundle", "b.zip", "--sources", "--json").out)
    assert problems(report, schemas()["arena-export"]) == []
    elsewhere(monkeypatch, folder, "b.zip")
    (folder / "mine.py").unlink()
    with Journal.read(folder / run) as journal:
        head, commitment = journal.head(), journal.commitment()
    told = ("--head", head, "--commitment", commitment)
    out = arena("verify", "b.zip", "--replay-bots", "2", *told).out
    assert "b.zip: 4 games replayed, 4 ratings recomputed, all correct\n" in out
    assert "2 of 2 games were repeated" in out
    assert f"manifest {report['manifest']}" in out
    assert "it is not signed" in out
    checked = json.loads(arena("verify", "b.zip", "--json").out)
    assert problems(checked, schemas()["arena-verify"]) == []


def test_the_same_run_gives_the_same_bundle(run: Path) -> None:
    with Journal.read(run) as journal:
        digests = {write_bundle(journal, Path(name)) for name in ("a.zip", "b.zip")}
    assert len(digests) == 1
    assert Path("a.zip").read_bytes() == Path("b.zip").read_bytes()


def test_bots_that_are_not_those_that_played_are_not_bundled(run: Path, arena: RunArena) -> None:
    Path("helper.py").write_text("def first(moves):\n    return moves[-1]\n")
    refused = arena("export", str(run), "--bundle", "b.zip", "--sources", code=2)
    check_refusal(refused, "the files of mine are not those that played; omit --sources")
    arena("export", str(run), "--bundle", "b.zip")
    refused = arena("verify", "b.zip", "--replay-bots", "1", code=2)
    check_refusal(refused, "mine is not the bot that played")


def test_a_bot_that_is_named_by_its_module_is_not_bundled(folder: Path, arena: RunArena) -> None:
    """Its files would be missing wherever somebody verifies the bundle."""
    Path("named_by_its_module.py").write_text(
        "from bots import Bot\n\nclass Mine(Bot):\n"
        "    def choose(self, view):\n        return view.moves[0]\n"
    )
    play(folder / "run.db", small("random", "named_by_its_module:Mine as mine", players=2))
    refused = arena("export", "run.db", "--bundle", "b.zip", "--sources", code=2)
    check_refusal(refused, "mine is named by its module, and only files can be part of a bundle")
    arena("export", "run.db", "--bundle", "b.zip")
    assert "all correct" in arena("verify", "b.zip").out


@pytest.mark.parametrize("words", ["show FILE 1", "standings FILE", "report FILE", "export FILE"])
def test_commands_that_need_a_run_file_say_how_to_get_it_from_a_bundle(
    run: Path, arena: RunArena, words: str
) -> None:
    arena("export", str(run), "--bundle", "cup.zip")
    refused = arena(*words.replace("FILE", "cup.zip").split(), code=2)
    check_refusal(refused, "cup.zip is a bundle or another ZIP file: `arena verify cup.zip` checks")
    check_refusal(refused, "`unzip cup.zip run.db` gives the run file")


def test_a_secret_seed_is_not_bundled_before_the_league_is_complete(
    folder: Path, arena: RunArena
) -> None:
    league = small("random", "random as b", players=2)
    with Journal.write(Path("run.db"), league, draw=True) as journal:
        assert (secret := journal.secret())
    refused = arena("export", "run.db", "--bundle", "b.zip", code=2)
    check_refusal(refused, "has a secret seed until its league is complete")
    assert not Path("b.zip").exists()
    arena("export", "run.db", "out")  # a host may publish what there is so far
    assert json.loads(Path("out/league.json").read_text())["config"]["seed"] is None
    assert not any(str(secret.seed) in file.read_text() for file in Path("out").glob("*.*"))


def test_what_export_cannot_combine(run: Path, arena: RunArena) -> None:
    check_refusal(arena("export", str(run), "--sign", "key", code=2), "add --bundle FILE")
    refused = arena("export", str(run), "out", "--bundle", "b.zip", code=2)
    check_refusal(refused, "not both")
    refused = arena("export", str(run), "--bundle", "b.zip", "--sign", "nokey", code=2)
    check_refusal(refused, "there is no key 'nokey'")


# ---- edited bundles -----------------------------------------------------------------------------


def rewritten(file: Path, change: Callable[[dict[str, bytes]], object]) -> None:
    """The bundle with other files in it."""
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def manifest_says(inside: dict[str, bytes], **values: object) -> None:
    manifest = {**json.loads(inside[MANIFEST]), **values}
    inside[MANIFEST] = json.dumps(manifest).encode()


def listed(inside: dict[str, bytes], name: str, content: bytes) -> None:
    """Put a file in, as the manifest has it."""
    inside[name] = content
    about = json.loads(inside[MANIFEST])["files"]
    about[name] = {"sha256": sha256(content).hexdigest(), "bytes": len(content)}
    manifest_says(inside, files=about)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda f: f.update({"table.txt": b"I won"}), "table.txt was changed"),
        (lambda f: f.pop("run.db"), "its files are not those of manifest.json: run.db"),
        (lambda f: f.update(extra=b""), "its files are not those of manifest.json: extra"),
        (lambda f: f.pop(MANIFEST), "it has no manifest.json"),
        (lambda f: f.update({MANIFEST: b"["}), "is not a bundle, or is damaged"),
        (lambda f: f.update({MANIFEST: b"[]"}), "manifest.json is not that of a bundle"),
        (lambda f: manifest_says(f, version=9), "its version is 9, this arena reads 1"),
        (lambda f: listed(f, "../out.txt", b"x"), "'../out.txt' may not be in a bundle"),
        (lambda f: listed(f, "/out.txt", b"x"), "may not be in a bundle"),
        (lambda f: listed(f, "run.db", b"x"), "b.zip, run.db is empty: its league has not started"),
    ],
)
def test_a_bundle_that_is_not_whole_is_refused_in_one_sentence(
    run: Path, change: Callable[[dict[str, bytes]], object], problem: str, arena: RunArena
) -> None:
    arena("export", str(run), "--bundle", "b.zip")
    rewritten(Path("b.zip"), change)
    err = arena("verify", "b.zip", code=2).err.splitlines()[-1]
    assert problem in err
    assert "b.zip" in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda f: listed(f, "table.txt", b"I won\n"), "table.txt is not what this version"),
        (lambda f: listed(f, "results.jsonl", b"{}\n"), "results.jsonl is not what this version"),
        (lambda f: manifest_says(f, seed="5"), "manifest.json: seed is not that of the run"),
        (lambda f: manifest_says(f, chain="00"), "manifest.json: chain is not that of the run"),
        (
            lambda f: listed(f, "bots/01/mine.py", b"pass"),
            "the files of mine in the bundle are not",
        ),
    ],
)
def test_a_bundle_that_says_something_else_than_its_run_is_found(
    run: Path, change: Callable[[dict[str, bytes]], object], problem: str, arena: RunArena
) -> None:
    arena("export", str(run), "--bundle", "b.zip", "--sources")
    rewritten(Path("b.zip"), change)
    assert problem in arena("verify", "b.zip", code=1).out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        (b"true ranks", b"real ranks", ""),
        (b"mine", b"ours", "table.txt is not what this version"),
        (b"rank:", b"1     ours  99.9\nrank:", "table.txt is not what this version"),
    ],
)
def test_another_version_may_explain_a_table_in_other_words(
    run: Path, before: bytes, after: bytes, problem: str, arena: RunArena
) -> None:
    def reworded(files: dict[str, bytes]) -> None:
        assert before in files["table.txt"]
        listed(files, "table.txt", files["table.txt"].replace(before, after))

    arena("export", str(run), "--bundle", "b.zip")
    rewritten(Path("b.zip"), reworded)
    told = arena("verify", "b.zip", code=1 if problem else 0).out
    assert (problem or "the sentences in table.txt are not those of this version") in told


def test_a_small_bundle_cannot_fill_the_memory(folder: Path, arena: RunArena) -> None:
    """A manifest of empty lists is packed a thousandfold, and takes ten times its size as JSON."""
    with (
        zipfile.ZipFile("b.zip", "w", zipfile.ZIP_DEFLATED) as packed,
        packed.open("manifest.json", "w") as manifest,
    ):
        manifest.write(b"[" + b"[]," * 3_000_000 + b"[]]")
    assert (folder / "b.zip").stat().st_size < 100_000
    refused = arena("verify", "b.zip", code=2)
    check_refusal(refused, "b.zip: manifest.json is too large: over 8 MB")


def test_a_bundle_that_is_cut_off_is_refused(run: Path, arena: RunArena) -> None:
    arena("export", str(run), "--bundle", "b.zip")
    data = Path("b.zip").read_bytes()
    Path("b.zip").write_bytes(data[: len(data) // 2])
    check_refusal(arena("verify", "b.zip", code=2), "is not a bundle, or is damaged")


# ---- signatures ---------------------------------------------------------------------------------


@NEEDS_SSH
def test_a_signed_bundle_names_its_key_and_another_key_is_found(
    run: Path, key: Path, tmp_path: Path, arena: RunArena
) -> None:
    arena("export", str(run), "--bundle", "b.zip", "--sign", str(key))
    public = f"{key}.pub"
    assert "signed by the key SHA256:" in arena("verify", "b.zip").out
    assert f"signed by the key in {public}" in arena("verify", "b.zip", "--signer", public).out
    public = f"{new_key(tmp_path / 'other')}.pub"
    text = arena("verify", "b.zip", "--signer", public, code=1).out
    assert f"it is not signed by the key in {public}" in text
    Path(public).write_text("no key\n")
    check_refusal(arena("verify", "b.zip", "--signer", public, code=2), "is not a public SSH key")


@NEEDS_SSH
def test_a_changed_manifest_or_signature_is_a_forgery(
    run: Path, key: Path, arena: RunArena
) -> None:
    arena("export", str(run), "--bundle", "b.zip", "--sign", str(key))
    signed = Path("b.zip").read_bytes()
    rewritten(Path("b.zip"), lambda files: manifest_says(files, arena="9.9"))
    assert "its signature is forged" in arena("verify", "b.zip", code=1).out
    Path("b.zip").write_bytes(signed)
    rewritten(Path("b.zip"), lambda files: files.update({SIGNATURE: b"hello"}))
    assert "its signature is forged" in arena("verify", "b.zip", code=1).out
    rewritten(Path("b.zip"), lambda files: files.pop(SIGNATURE))
    assert "it is not signed\n" in arena("verify", "b.zip").out
    text = arena("verify", "b.zip", "--signer", f"{key}.pub", code=1).out
    assert "it is not signed by the key" in text


@NEEDS_SSH
def test_a_key_that_cannot_sign_is_named(run: Path, arena: RunArena) -> None:
    Path("nokey").write_text("hello\n")
    refused = arena("export", str(run), "--bundle", "b.zip", "--sign", "nokey", code=2)
    check_refusal(refused, "nokey cannot sign: ")
