"""What every loss of torch asks of its tensors, as data, and the code that reads it."""
