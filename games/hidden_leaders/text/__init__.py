"""Moves, cards and tables in words."""
