"""The texts collected from torch, each with the call that provokes it and the code it stands for.

data/texts.jsonl has one row a text: the version of torch that says it, the family of operations,
the call (none for wordings of versions that are not installed), the first code that explains it
(none where it is not explained), and the text itself, as Python prints it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import distributions, nn
from torch.nn import functional as F
from torch.nn.utils import rnn
from torch.utils import data

FILE = Path(__file__).parent / "data" / "texts.jsonl"


@dataclass(frozen=True)
class CollectedText:
    """One text of torch; `call` is empty where only an older version says it."""

    torch: str
    operation: str
    call: str
    code: str
    text: str


def collected() -> tuple[CollectedText, ...]:
    """All of them, as the file has them."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(CollectedText(**json.loads(line)) for line in lines)


def provoke(call: str) -> str | None:
    """What torch says of a call, as Python prints it; None where it is accepted."""
    with warnings.catch_warnings(), _quiet():
        warnings.simplefilter("ignore")
        try:
            exec(call, dict(_names()))
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _ints(*sizes: Any, **options: Any) -> torch.Tensor:
    return torch.zeros(*sizes, dtype=torch.long, **options)


def _function(name: str, back: Any) -> type[torch.autograd.Function]:
    """A function of one's own whose gradient is `back` of the one that comes in."""
    methods = {
        "forward": staticmethod(lambda _, x: x * 1),
        "backward": staticmethod(lambda _, gradient: back(gradient)),
    }
    return type(name, (torch.autograd.Function,), methods)


@cache
def _names() -> dict[str, Any]:
    """What the calls may name."""
    return {
        "torch": torch,
        "nn": nn,
        "F": F,
        "np": np,
        "rnn": rnn,
        "data": data,
        "zeros": torch.zeros,
        "ones": torch.ones,
        "tensor": torch.tensor,
        "ints": _ints,
        "dist": distributions,
        "collate": data.default_collate,
        "Bad": _function("Bad", lambda gradient: gradient[:2]),
        "Two": _function("Two", lambda gradient: (gradient, gradient)),
        "Other": _function("Other", lambda gradient: 3),
    }
