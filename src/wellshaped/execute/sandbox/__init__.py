"""Keeps a program in a dry run from changing anything outside its own process."""
