"""Runs a program harmlessly, and in another setting; knows no fault."""
