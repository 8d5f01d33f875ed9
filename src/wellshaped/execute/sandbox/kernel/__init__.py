"""TODO execute.sandbox.kernel."""
