"""TODO execute.sandbox."""
