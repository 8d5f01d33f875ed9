"""The Jupyter notebook as a file format: its code cells, their magics, and how to change one."""

from wellshaped.notebook.magics import python_of

__all__ = ["SUFFIX", "python_of"]

SUFFIX = ".ipynb"
