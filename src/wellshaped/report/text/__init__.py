"""A document as text for a terminal, measured in cells."""
