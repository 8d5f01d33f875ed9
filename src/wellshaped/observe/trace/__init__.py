"""TODO observe.trace."""
