"""`python -m wellshaped` is the command `wellshaped`."""

import signal
import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command; an interrupt while it is being loaded is one line, as it is later."""
    is_run = sys.argv[1:2] == ["run"]  # asked now: its program gets another command line
    try:
        from wellshaped.cli import allow_search_ahead
        from wellshaped.cli import main as command

        if not is_run:  # else this process is the program's
            allow_search_ahead()
        status = command()
    except KeyboardInterrupt:
        if is_run:
            raise  # of the program, which dies of it as under plain python
        print("wellshaped: interrupted", file=sys.stderr)
        status = _INTERRUPTED
    if status == _INTERRUPTED and not is_run:
        # Nothing is left to interrupt: a second one would print the frames of what closes down.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return status


if __name__ == "__main__":
    # The current directory is the program's, not ours: a script there that is named like a module
    # we import must not be imported. A path entry that is a file provides no module.
    if not sys.flags.safe_path:
        sys.path[0] = __file__
    sys.exit(main())
