"""Servers by which generation and scoring run on other processes, and how they are asked."""
