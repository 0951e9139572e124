"""What a seat knows, and sampling worlds that agree with it."""
