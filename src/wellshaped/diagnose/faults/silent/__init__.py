"""TODO diagnose.faults.silent."""
