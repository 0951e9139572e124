"""Leagues on many machines, by Dask."""
