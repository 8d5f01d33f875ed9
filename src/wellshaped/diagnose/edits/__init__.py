"""TODO diagnose.edits."""
