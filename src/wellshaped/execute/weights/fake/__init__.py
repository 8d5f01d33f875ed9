"""TODO execute.weights.fake."""
