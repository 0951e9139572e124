"""Experiments: comparisons, benchmarks, checks of bots and rules."""
