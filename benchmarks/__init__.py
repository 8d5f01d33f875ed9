"""Side-by-side measurements; nothing here is imported by the library."""
