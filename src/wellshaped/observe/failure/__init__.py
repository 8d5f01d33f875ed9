"""From an exception and its frames to the call that failed, with its tensors."""
