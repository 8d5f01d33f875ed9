"""TODO execute."""
