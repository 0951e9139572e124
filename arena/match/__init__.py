"""One game: the referee, its clocks, and who sits at the table."""
