"""Puzzles: their files, the search for new ones, and trials by a person."""
