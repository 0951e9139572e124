"""The arena: runs games between players, measures, reports."""
