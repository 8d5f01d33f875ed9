"""WS4xx: right only at some batch sizes."""
