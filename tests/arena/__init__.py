"""Tests of leagues: configs, schedules, journals, workers, tables."""
