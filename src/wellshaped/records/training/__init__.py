"""Records of training: what a run says of itself, its samples, and what was cut from its data."""
