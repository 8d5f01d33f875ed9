"""The English of the HTML report and of the picture of shapes."""

from __future__ import annotations

from typing import Final

WEB: Final[dict[str, str]] = {
    "title": "wellshaped: {program}",
    "language": "language",
    "flow": "the way of the shapes",
    "meet": "they meet at",
    "source": "source of",
    "diff": "change of the source",
    "copy": "copy",
    "copied": "copied",
    "batch_size": "batch size",
    "as_written": "as written",
    "repaired": "repaired",
    "not_tried": "not tried",
    "unknown_shape": "shape not known",
    "axis_wrong": "axis at fault",
    "axis_missing": "axis missing",
    "axis_added": "axis added",
    "letter_B": "batch",
    "letter_C": "classes or channels",
    "letter_D": "depth",
    "letter_F": "features",
    "letter_H": "height",
    "letter_S": "any further axis",
    "letter_T": "positions",
    "letter_W": "width",
    "all_changes": "all changes",
    "about": "about {code}",
    "not_checked": "not checked",
    "curves": "curves",
    "curve_said": "{name}: {first} at step {start}, {last} at step {end}; from {least} to {most}",
    "step": "step",
    "numbers": "numbers",
    "samples_at": "samples at step {step}",
    "prompt": "prompt",
    "response": "response",
    "score": "score",
    "made_by": "made by wellshaped {version}; this file loads nothing from the network",
}
