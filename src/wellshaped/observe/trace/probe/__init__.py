"""TODO observe.trace.probe."""
