"""Runs a program harmlessly, and in another setting; knows no fault."""

from wellshaped.execute.program import Program
from wellshaped.execute.sandbox.holders import allow_search_ahead

__all__ = ["Program", "allow_search_ahead"]
