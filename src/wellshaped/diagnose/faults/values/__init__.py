"""TODO diagnose.faults.values."""
