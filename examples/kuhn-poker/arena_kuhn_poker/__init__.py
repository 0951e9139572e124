"""Kuhn poker as a game for the Hidden Leaders Arena."""
