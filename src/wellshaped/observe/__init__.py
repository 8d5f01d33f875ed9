"""What a run shows, as records: of a program, a step, an exception, a message, a call of a loss.

The five names below, and the records of a run, are the front door; torch is loaded when one that
needs it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellshaped.observe.failure.exception import observe_exception as observe_exception
    from wellshaped.observe.loss_guard.watch import guard as guard
    from wellshaped.observe.message.read import read_message as observe_message
    from wellshaped.observe.result import RunResult as RunResult
    from wellshaped.observe.result import Setting as Setting
    from wellshaped.observe.result import Weights as Weights
    from wellshaped.observe.run import observe_run as observe_run
    from wellshaped.observe.step import observe_step as observe_step
    from wellshaped.observe.trace.detect import Detectors as Detectors

__all__ = [
    "Detectors",
    "RunResult",
    "Setting",
    "Weights",
    "guard",
    "observe_exception",
    "observe_message",
    "observe_run",
    "observe_step",
]


def __getattr__(name: str) -> Any:
    match name:
        case "guard":
            from wellshaped.observe.loss_guard.watch import guard

            return guard
        case "observe_exception":
            from wellshaped.observe.failure.exception import observe_exception

            return observe_exception
        case "observe_message":
            from wellshaped.observe.message.read import read_message

            return read_message
        case "observe_run":
            from wellshaped.observe.run import observe_run

            return observe_run
        case "observe_step":
            from wellshaped.observe.step import observe_step

            return observe_step
        case "Detectors":
            from wellshaped.observe.trace.detect import Detectors

            return Detectors
        case "RunResult" | "Setting" | "Weights":
            from wellshaped.observe import result

            return getattr(result, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
