"""Numbers in the source that set sizes of tensors."""
