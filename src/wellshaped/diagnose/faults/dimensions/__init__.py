"""TODO diagnose.faults.dimensions."""
