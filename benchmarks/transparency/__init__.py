"""Other people's training scripts, with and without `wellshaped run`, and what `check` says."""
