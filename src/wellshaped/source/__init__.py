"""What the user wrote and what the frames hold; nothing here runs the program.

Torch is loaded when a name that needs it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellshaped.source.frames import Stop, is_library, is_own, live_stops, stops
from wellshaped.source.internal_calls import in_internal_call

if TYPE_CHECKING:
    from wellshaped.source.assignments import assignment as assignment
    from wellshaped.source.assignments import loop_source as loop_source
    from wellshaped.source.code import Source as Source
    from wellshaped.source.code import source_of as source_of
    from wellshaped.source.meta_eval import eval_on_meta as eval_on_meta
    from wellshaped.source.operands import operand as operand
    from wellshaped.source.operands import operands_of_call as operands_of_call
    from wellshaped.source.scope import Scope as Scope
    from wellshaped.source.scope import called as called
    from wellshaped.source.scope import scope_of as scope_of
    from wellshaped.source.shape_inference import infer_shape as infer_shape
    from wellshaped.source.values import UNKNOWN as UNKNOWN
    from wellshaped.source.values import fact_of as fact_of

__all__ = [
    "UNKNOWN",
    "Scope",
    "Source",
    "Stop",
    "assignment",
    "called",
    "eval_on_meta",
    "fact_of",
    "in_internal_call",
    "infer_shape",
    "is_library",
    "is_own",
    "live_stops",
    "loop_source",
    "operand",
    "operands_of_call",
    "scope_of",
    "source_of",
    "stops",
]


def __getattr__(name: str) -> Any:
    if name in ("assignment", "loop_source"):
        import wellshaped.source.assignments as assignments

        return getattr(assignments, name)
    if name in ("Source", "source_of"):
        import wellshaped.source.code as code

        return getattr(code, name)
    if name == "infer_shape":
        from wellshaped.source.shape_inference import infer_shape

        return infer_shape
    if name == "eval_on_meta":
        from wellshaped.source.meta_eval import eval_on_meta

        return eval_on_meta
    if name in ("operand", "operands_of_call"):
        import wellshaped.source.operands as operands

        return getattr(operands, name)
    if name in ("Scope", "called", "scope_of"):
        import wellshaped.source.scope as scope

        return getattr(scope, name)
    if name in ("UNKNOWN", "fact_of"):
        import wellshaped.source.values as values

        return getattr(values, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
