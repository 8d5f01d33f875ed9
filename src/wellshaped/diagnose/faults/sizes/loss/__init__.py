"""WS201 to WS210: sizes that do not fit at a loss."""
