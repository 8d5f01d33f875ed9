"""Makes the nodes of the record: of data, of parameters, of batches, of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch

from wellshaped.execute.loaders import batch_rows
from wellshaped.observe.trace.axes import axes_after
from wellshaped.observe.trace.node import Atom, Axis, Node, fresh_axes

_PLAIN = (int, float, str, bool, slice, type(None), type(Ellipsis))
_SAMPLING = frozenset(("multinomial", "bernoulli", "poisson", "normal"))


def rows_given(batch: Any, size: int | None) -> int | None:
    """The number of rows: the size asked for, if a field has it, else that of a vector."""
    shapes = [tuple(tensor.shape) for tensor in tensors_in(batch)]
    if any(size in shape for shape in shapes):
        return size
    vectors = [shape[0] for shape in shapes if len(shape) == 1]
    return vectors[0] if vectors else batch_rows(batch)


def field_node(tensor: torch.Tensor, rows: Atom, place: int, entry: Any) -> Node:
    shape = tuple(tensor.shape)
    old = entry[1] if entry is not None and entry[0]() is tensor else None
    axes = list(old.axes if old is not None else fresh_axes(shape, "rows"))
    there = [k for k, size in enumerate(shape) if size == rows.size]
    if there:
        axes[there[0]] = (rows,)
    return Node("batch", shape, tuple(axes), is_data=True, options={"field": place})


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """The tensors of a batch, however it is nested."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from tensors_in(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors_in(each)


def root_node(tensor: torch.Tensor) -> Node:
    shape = tuple(tensor.shape)
    learned = isinstance(tensor, torch.nn.Parameter) or tensor.requires_grad
    origin: Any = "fixed" if learned else "rows"
    return Node(
        "parameter" if learned else "data",
        shape,
        fresh_axes(shape, origin),
        learned=learned,
        is_data=not learned,
        grad=tensor.requires_grad,
        options={"tensor": id(tensor)},
    )


def made_node(
    name: str,
    output: torch.Tensor,
    parents: list[Node],
    given: tuple[Any, ...],
    options: Mapping[str, Any],
    tensors: list[torch.Tensor],
) -> Node:
    shape = tuple(output.shape)
    grad = output.requires_grad
    kept = {key: value for key, value in options.items() if _is_plain(value)}
    kept["given"] = tuple(each if _is_plain(each) else None for each in given)
    if not parents:
        axes = fresh_axes(shape, "rows")
        return Node(name, shape, axes, is_data=True, grad=grad, options=kept)
    if name == "pad_sequence":
        axes = _padded(tensors, given, options, shape)
    else:
        axes = axes_after(name, parents, given, options, shape)
    if name in _SAMPLING:  # what was drawn is data of its own, whatever it was drawn from
        return Node(name, shape, axes, tuple(parents), learned=False, is_data=True, options=kept)
    return Node(name, shape, axes, tuple(parents), grad=grad, options=kept)


def _is_plain(value: Any) -> bool:
    """Whether it holds no tensor, which a node must not keep alive."""
    if type(value) in (tuple, list):
        return all(isinstance(each, _PLAIN) for each in value)
    return isinstance(value, _PLAIN)


def _padded(
    tensors: list[torch.Tensor], given: Any, options: Mapping[str, Any], shape: tuple[int, ...]
) -> tuple[Axis, ...]:
    """The axes of padded sequences: rows, and a time axis that knows the real lengths."""
    first = options.get("batch_first", given[0] if given else False)
    side = options.get("padding_side", given[2] if len(given) > 2 else "right")
    lengths = tuple(len(each) for each in tensors) if side == "right" else ()
    rows, places = Atom(len(tensors), "rows"), Atom(max(lengths or (0,)), "data", lengths=lengths)
    if not lengths:
        places = Atom(shape[1 if first else 0], "data")
    front = ((rows,), (places,)) if first else ((places,), (rows,))
    return (*front, *fresh_axes(shape[2:], "data"))
