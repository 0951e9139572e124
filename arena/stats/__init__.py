"""Ratings, intervals and tests of results; plays no game."""
