"""The order of the stages: observe, diagnose, repair, verify, report."""
