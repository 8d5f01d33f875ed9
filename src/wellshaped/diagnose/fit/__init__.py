"""TODO diagnose.fit."""
