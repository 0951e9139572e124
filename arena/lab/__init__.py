"""Experiments: A/B tests of bots, benchmarks, and checks of bots, rules and the harness."""
