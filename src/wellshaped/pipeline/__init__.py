"""The order of the stages: observe, diagnose, repair, verify, report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellshaped.pipeline.shapes import shapes_of as shapes_of

__all__ = ["shapes_of"]


def __getattr__(name: str) -> Any:
    if name == "shapes_of":
        from wellshaped.pipeline.shapes import shapes_of

        return shapes_of
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
