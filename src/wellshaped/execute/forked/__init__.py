"""TODO execute.forked."""
