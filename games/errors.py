"""What can be wrong with what a person or a file says about a game."""

from __future__ import annotations


class GameError(ValueError):
    """Something said about a game makes no sense; the message is fit for the person who said it."""
