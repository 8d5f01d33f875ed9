"""Runs three short programs that go wrong at a loss, and shows what the library says of each.

usage: python -m examples.demo [crash] [last_batch] [silent]
"""

from __future__ import annotations

import linecache
import runpy
import sys
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path

import wellshaped

FOLDER = Path(__file__).parent
TITLES = {
    "crash": "It crashes.",
    "last_batch": "It crashes later: on the one batch of size 1.",
    "silent": "It does not crash.",
}

AFTER = {"ok": "and did not compute the loss of its rows", "raises": "and cannot go backward"}


def show(name: str) -> None:
    """Run one program under the guard and print what comes of it."""
    program = FOLDER / f"{name}.py"
    print(f"{TITLES[name]}  examples/{name}.py\n")
    with warnings.catch_warnings(), wellshaped.guard(on_hazard="record") as seen:
        warnings.simplefilter("ignore")
        try:
            runpy.run_path(str(program), run_name="__main__")
        except Exception as error:
            _show_failure(program, error)
    for call in seen.calls:
        place = f"examples/{name}.py:{call.place.line}"
        times = f"{call.count} times" if call.count > 1 else "once"
        print(f"\n  {place}  {linecache.getline(call.place.file, call.place.line).strip()}")
        print(f"  `{call.loss}` was accepted {times}, {AFTER[call.verdict.backward]}")
        print(_facts(wellshaped.ShapeMismatch("", call.verdict, call.facts)))
        _show_alignment(call.loss, call.facts)


def _show_failure(program: Path, error: Exception) -> None:
    frames = traceback.extract_tb(error.__traceback__)
    line = next(frame for frame in reversed(frames) if Path(frame.filename) == program)
    print(f"\n  examples/{program.name}:{line.lineno}  {line.line}")
    print(f"  {type(error).__name__}: {str(error).splitlines()[0][:80]}")
    for note in getattr(error, "__notes__", ()):
        print("\n".join(note.splitlines()[1:]))


def _facts(mismatch: wellshaped.ShapeMismatch) -> str:
    return "\n".join(str(mismatch).splitlines()[1:])


def _show_alignment(loss: str, facts: Mapping[str, object]) -> None:
    tensors = [fact for fact in facts.values() if isinstance(fact, wellshaped.TensorFact)]
    try:
        steps = wellshaped.reconcile(loss, *tensors).steps
    except wellshaped.ShapeMismatch as mismatch:
        print(f"  {mismatch.headline}")
    else:
        print(f"  aligned  by {', '.join(map(str, steps))}")


def main() -> None:
    """Show the programs that were named, or all of them."""
    names = sys.argv[1:] or list(TITLES)
    for place, name in enumerate(names):
        if name not in TITLES:
            sys.exit(f"WS930: no such demo: {name!r}; there are {', '.join(TITLES)}")
        print("\n" + "-" * 80 + "\n" if place else "", end="")
        show(name)


if __name__ == "__main__":
    main()
