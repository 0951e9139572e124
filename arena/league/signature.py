"""Signatures by `ssh-keygen`: a host signs with the SSH key that everybody can look up already."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from games.errors import GameError

NAMESPACE: Final = "hidden-leaders-arena"
"""What a signature is for; one made for another purpose is not accepted."""

_HOST: Final = "host"
_SECONDS: Final = 60


class BadSignature(GameError):
    """A file cannot be signed, or its signature cannot be checked."""


def sign(file: Path, key: Path) -> Path:
    """Sign a file with a private SSH key; returns the signature, which lies beside it."""
    if not key.is_file():
        raise BadSignature(f"there is no key {str(key)!r}; make one with ssh-keygen -t ed25519")
    done = _run("sign", "-f", str(key), str(file), seconds=None)  # it may ask for a passphrase
    signature = file.with_name(f"{file.name}.sig")
    if done.returncode or not signature.is_file():
        raise BadSignature(f"{key} cannot sign: {_last_line(done.stderr)}")
    return signature


def signer_of(file: Path, signature: Path) -> str | None:
    """The fingerprint of the key that signed the file, whosever it is; None if it is forged."""
    done = _run("check-novalidate", "-s", str(signature), stdin=file)
    words = done.stdout.split()
    return words[-1] if done.returncode == 0 and words else None


def read_public_key(file: Path) -> str:
    """The kind and the digits of the key in a file like `id_ed25519.pub`."""
    if not file.exists():
        raise BadSignature(f"there is no file {file}; name the host's public SSH key")
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    words = lines[0].split() if lines else []
    if len(words) < 2 or not words[1].startswith("AAAA"):
        raise BadSignature(f"{file} is not a public SSH key, like ssh-ed25519 AAAA...")
    return f"{words[0]} {words[1]}"


def is_signed_by(file: Path, signature: Path, public_key: Path) -> bool:
    """Whether the owner of this key has signed the file."""
    key = read_public_key(public_key)
    with tempfile.TemporaryDirectory() as folder:
        allowed = Path(folder, "signers")
        allowed.write_text(f'{_HOST} namespaces="{NAMESPACE}" {key}\n')
        done = _run("verify", "-f", str(allowed), "-I", _HOST, "-s", str(signature), stdin=file)
    return done.returncode == 0


def _run(
    what: str, *words: str, stdin: Path | None = None, seconds: float | None = _SECONDS
) -> subprocess.CompletedProcess[str]:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise BadSignature("signatures need ssh-keygen of OpenSSH 8.1 or later, which is not here")
    command = [program, "-Y", what, "-n", NAMESPACE, *words]
    text = None if stdin is None else stdin.read_text(encoding="utf-8")
    try:
        return subprocess.run(  # noqa: S603  (files are named by the user)
            command, input=text, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise BadSignature(f"ssh-keygen did not answer in {seconds:g} s") from None


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it gave no reason"
