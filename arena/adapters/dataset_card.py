"""The dataset card of an exported league: what is in it, how it was made, how to use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.league.journal import Journal
from games.registry import Game


class Column(NamedTuple):
    """A column of a table."""

    name: str
    kind: str
    meaning: str


TableFacts = tuple[str, int, Sequence[Column]]
"""A file, how many rows it has, and its columns."""

_USE = """\
```python
import pyarrow.parquet as pq

decisions = pq.read_table("decisions.parquet")
```

Split training and test data by `deal` (join on `game`): games of one deal share their luck. A
decision holds only what its seat could know; `share`, the end of the game, is a target, never an
input. Bots decide, not people: moves are as good as the bots above, and a model trained on them
learns their habits."""


def dataset_card(journal: Journal, rules: Game, tables: Sequence[TableFacts]) -> str:
    """The card as Markdown, with the header that dataset hubs read."""
    name = journal.path.stem
    rows = max(count for _, count, _ in tables)
    size = next(text for most, text in _SIZES if rows < most)
    lines = [
        "---",
        f"pretty_name: {rules.title}, league {name}",
        f"size_categories: [{size}]",
        "tags: [games, imperfect-information, reinforcement-learning]",
        "---",
        "",
        f"# {rules.title}: games of the league {name}",
        "",
        f"{len(journal.played())} games of {rules.title} (rules version {journal.rules}),",
        "played by bots and exported by the Hidden Leaders Arena.",
        "",
        f"- Bots: {', '.join(f'`{bot}`' for bot in journal.league.names)}",
        f"- Content: `{journal.content_digest()}`",
        f"- Layouts: {_layouts(rules)}",
        "",
        "## Use",
        "",
        _USE,
    ]
    for file, count, columns in tables:
        lines += [
            "",
            f"## {file}: {count} rows",
            "",
            "| column | type | meaning |",
            "|---|---|---|",
        ]
        lines += [f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in columns]
    return "\n".join(lines) + "\n"


def _layouts(rules: Game) -> str:
    """The versions of the vectors: data of different versions must not be mixed."""
    parts = []
    if rules.observation is not None:
        parts.append(f"observation version {rules.observation.version}")
    if rules.features is not None:
        parts.append(f"features version {rules.features.version}")
    return ", ".join(parts) or "no vectors"


_SIZES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**99, "n>10M"),
)
