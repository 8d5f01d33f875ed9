"""Runs a copy of a model so that the program notices nothing of it."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import warnings
from collections.abc import Iterator

import torch

from wellshaped.execute.coverage import untracked
from wellshaped.observe.trace.lineage import Lineage


def draw_the_same() -> None:
    """Let what is called next draw the numbers that all such calls draw.

    Where no GPU was used `torch.manual_seed` notes down for each kind of device, with the whole
    stack, that it is to be seeded: twenty times the work (torch 2.13).
    """
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(0)
    torch.default_generator.manual_seed(0)


@contextlib.contextmanager
def isolated_call(trace: Lineage) -> Iterator[None]:
    """Leave no trace: of random numbers, of settings, of output, of what was reached."""
    state, built = random.getstate(), dict(trace.built)
    numpy = sys.modules.get("numpy.random")  # not loaded, nothing was drawn
    drawn = numpy.get_state() if numpy is not None else None
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with (
            torch.random.fork_rng(devices=[]),
            torch.no_grad(),
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
            untracked(),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
        random.setstate(state)
        if numpy is not None:
            numpy.set_state(drawn)
        trace.built = built
