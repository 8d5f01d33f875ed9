"""WS2xx: a dimension has the wrong size."""
