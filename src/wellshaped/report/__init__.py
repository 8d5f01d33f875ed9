"""Reports: a diagnosis as a neutral document, and one file per way to print it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellshaped.report.text.width import visible

if TYPE_CHECKING:
    from wellshaped.report.formats.shapes import render as shapes_json
    from wellshaped.report.text.shapes import render as shapes_text
    from wellshaped.report.web.shapes import render as shapes_page

__all__ = ["shapes_json", "shapes_page", "shapes_text", "visible"]


def __getattr__(name: str) -> Any:
    if name == "shapes_json":
        from wellshaped.report.formats.shapes import render as shapes_json

        return shapes_json
    if name == "shapes_text":
        from wellshaped.report.text.shapes import render as shapes_text

        return shapes_text
    if name == "shapes_page":
        from wellshaped.report.web.shapes import render as shapes_page

        return shapes_page
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
