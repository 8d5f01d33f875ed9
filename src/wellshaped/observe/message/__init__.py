"""TODO observe.message."""
