"""Equilibria of two-player endings by linear programming."""
