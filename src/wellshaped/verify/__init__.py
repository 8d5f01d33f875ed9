"""Replays a call, repaired, on tensors of our own making; runs no program."""
