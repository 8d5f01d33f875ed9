"""What to write: the edits that change a call, a layer or a tensor."""
