"""Runs the examples of a rule the way `wellshaped run` and `check` do, and diagnoses them."""

from __future__ import annotations

import linecache
import warnings
from contextlib import nullcontext
from pathlib import Path

from wellshaped.diagnose.faults.detect import detectors
from wellshaped.execute.loaders import steered_loaders
from wellshaped.observe.observers import observing
from wellshaped.observe.trace.axes import ELEMENT_WISE
from wellshaped.observe.trace.gradients import gradients_noted
from wellshaped.pipeline.diagnosis import diagnose
from wellshaped.records.diagnosis import Diagnosis
from wellshaped.records.observation import Observation
from wellshaped.repair.apply import with_edits

PRELUDE = "import torch, torch.nn.functional as F\nfrom torch import nn\ntorch.manual_seed(0)\n"


def diagnosed(snippet: str, folder: Path, *, tracing: bool = False) -> Diagnosis | None:
    """The diagnosis of a short program: of its failure, of its last hazard, or, where `run`
    sees nothing or an operation element by element fails, of the last thing a traced run finds.
    """
    file = folder / "example.py"
    file.write_text(PRELUDE + snippet.strip("\n") + "\n", encoding="utf-8")
    linecache.checkcache(str(file))
    observation = None if tracing else _observed(file)
    if observation is None or observation.callee in ELEMENT_WISE:
        observation = _observed(file, tracing=True)
    return diagnose(observation) if observation is not None else None


def _observed(file: Path, *, tracing: bool = False) -> Observation | None:
    code = compile(file.read_text(encoding="utf-8"), str(file), "exec")
    loading = steered_loaders(None, whole=True) if tracing else nullcontext()
    asked = detectors() if tracing else None
    with (
        warnings.catch_warnings(),
        loading as loaders,
        gradients_noted(entries=False) as gradients,
        observing(asked, loaders=loaders, gradients=gradients) as observers,
    ):
        warnings.simplefilter("ignore")
        try:
            exec(code, {"__name__": "__main__", "__file__": str(file)})
        except Exception as error:
            return observers.observe_failure(error)
    if observers.watch.calls:
        return observers.watch.calls[-1].observation
    return observers.silent[-1] if observers.silent else None


def mended(snippet: str, folder: Path) -> list[list[str]]:
    """For each repair with edits, the lines that are new in the short program."""
    found = diagnosed(snippet, folder)
    before = PRELUDE + snippet.strip("\n") + "\n"
    edits = [each.repair.edits for each in (found.candidates if found else ())]
    texts = [with_edits(before, each) or "" for each in edits if each]
    known = before.splitlines()
    return [[line.strip() for line in text.splitlines() if line not in known] for text in texts]
