"""Hidden Leaders: 2 to 6 players, a secret leader each, two markers on a track, 77 heroes."""
