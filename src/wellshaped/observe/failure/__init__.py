"""TODO observe.failure."""
