"""TODO report.formats."""
