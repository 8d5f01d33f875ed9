"""`--dry-run` of a training command: `wellshaped check` of what it does with each batch."""

from __future__ import annotations

import importlib
import tempfile
from pathlib import Path

from wellshaped.cli.usage import Parser


def dry_run(text: str, lang: str) -> int:
    """Check a program, and give the status of `wellshaped check`."""
    checking = importlib.import_module("wellshaped.cli.check")
    parser = Parser(prog="wellshaped check")
    checking.declare(parser)
    asked = parser.parse_args([])
    with tempfile.TemporaryDirectory(prefix="wellshaped-") as folder:
        script = Path(folder) / "dry_run.py"
        script.write_text(text, encoding="utf-8")
        asked.lang, asked.program = lang, [str(script)]
        return int(checking.act(asked))
