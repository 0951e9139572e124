"""Forms that a game fills for other programs: pictures, observations, rulings and edit forms."""
