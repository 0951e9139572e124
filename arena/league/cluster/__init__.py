"""Leagues on several machines, with Dask distributed."""
