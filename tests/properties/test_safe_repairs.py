"""Whatever program surrounds a call: a safe repair keeps each element, once and in its row."""

import contextlib
import re
from math import prod
from unittest import mock

import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch.nn import functional

from tests.properties.programs import LOSSES, programs, tensor_text
from tests.properties.test_programs import quiet, stored
from wellshaped.pipeline.explain import explain_exception
from wellshaped.repair.apply import edited_sources, read_source

_MADE = re.compile(r"torch\.(?:zeros|rand)\((\([\d, ]*\))[^)]*\)")


def numbered(shape):
    """A tensor whose elements say which ones they are."""
    return torch.arange(torch.Size(shape).numel(), dtype=torch.float64).reshape(shape)


def arguments_of_losses(text):
    """What arrives at the losses of a program in which every tensor is numbered."""
    arrived = []

    def called(*arguments, **options):
        given = [*arguments, *(options[name] for name in ("input", "target") if name in options)]
        arrived.append(given[:2])
        return torch.zeros(())

    with contextlib.ExitStack() as patched:
        for name in LOSSES:
            patched.enter_context(mock.patch.object(functional, name, called))
        with quiet():
            exec(compile(_MADE.sub(r"numbered(\1)", text), "train.py", "exec"), {
                "__name__": "__main__", "numbered": numbered,
            })  # fmt: skip
    return arrived


@st.composite
def related(draw):
    """A program whose two shapes have dimensions in common, as those of real faults have."""
    loss = draw(st.sampled_from(sorted(LOSSES)))
    first = draw(st.lists(st.sampled_from([1, 2, 3, 5, 6]), min_size=1, max_size=4))
    place = draw(st.integers(0, len(first) - 1))
    second = draw(
        st.sampled_from([
            first[::-1],
            first[:place] + first[place + 1 :],
            [*first[:place], 1, *first[place:]],
            [*first[:place], prod(first[place : place + 2]), *first[place + 2 :]],
            first[: place + 1],
            [*first[:place], first[place] + 1, *first[place + 1 :]],
        ])
    )  # fmt: skip
    if draw(st.booleans()):
        first, second = second, first
    made = [
        tensor_text(kind, shape) for kind, shape in zip(LOSSES[loss], (first, second), strict=True)
    ]
    return (
        "import torch\nimport torch.nn.functional as F\n"
        f"pred = {made[0]}\ny = {made[1]}\nloss = F.{loss}(pred, y)\n"
    ).encode()


def lines_of(tensor, dim):
    """The elements along a dimension, whichever indices the others have."""
    size = tensor.shape[dim]
    return {frozenset(line.tolist()) for line in tensor.movedim(dim, -1).reshape(-1, size)}


def keeps_classes(before, after):
    """Whether the dimension of classes is one of the dimensions before."""
    if not after.dim():
        return True
    classes = lines_of(after, min(1, after.dim() - 1))
    return any(lines_of(before, dim) == classes for dim in range(before.dim()))


def is_lossless(before, after):
    """Whether one tensor holds the elements of the other, each in its row."""
    if sorted(before.flatten().tolist()) != sorted(after.flatten().tolist()):
        return False
    rows = before.shape[0] if before.dim() else 1
    if rows == 1 or not after.dim() or after.shape[0] != rows:
        return rows == 1
    pairs = zip(before.reshape(rows, -1), after.reshape(rows, -1), strict=True)
    return all(sorted(one.tolist()) == sorted(other.tolist()) for one, other in pairs)


def raised_by(data, file):
    with quiet():
        try:
            exec(compile(data, str(file), "exec"), {"__name__": "__main__"})
        except Exception as error:
            return error
    return None


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(programs(), related()))
def test_a_safe_repair_is_a_bijection(data):
    with stored(data) as file:
        error = raised_by(data, file)
        found = explain_exception(error) if error else None
        offered = [each for one in found.diagnoses for each in one.offered] if found else []
        for proposal in [each for each in offered if each.repair.level == "safe"]:
            source = read_source(str(file)).text
            edited = edited_sources(proposal.repair.edits, {str(file): source})
            before, after = arguments_of_losses(source), arguments_of_losses(edited[str(file)])
            for old, new in zip(before, after, strict=True):
                assert all(map(is_lossless, old, new)), edited[str(file)]
                if b"cross_entropy(" in data or b"nll_loss(" in data:
                    assert "with_logits" in source or keeps_classes(old[0], new[0]), source


