"""What the README shows is true: its Python runs, its links and commands exist."""

import re
from pathlib import Path

import click
import pytest

from arena.cli.main import arena
from tests.support.paths import ROOT

README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_its_python_runs() -> None:
    for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        exec(compile(code, "README.md", "exec"), {})  # noqa: S102


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert link.startswith("https://") or (page.parent / link).exists(), link


def test_its_commands_exist() -> None:
    named = set(re.findall(r"`arena ([a-z]+(?:-[a-z]+)*)", README))
    assert named == set(arena.list_commands(click.Context(arena)))


def test_commands_with_a_module_of_their_own_are_there() -> None:
    context = click.Context(arena)
    for name in arena.list_commands(context):
        command = arena.get_command(context, name)
        assert command is not None
        assert command.name == name


def test_its_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        assert set(re.findall(r"(?:`|^)make ([a-z]+)", page.read_text(), re.MULTILINE)) <= targets
