"""The curves of a run as pictures, in its folder."""

from __future__ import annotations

from pathlib import Path

from wellshaped.files.whole import drafted, publish_text
from wellshaped.report.curves import png, svg
from wellshaped.train.artifacts.track import Track


def keep_curves(track: Track, folder: Path) -> None:
    """Write `curves.svg` and `curves.png` from the tables of a run."""
    curves = track.curves()
    publish_text(folder / "curves.svg", svg(curves))
    with drafted(folder / "curves.png") as draft:
        png(curves, draft)
