"""Hidden Leaders: 2 to 6 players, a secret leader each, two markers on a track, 77 heroes."""

RULES_VERSION = 1
"""Rises whenever the same moves could lead elsewhere than before."""
