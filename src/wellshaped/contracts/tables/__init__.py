"""One table per family of losses; every row is read by the same matcher and interpreter."""
