"""Slow, obvious implementations that the solver is checked against, and the cross-checks."""
