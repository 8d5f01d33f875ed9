"""What the user wrote and what the frames hold; nothing here runs the program."""
