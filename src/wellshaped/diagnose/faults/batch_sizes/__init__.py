"""TODO diagnose.faults.batch_sizes."""
