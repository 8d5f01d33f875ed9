"""Runs a program harmlessly, and in another setting; knows no fault.

What is not needed to name a program is loaded when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellshaped.execute.program import Program, compile_source, execute
from wellshaped.execute.sandbox.holders import allow_search_ahead

if TYPE_CHECKING:
    from wellshaped.execute.compiler import defer_compiler as defer_compiler
    from wellshaped.execute.forked.child import begin as begin
    from wellshaped.execute.forked.child import end as end
    from wellshaped.execute.forked.clock import TimeUp as TimeUp
    from wellshaped.execute.forked.clock import limited as limited
    from wellshaped.execute.forked.preload import preload as preload
    from wellshaped.execute.forked.source_override import other_source as other_source
    from wellshaped.execute.forked.wire import decoded as decoded
    from wellshaped.execute.forked.wire import to_json as to_json
    from wellshaped.execute.forked.writers import running_writers as running_writers
    from wellshaped.execute.forked.writers import start_again as start_again
    from wellshaped.execute.loaders import Loaders as Loaders
    from wellshaped.execute.loaders import steered_loaders as steered_loaders
    from wellshaped.execute.offline import go_offline as go_offline
    from wellshaped.execute.sandbox.enter import sandboxed as sandboxed
    from wellshaped.execute.sandbox.kernel.confinement import must_be_confined as must_be_confined
    from wellshaped.execute.sandbox.notes import aside as aside
    from wellshaped.execute.weights.real import TooLarge as TooLarge
    from wellshaped.execute.weights.real import real_weights as real_weights

__all__ = [
    "Loaders",
    "Program",
    "TimeUp",
    "TooLarge",
    "allow_search_ahead",
    "aside",
    "begin",
    "compile_source",
    "decoded",
    "defer_compiler",
    "end",
    "execute",
    "go_offline",
    "limited",
    "must_be_confined",
    "other_source",
    "preload",
    "real_weights",
    "running_writers",
    "sandboxed",
    "start_again",
    "steered_loaders",
    "to_json",
]


def __getattr__(name: str) -> Any:
    match name:
        case "defer_compiler":
            from wellshaped.execute.compiler import defer_compiler

            return defer_compiler
        case "begin" | "end":
            import wellshaped.execute.forked.child as child

            return getattr(child, name)
        case "TimeUp" | "limited":
            import wellshaped.execute.forked.clock as clock

            return getattr(clock, name)
        case "preload":
            from wellshaped.execute.forked.preload import preload

            return preload
        case "other_source":
            from wellshaped.execute.forked.source_override import other_source

            return other_source
        case "decoded" | "to_json":
            import wellshaped.execute.forked.wire as wire

            return getattr(wire, name)
        case "running_writers" | "start_again":
            import wellshaped.execute.forked.writers as writers

            return getattr(writers, name)
        case "Loaders" | "steered_loaders":
            import wellshaped.execute.loaders as loaders

            return getattr(loaders, name)
        case "go_offline":
            from wellshaped.execute.offline import go_offline

            return go_offline
        case "sandboxed":
            from wellshaped.execute.sandbox.enter import sandboxed

            return sandboxed
        case "must_be_confined":
            from wellshaped.execute.sandbox.kernel.confinement import must_be_confined

            return must_be_confined
        case "aside":
            from wellshaped.execute.sandbox.notes import aside

            return aside
        case "TooLarge" | "real_weights":
            import wellshaped.execute.weights.real as real

            return getattr(real, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
