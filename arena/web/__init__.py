"""Pages for a browser: saved games, reports of leagues."""
