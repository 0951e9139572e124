"""The server behind `arena serve`: runs, games and play in a browser on this machine."""
