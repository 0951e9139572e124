"""What a seat's events say about unseen cards, counted anew for checkers of certificates."""