# The call, and what is to be patched so that it shows what it was given.
CALLS = {
    "torch.cat([a, b], dim={dim})": (torch, "cat"),
    "torch.stack([a, b], dim={dim})": (torch, "stack"),
    "torch.matmul(a, b)": (torch, "matmul"),
    "torch.bmm(a, b)": (torch, "bmm"),
    "torch.add(a, b)": (torch, "add"),
    "torch.mul(a, b)": (torch, "mul"),
    "a.view({size}, -1)": (torch.Tensor, "view"),
    "a.index_select({dim}, b.flatten().long())": (torch.Tensor, "index_select"),
    "a.gather({dim}, b.long())": (torch.Tensor, "gather"),
    "nn.Linear({size}, 2)(a)": (torch.nn.Linear, "forward"),
    "nn.Conv1d({size}, 2, 1)(a)": (torch.nn.Conv1d, "forward"),
    "nn.LSTM({size}, 2, batch_first={first})(a)": (torch.nn.LSTM, "forward"),
    "nn.GRU({size}, {size}, batch_first={first})(a, b)": (torch.nn.GRU, "forward"),
    "nn.MultiheadAttention({size}, 1, batch_first={first})(a, b, b)": (
        torch.nn.MultiheadAttention,
        "forward",
    ),
}


@st.composite
def calls(draw):
    """A call of tensors whose shapes have dimensions in common, and how it shows its arguments."""
    call = draw(st.sampled_from(sorted(CALLS)))
    first = draw(st.lists(st.sampled_from([1, 2, 3, 5, 6]), min_size=1, max_size=4))
    second = draw(
        st.one_of(
            st.permutations(first),
            st.just([*first, 1]),
            st.just([1, *first]),
            st.just(first[1:] or [1]),
            st.just([*first[:-1], first[-1] + 1]),
        )
    )
    size = draw(st.sampled_from(first))
    text = call.format(dim=draw(st.integers(0, 2)), size=size, first=draw(st.booleans()))
    made = [f"torch.rand({tuple(each)})" for each in (first, second)]
    lines = ("import torch", "from torch import nn", f"a = {made[0]}", f"b = {made[1]}")
    return call, "\n".join([*lines, f"y = {text}", ""]).encode()


def given_to_calls(text, owner, name):
    """The numbered tensors that arrive at the calls of a program."""
    arrived = []

    def called(*arguments, **options):
        found = [*arguments, *options.values()]
        parts = [part for each in found for part in (each if isinstance(each, list) else [each])]
        arrived.append([each for each in parts if isinstance(each, torch.Tensor)])
        return torch.zeros(())

    with mock.patch.object(owner, name, called), quiet():
        exec(compile(_MADE.sub(r"numbered(\1)", text), "train.py", "exec"), {
            "__name__": "__main__", "numbered": numbered,
        })  # fmt: skip
    return arrived


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(calls())
def test_a_safe_repair_of_any_call_loses_nothing(drawn):
    call, data = drawn
    with stored(data) as file:
        error = raised_by(data, file)
        found = explain_exception(error) if error else None
        offered = [each for one in found.diagnoses for each in one.offered] if found else []
        for proposal in [each for each in offered if each.repair.level == "safe"]:
            source = read_source(str(file)).text
            edited = edited_sources(proposal.repair.edits, {str(file): source})[str(file)]
            (before,), (after,) = (given_to_calls(each, *CALLS[call]) for each in (source, edited))
            assert len(before) == len(after), edited
            for old, new in zip(before, after, strict=True):
                assert sorted(old.flatten().tolist()) == sorted(new.flatten().tolist()), edited
                assert proposal.repair.alone, edited
