"""The pages of documentation: their fenced blocks, and the commands they show."""

import re

from tests.support.paths import ROOT


def page(name: str) -> str:
    """README.md, or a page in docs/."""
    path = ROOT / name if name.isupper() else ROOT / "docs" / f"{name}.md"
    return path.with_suffix(".md").read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    """The fenced blocks of that kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def session(block: str) -> list[tuple[str, str]]:
    """Every command of a console block without its "$ arena", and the output it shows."""
    return re.findall(r"^\$ arena (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
