"""Rows of files and of memory, and what training makes of them: comparisons of token ids."""
