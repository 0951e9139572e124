"""Tests of the arena: ratings, statistics, comparisons."""
