"""Doors into other people's tools: one file each, loaded by that tool or its command alone."""
