"""The CPU time of this process: what a budget counts, for it is the same on a busy machine."""

from __future__ import annotations

import os
import time


def cpu_seconds() -> float:
    """CPU seconds that this process has used: all its threads, and the children it waited for."""
    return time.process_time() + sum(os.times()[2:4])
