"""Reports: a diagnosis as a neutral document, and one file per way to print it."""

from wellshaped.report.text.width import visible

__all__ = ["visible"]
