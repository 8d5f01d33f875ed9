"""WS1xx: a tensor has the wrong number of dimensions."""
