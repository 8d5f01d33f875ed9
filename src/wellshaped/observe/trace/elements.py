"""Follows the elements of a table back through operations that keep each in its own place."""

from __future__ import annotations

from collections.abc import Iterator

from wellshaped.observe.trace.axes import ELEMENT_WISE
from wellshaped.observe.trace.masks import VIEWS
from wellshaped.observe.trace.node import Node

# Operations of one tensor that leave every element in its place.
ONE_BY_ONE = frozenset(
    "exp log neg abs sqrt rsqrt square reciprocal sign relu sigmoid tanh clamp clamp_min "  # noqa: SIM905 - a table
    "clamp_max clip detach data clone contiguous float double half bfloat16 to type "
    "requires_grad_ nan_to_num min max in_place unsqueeze squeeze".split()
)
# Operations that hand on some of the rows, whole.
_ROWS = ("__getitem__", "index_select")


def elements(node: Node) -> Iterator[Node]:
    """All that gave the elements of a table, each in its own place."""
    level, seen = [node], {node}
    while level:
        each = level.pop(0)
        yield each
        if each.name in ELEMENT_WISE or each.name in ONE_BY_ONE:
            beyond = [one for one in each.parents if one.shape == each.shape]
            if each.name == "in_place":  # rows may have been put into it
                beyond += [one for one in each.parents if one.shape == each.shape[1:]]
        elif each.name in (*VIEWS, *_ROWS):
            first = each.parents[:1]
            same = each.name in VIEWS or any(one.shape[1:] == each.shape[1:] for one in first)
            beyond = list(first) if same or row_of(each) is not None else []
        else:
            beyond = []
        level += [one for one in beyond if one not in seen]
        seen.update(beyond)


def row_of(node: Node) -> int | None:
    """The number of the row of a table that this is, whole."""
    given = node.options.get("given", ())
    if node.name != "__getitem__" or len(given) != 1 or len(node.shape) != 1:
        return None
    if node.parents[0].shape[1:] != node.shape:
        return None
    first = given[0][0] if type(given[0]) is tuple and given[0] else given[0]
    return first if type(first) is int else None
