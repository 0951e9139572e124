"""Slow, obvious implementations that the solver is checked against."""
