"""TODO execute.weights."""
