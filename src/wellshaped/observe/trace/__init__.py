"""Follows every tensor of a running program: its parents, and what its dimensions are."""
