"""The messages that the tests make torch raise, each with what the reader is to find in it.

provoked.txt holds them: a line of code, then what torch says on real tensors and on fake ones
(`same`; `silent` where fakes accept the call or cannot know), as kind, `:` and callee where the
text names it, and values.
"""

from __future__ import annotations

import ast
import contextlib
import logging
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn import functional as F

FILE = Path(__file__).with_name("provoked.txt")

# Checks on a GPU are asserts of its kernels: worded here as torch prints them.
OF_CUDA = {
    "class_number": "../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel"
    "_2d: block: [0,0,0], thread: [1,0,0] Assertion `t >= 0 && t < n_classes` failed.",
    "probability_range": "../aten/src/ATen/native/cuda/Loss.cu:94: operator(): block: [0,0,0],"
    " thread: [3,0,0] Assertion `input_val >= zero && input_val <= one` failed.",
}


@dataclass(frozen=True)
class Says:
    """What the reader finds."""

    kind: str
    callee: str
    values: dict[str, Any]


@dataclass(frozen=True)
class Provoked:
    """A line of code that torch refuses, and what it says, by the kind of tensors."""

    code: str
    says: dict[str, Says | None]

    def message(self, tensors: str) -> str | None:
        """The error as Python prints it; None where there is none."""
        modes: dict[str, Any] = {
            "real": contextlib.nullcontext,
            "fake": lambda: FakeTensorMode(allow_non_fake_inputs=True),
            "meta": lambda: torch.device("meta"),
        }
        with warnings.catch_warnings(), _quiet():
            warnings.simplefilter("ignore")
            try:
                with modes[tensors]():
                    exec(self.code, {"torch": torch, "nn": nn, "F": F})
            except Exception as error:
                return f"{type(error).__name__}: {error}"
        return None


@contextlib.contextmanager
def _quiet():
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def provoked() -> list[Provoked]:
    """All of them, as the file has them."""
    blocks = FILE.read_text(encoding="utf-8").strip("\n").split("\n\n")
    return [_block(block.split("\n")) for block in blocks]


def _block(lines: list[str]) -> Provoked:
    says: dict[str, Says | None] = {}
    for line in lines[1:]:
        tensors, said = line.strip().split(" ", 1)
        says[tensors] = says["real"] if said == "same" else _says(said)
    return Provoked(lines[0].replace("\\n", "\n"), says)


def _says(text: str) -> Says | None:
    if text == "silent":
        return None
    name, values = text.split(" ", 1)
    kind, _, callee = name.partition(":")
    return Says(kind, callee, ast.literal_eval(values))
