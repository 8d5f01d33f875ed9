"""What would fit: the shapes that a call takes, and how its tensors miss them."""
