"""`python -m wellshaped` is the command `wellshaped`."""

import sys

if __name__ == "__main__":
    # The current directory is the program's, not ours: a script there that is named like a module
    # we import must not be imported. A path entry that is a file provides no module.
    if not sys.flags.safe_path:
        sys.path[0] = __file__
    from wellshaped.cli import main

    sys.exit(main())
