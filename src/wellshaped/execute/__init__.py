"""Runs a program harmlessly, and in another setting; knows no fault."""

from wellshaped.execute.program import Program

__all__ = ["Program"]
