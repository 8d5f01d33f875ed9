"""TODO report.text."""
