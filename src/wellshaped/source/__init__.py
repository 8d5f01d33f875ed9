"""What the user wrote and what the frames hold; nothing here runs the program."""

from wellshaped.source.frames import Stop, is_library, is_own, live_stops, stops
from wellshaped.source.meta_eval import eval_on_meta
from wellshaped.source.operands import operand, operands_of_call
from wellshaped.source.scope import Scope, called, scope_of
from wellshaped.source.values import UNKNOWN, fact_of

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
