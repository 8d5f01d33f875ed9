"""Input/target shape mistakes in PyTorch training code, as a solved problem."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellshaped import batch as batch
    from wellshaped import nn as nn
    from wellshaped.contracts.judge import judge as judge
    from wellshaped.contracts.reconcile import Reconciled as Reconciled
    from wellshaped.contracts.reconcile import reconcile as reconcile
    from wellshaped.observe.guard.watch import ShapeWarning as ShapeWarning
    from wellshaped.observe.guard.watch import guard as guard
    from wellshaped.pipeline.explain import Explanation as Explanation
    from wellshaped.pipeline.explain import explain as explain
    from wellshaped.pipeline.step import StepReport as StepReport
    from wellshaped.pipeline.step import check as check
    from wellshaped.records.mismatch import ShapeMismatch as ShapeMismatch
    from wellshaped.records.phrase import Phrase
    from wellshaped.records.shape import TensorFact as TensorFact
    from wellshaped.records.verdict import Blame as Blame
    from wellshaped.records.verdict import Verdict as Verdict

__version__ = "0.1.0"

# Loaded when first asked for: a plain `import wellshaped` loads neither torch nor anything heavy.
_HOMES = {
    "Blame": "wellshaped.records.verdict",
    "Explanation": "wellshaped.pipeline.explain",
    "Reconciled": "wellshaped.contracts.reconcile",
    "ShapeMismatch": "wellshaped.records.mismatch",
    "ShapeWarning": "wellshaped.observe.guard.watch",
    "StepReport": "wellshaped.pipeline.step",
    "TensorFact": "wellshaped.records.shape",
    "Verdict": "wellshaped.records.verdict",
    "check": "wellshaped.pipeline.step",
    "explain": "wellshaped.pipeline.explain",
    "guard": "wellshaped.observe.guard.watch",
    "judge": "wellshaped.contracts.judge",
    "reconcile": "wellshaped.contracts.reconcile",
}

# Parts with names of their own: `wellshaped.batch.pad`.
_PARTS = ("batch", "nn", "train")

__all__ = [*_HOMES, *_PARTS]

# Asked for by IPython alone, in `%load_ext wellshaped`.
_HOMES |= {
    "load_ipython_extension": "wellshaped.ipython",
    "unload_ipython_extension": "wellshaped.ipython",
}


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return importlib.import_module(f"wellshaped.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'wellshaped' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def _say(message: Phrase) -> str:
    """The sentence of a `Told`: in English, as exceptions are; commands say it in any language."""
    words = importlib.import_module("wellshaped.locale.catalogue").words("en")
    return str(words.message(message.name, **message.facts))


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_PARTS})
