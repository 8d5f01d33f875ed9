"""Runs a piece of program with weights or without, and tells what tensors it met."""

import contextlib
import io
import linecache
import warnings

from wellshaped.execute.weights.fake.fake_weights import fake_weights

SETUP = """
import copy, io, math
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
"""


def executed(source, *, dry=False):
    """The layouts of the tensors that a program met, its namespace, and the run."""
    met, source = [], SETUP + source
    file = f"<program {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)

    def seen(*tensors):
        met.extend(
            (tuple(each.shape), each.dtype, each.requires_grad, each.stride()) for each in tensors
        )

    space = {"seen": seen, "want_cuda": dry, "__name__": "__main__"}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        with fake_weights() if dry else contextlib.nullcontext() as run:
            exec(compile(source, file, "exec"), space)
    return met, space, run
