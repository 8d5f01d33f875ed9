"""WS5xx: the right shape, and the wrong kind of values."""
