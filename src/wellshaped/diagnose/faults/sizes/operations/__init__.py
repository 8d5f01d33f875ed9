"""WS211 and up: sizes that do not fit at a layer or an operation."""
