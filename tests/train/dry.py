"""What `wellshaped check` comes to on the program of a dry run."""

from pathlib import Path
from typing import Any

from wellshaped.execute.program import Program
from wellshaped.pipeline.check import check


def checked(folder: Path, text: str) -> Any:
    """The outcome of checking a program."""
    script = folder / "dry.py"
    script.write_text(text, encoding="utf-8")
    return check(Program(str(script)), budget=120)
