"""Ways in which a program can try to leave a trace, each checked with and without Landlock."""
