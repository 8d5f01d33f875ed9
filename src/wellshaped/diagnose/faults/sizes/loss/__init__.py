"""TODO diagnose.faults.sizes.loss."""
