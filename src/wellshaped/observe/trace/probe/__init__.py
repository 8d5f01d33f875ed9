"""Runs a model again with changed inputs, and finds where results depend on them."""
