"""TODO observe.guard."""
