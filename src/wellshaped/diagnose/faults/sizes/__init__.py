"""TODO diagnose.faults.sizes."""
