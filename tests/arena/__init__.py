"""Tests of the arena: processes, sandbox, leagues, ratings, comparisons."""
