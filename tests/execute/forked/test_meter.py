"""What a child uses is read from `/proc`, where processes may end at any moment."""

import os
from pathlib import Path

from wellshaped.execute.forked import meter


def test_a_process_that_ends_while_it_is_looked_at_has_no_children(monkeypatch):
    def gone(self, pattern):
        raise FileNotFoundError(2, "No such file or directory", str(self))

    monkeypatch.setattr(Path, "glob", gone)
    assert meter._children(os.getpid()) == []
