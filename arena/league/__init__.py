"""Leagues: config, schedule, workers, journal, tables."""
