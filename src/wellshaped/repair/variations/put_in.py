"""Dimensions of size 1 put in or taken out where a function hands a tensor over.

One edit where a tensor is returned, or given to a call, serves all that is made of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from wellshaped.records.observation import Observation
from wellshaped.repair.backward_slice import Site, last_name
from wellshaped.repair.edits import with_change
from wellshaped.repair.variations.conflict import Conflict
from wellshaped.repair.variations.record import SmallChange

# Calls that give no tensor.
_NUMBERS = frozenset(
    ("item", "tolist", "len", "float", "int", "tuple", "list", "dict", "randrange")
)
_TENSORS = (ast.Name, ast.Call, ast.Attribute, ast.Subscript)


def handed_over(
    site: Site, observation: Observation, conflict: Conflict, tensors: frozenset[str]
) -> Iterator[SmallChange]:
    """What a statement returns, or gives to a call that failed inside, with another rank.

    `tensors` are the names that are known to be tensors where the statement stands.
    """
    if isinstance(site.node, ast.Return) and conflict.ranks:
        value = site.node.value
        for part in value.elts if isinstance(value, ast.Tuple) else [value]:
            if isinstance(part, _TENSORS) and not _is_number(part):
                yield from _changed(part, _of_ranks(observation))
    elif observation.kind == "module" and not isinstance(site.node, ast.Return):
        # Without its batch dimension, sizes too may be those of another dimension.
        steps = (".unsqueeze(0)", ".flatten(1)")[: 1 if conflict.pairs else 2]
        for expression in site.expressions:
            for call in ast.walk(expression):
                if isinstance(call, ast.Call):
                    for part in call.args:
                        if isinstance(part, ast.Name) and part.id in tensors:
                            yield from _changed(part, steps)


def _is_number(node: ast.expr) -> bool:
    """Whether an expression leaves torch: `loss.item()`."""
    return isinstance(node, ast.Call) and last_name(node.func) in _NUMBERS


def _of_ranks(observation: Observation) -> tuple[str, ...]:
    shapes = [each.shape for each in observation.operands if each.fact is not None]
    if any(len(shape) > 3 and shape[-2:] == (1, 1) for shape in shapes):
        return (".flatten(1)",)
    ones = any(1 in shape[1:] for shape in shapes)
    return (".squeeze(-1)", ".unsqueeze(1)") if ones else (".unsqueeze(1)",)


def _changed(node: ast.expr, steps: tuple[str, ...]) -> Iterator[SmallChange]:
    for step in steps:
        yield SmallChange(node, with_change(ast.unparse(node), step), "put_in")
