"""What the kernel denies a dry run: Landlock, system calls, and whether it can."""
