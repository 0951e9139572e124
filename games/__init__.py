"""Rules of the games. Knows nothing of who plays, runs or solves them."""
