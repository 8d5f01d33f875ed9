"""What the user wrote and what the frames hold; nothing here runs the program.

Torch is loaded when a name that needs it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellshaped.source.frames import Stop, is_library, is_own, live_stops, stops

if TYPE_CHECKING:
    from wellshaped.source.meta_eval import eval_on_meta as eval_on_meta
    from wellshaped.source.operands import operand as operand
    from wellshaped.source.operands import operands_of_call as operands_of_call
    from wellshaped.source.scope import Scope as Scope
    from wellshaped.source.scope import called as called
    from wellshaped.source.scope import scope_of as scope_of
    from wellshaped.source.values import UNKNOWN as UNKNOWN
    from wellshaped.source.values import fact_of as fact_of

__all__ = [
    "UNKNOWN",
    "Scope",
    "Stop",
    "called",
    "eval_on_meta",
    "fact_of",
    "is_library",
    "is_own",
    "live_stops",
    "operand",
    "operands_of_call",
    "scope_of",
    "stops",
]


def __getattr__(name: str) -> Any:
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
