"""A check or a fix for other programs, one file per format."""
