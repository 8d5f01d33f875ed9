"""The weights of a model in a dry run: real ones, or shapes and dtypes alone."""
