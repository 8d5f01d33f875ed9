"""Reads the text of an error: the one place that knows the words of torch."""
