"""How a league gets its bots: trusted ones are classes of this process."""

from __future__ import annotations

from typing import Final

from bots.loading import BUILT_IN, BadBot, Entrant, load, split_options

BUILT_IN_NAMES: Final = frozenset(BUILT_IN)


def trusted(name: str, trust: bool) -> bool:
    """Whether a bot may play inside the arena's own processes: ours may, others if trusted."""
    return trust or split_options(name)[0] in BUILT_IN_NAMES


def entrant(name: str, trust: bool) -> Entrant:
    """The bot of that name, ready to be seated; BadBot or BadOption says what is wrong with it."""
    if not trusted(name, trust):
        raise BadBot(
            f"{name} is not trusted, and bots cannot play in processes of their own yet; "
            "a league of bots you trust says trust = true"
        )
    return load(name)
