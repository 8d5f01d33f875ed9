"""Turning proposals into edits of the source text, and edits into diffs."""
