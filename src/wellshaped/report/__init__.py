"""Reports: a diagnosis as a neutral document, and one file per way to print it."""
