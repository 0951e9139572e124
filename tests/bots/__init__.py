"""Tests of bots, of the referee they play under, and of the commands that start them."""
