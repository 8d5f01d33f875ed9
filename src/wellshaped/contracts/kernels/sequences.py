"""The kernel behind `ctc_loss`."""

from __future__ import annotations

from dataclasses import replace

from wellshaped.contracts.promotion import INTEGERS
from wellshaped.contracts.sketch import Rejected, Sketch, refuse_unless

Lengths = Sketch | tuple[int, ...]


def ctc(
    log_probs: Sketch,
    targets: Sketch,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: int,
    reduction: str,
) -> Sketch:
    """`ctc_loss`: time first, one length per sequence."""
    both = isinstance(input_lengths, Sketch) == isinstance(target_lengths, Sketch)
    refuse_unless(both, "both lengths are tensors, or neither", "target_lengths")
    refuse_unless(log_probs.rank in (2, 3), "must be (T, B, C) or (T, C)", log_probs.name)
    refuse_unless(log_probs.numel > 0, "must not be empty", log_probs.name)
    batch = log_probs.shape[1] if log_probs.rank == 3 else 1
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        _one_length_each(name, lengths, batch)
    _target_shape(targets, batch)
    if isinstance(input_lengths, tuple) and isinstance(target_lengths, tuple):
        _known_lengths(log_probs, targets, input_lengths, target_lengths)
    refuse_unless(0 <= blank < log_probs.shape[-1], "must be a class", "blank")
    fits = log_probs.dtype in ("float32", "float64")
    refuse_unless(fits, f"has no kernel for {log_probs.dtype}", log_probs.name)
    shape = (batch,) if reduction == "none" and log_probs.rank == 3 else ()
    return replace(log_probs, shape=shape, name="")


def _one_length_each(name: str, lengths: Lengths, batch: int) -> None:
    if isinstance(lengths, Sketch):
        refuse_unless(lengths.dtype in INTEGERS, f"must be integers, not {lengths.dtype}", name)
        count = lengths.numel
    else:
        count = len(lengths)
    refuse_unless(count == batch, f"{count} lengths for {batch} sequences", name)


def _known_lengths(
    log_probs: Sketch, targets: Sketch, times: tuple[int, ...], lengths: tuple[int, ...]
) -> None:
    refuse_unless(max(times) <= log_probs.shape[0], "exceeds the time axis", "input_lengths")
    joined = targets.rank == 1
    fits = sum(lengths) == targets.numel if joined else max(lengths) <= targets.shape[1]
    refuse_unless(fits, "does not fit the targets", "target_lengths")


def _target_shape(targets: Sketch, batch: int) -> None:
    refuse_unless(targets.rank in (1, 2), "must be (B, S), or all in one vector", targets.name)
    if targets.rank == 2 and targets.shape[0] != batch:
        raise Rejected("has another batch size", argument=targets.name, axis=0)
