"""Watching programs: what was called, with which tensors, and from where."""
