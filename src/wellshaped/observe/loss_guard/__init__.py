"""Judges each call of a loss before torch runs it."""
