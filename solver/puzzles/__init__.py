"""Puzzles: files, trials, themes, and the search for new ones."""
