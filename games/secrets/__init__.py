"""Secrets: identity tokens that change hands, and cards offered face down."""

RULES_VERSION = 1
"""Rises whenever the same moves could lead elsewhere than before; replays carry it."""
