"""TODO source.number_sources."""
