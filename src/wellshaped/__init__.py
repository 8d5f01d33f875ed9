"""Input/target shape mistakes in PyTorch training code, as a solved problem."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellshaped import batch as batch
    from wellshaped import nn as nn
    from wellshaped.contracts.judge import judge as judge
    from wellshaped.contracts.reconcile import Reconciled as Reconciled
    from wellshaped.contracts.reconcile import reconcile as reconcile
    from wellshaped.observe.loss_guard.watch import ShapeWarning as ShapeWarning
    from wellshaped.observe.loss_guard.watch import guard as guard
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


def _records() -> dict[str, Any]:
    from wellshaped.records.mismatch import ShapeMismatch
    from wellshaped.records.shape import TensorFact
    from wellshaped.records.verdict import Blame, Verdict

    return {
        "ShapeMismatch": ShapeMismatch,
        "TensorFact": TensorFact,
        "Blame": Blame,
        "Verdict": Verdict,
    }


def _contracts() -> dict[str, Any]:
    from wellshaped.contracts.judge import judge
    from wellshaped.contracts.reconcile import Reconciled, reconcile

    return {"judge": judge, "Reconciled": Reconciled, "reconcile": reconcile}


def _guards() -> dict[str, Any]:
    from wellshaped.observe.loss_guard.watch import ShapeWarning, guard

    return {"ShapeWarning": ShapeWarning, "guard": guard}


def _explaining() -> dict[str, Any]:
    from wellshaped.pipeline.explain import Explanation, explain

    return {"Explanation": Explanation, "explain": explain}


def _checking() -> dict[str, Any]:
    from wellshaped.pipeline.step import StepReport, check

    return {"StepReport": StepReport, "check": check}


def _extension() -> dict[str, Any]:
    from wellshaped.ipython import load_ipython_extension, unload_ipython_extension

    return {
        "load_ipython_extension": load_ipython_extension,
        "unload_ipython_extension": unload_ipython_extension,
    }


def _batch() -> dict[str, Any]:
    from wellshaped import batch

    return {"batch": batch}


def _nn() -> dict[str, Any]:
    from wellshaped import nn

    return {"nn": nn}


def _train() -> dict[str, Any]:
    from wellshaped import train

    return {"train": train}


_LOADERS: dict[str, Callable[[], dict[str, Any]]] = {
    "Blame": _records,
    "Explanation": _explaining,
    "Reconciled": _contracts,
    "ShapeMismatch": _records,
    "ShapeWarning": _guards,
    "StepReport": _checking,
    "TensorFact": _records,
    "Verdict": _records,
    "check": _checking,
    "explain": _explaining,
    "guard": _guards,
    "judge": _contracts,
    "reconcile": _contracts,
    # Parts with names of their own: `wellshaped.batch.pad`.
    "batch": _batch,
    "nn": _nn,
    "train": _train,
}

__all__ = [*_LOADERS]

# For IPython alone, in `%load_ext wellshaped`.
_LOADERS |= dict.fromkeys(("load_ipython_extension", "unload_ipython_extension"), _extension)


def __getattr__(name: str) -> Any:
    loader = _LOADERS.get(name)
    if loader is None:
        raise AttributeError(f"module 'wellshaped' has no attribute {name!r}")
    value = loader()[name]
    globals()[name] = value
    return value


def _say(message: Phrase) -> str:
    """The sentence of a `UserError`, in English as exceptions are; commands translate it."""
    from wellshaped.locale import words

    return str(words("en").message(message.name, **message.facts))


def __dir__() -> list[str]:
    return sorted({*globals(), *_LOADERS})
