"""Runs the examples of a rule the way `wellshaped run` runs a program, and diagnoses them."""

from __future__ import annotations

import linecache
import warnings
from pathlib import Path

from wellshaped.observe.guard import guard
from wellshaped.observe.postmortem import observe_exception
from wellshaped.pipeline import diagnose
from wellshaped.records.diagnosis import Diagnosis

PRELUDE = "import torch, torch.nn.functional as F\nfrom torch import nn\ntorch.manual_seed(0)\n"


def diagnosed(snippet: str, folder: Path) -> Diagnosis | None:
    """The diagnosis of a short program: of its failure, else of its last hazard."""
    file = folder / "example.py"
    file.write_text(PRELUDE + snippet.strip("\n") + "\n", encoding="utf-8")
    linecache.checkcache(str(file))
    code = compile(file.read_text(encoding="utf-8"), str(file), "exec")
    with warnings.catch_warnings(), guard("record") as seen:
        warnings.simplefilter("ignore")
        try:
            exec(code, {"__name__": "__main__", "__file__": str(file)})
        except Exception as error:
            observation = observe_exception(error, seen.suspects)
        else:
            observation = seen.calls[-1].observation if seen.calls else None
    return diagnose(observation) if observation is not None else None
