"""One game: the referee, its clock, and where the bots come from."""
