"""What a run leaves in its folder: checkpoints, tables, curves, texts, and the result."""
