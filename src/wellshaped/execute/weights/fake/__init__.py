"""Data stays real; everything computed from a weight is shape and dtype only."""
