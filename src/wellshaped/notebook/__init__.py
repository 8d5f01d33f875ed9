"""The Jupyter notebook as a file format: its code cells, their magics, and how to change one."""

SUFFIX = ".ipynb"
