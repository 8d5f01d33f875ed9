"""The curves of a run as pictures, in its folder."""

from __future__ import annotations

from pathlib import Path

from wellshaped.report.curves import png, svg
from wellshaped.train.checkpoint import publish_text
from wellshaped.train.track import Track


def keep_curves(track: Track, folder: Path) -> None:
    """Write `curves.svg` and `curves.png` from the tables of a run."""
    curves = track.curves()
    publish_text(folder / "curves.svg", svg(curves))
    png(curves, folder / "curves.png")
