"""Frozen records: what the stages hand to each other."""
