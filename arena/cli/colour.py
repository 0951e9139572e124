"""Colour on terminals: which words of a report get which, and where there is none."""

from __future__ import annotations

import os
import re
from typing import IO, Final

import click

GOOD: Final = (
    r"(?<=: )OK$",
    r"(?<=^verdict: )PASS$",
    r"^Verdict: A is better\.$",
    r"^(ok|proven|checked)(?=  )",
    r"(?<=, )all correct$",
    r"^All (checks passed|protections are in force)\.$",
    r"^Winners? after \d+ decisions: .*",
    r"^\*(?= )",
    r"^Best: .*",
)
BAD: Final = (
    r"(?<=: )FAILED\b",
    r"(?<=^verdict: )FAIL$",
    r"^Verdict: B is better\.$",
    r"^(FAILED|wrong|none|open)(?=  )",
    r"^.*: \d+ problems in \d+ games and their ratings$",
    r"^Self-test failed\.$",
    r"(?<=  )NO$",
    r"^Isolated bots are not fully contained here;.*",
    r"^Lost by a fault: .*",
    r"^(legal|repeatable|own view): +no\b.*",
)
QUIET: Final = (
    r"^(In brackets: |Median \(lowest-highest\) ).*",
    r"^\(.* % confidence, valid whenever you stop\)$",
    r"^(Exact|Not exact, a bound: .*); .* engine\.$",
    r"^next: .*",
)
_GOOD, _BAD, _QUIET = (
    re.compile("|".join(patterns), re.MULTILINE) for patterns in (GOOD, BAD, QUIET)
)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_RULE: Final = re.compile(r"-+(  -+)*")


def echo(text: str, *, file: IO[str] | None = None, err: bool = False) -> None:
    """Print text that may be styled; only a terminal without NO_COLOR or TERM=dumb shows it so."""
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    click.echo(text, file=file, err=err, color=False if plain else None)


def error(problem: str) -> None:
    """Print the one line about what went wrong.

    It may quote the name of a file that a stranger has chosen: nothing in it controls the terminal
    or cannot be printed.
    """
    problem = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", problem)
    echo(f"{click.style('arena:', fg='red')} {problem}", err=True)


def paint(report: str) -> str:
    """The report with its verdicts in green or red, legends dim and heads of tables bold."""
    report = _GOOD.sub(lambda words: click.style(words[0], fg="green"), report)
    report = _BAD.sub(lambda words: click.style(words[0], fg="red"), report)
    report = _QUIET.sub(lambda words: click.style(words[0], dim=True), report)
    lines = report.split("\n")
    for number, line in enumerate(lines):
        head = number - 1
        while _RULE.fullmatch(line) and head >= 0 and lines[head]:
            lines[head] = click.style(lines[head], bold=True)
            head -= 1
    return "\n".join(lines)
