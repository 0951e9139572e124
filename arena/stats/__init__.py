"""Ratings, confidence intervals and significance tests; plays no games."""
