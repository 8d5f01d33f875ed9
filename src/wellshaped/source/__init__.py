"""TODO source."""
