"""TODO diagnose.faults.sizes.operations."""
