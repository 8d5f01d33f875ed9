"""WS3xx: the program runs, and computes something else than was meant."""
