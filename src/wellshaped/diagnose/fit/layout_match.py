"""What brings two tensors that are combined to one form: flattened, cut or added up alike."""

from __future__ import annotations

import ast
import re
from math import prod
from typing import Any

from wellshaped.diagnose.edits.call_edits import replaced, suffixed
from wellshaped.diagnose.fit.sequences import other_end
from wellshaped.diagnose.fit.shapes import conflicts
from wellshaped.records.observation import Operand, Origin
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Span

_FLATTENING = ("view", "reshape", "flatten", "Flatten")
_NAME = re.compile(r"[A-Za-z_]\w*")


def layout_difference(short: Operand, wide: Operand) -> tuple[str, dict[str, Any]]:
    """In which form two operands differ, where that is certain: `joint`, `flat`, `table`."""
    if _parts(short, wide):
        return "joint", {"rows": wide.shape[0], "parts": wide.shape[1]}
    if _is_flat(short, wide):
        return "flat", {"have": short.shape[-1]}
    table = _is_table(short, wide) or _is_table(wide, short)
    return ("table" if table else ""), {}


def _is_table(table: Operand, other: Operand) -> bool:
    """Whether it is a table of the model's own, larger than what it is laid on."""
    ahead = len(other.shape) - len(table.shape)
    if "held" not in table.traits or ahead < 0:
        return False
    apart = conflicts(table.shape, other.shape)
    return all(axis > 0 and table.shape[axis - ahead] > other.shape[axis] for axis in apart)


def matched_layouts(variant: str, short: Operand, wide: Operand) -> tuple[Repair, ...]:
    """The repairs that give both the same form."""
    if variant == "joint" and (birth := wide.origin_by("log_prob")):
        return (Repair("joint", edits=suffixed(birth.passage, ".sum(-1)")),)
    if variant == "flat":
        return _flattened(short, wide)
    if variant == "table":
        table, other = (short, wide) if _is_table(short, wide) else (wide, short)
        return _cut_table(table, other)
    return _cut_step(short, wide) if variant in ("off_by_one", "slice") else ()


def _parts(short: Operand, wide: Operand) -> bool:
    """Whether one number for each row meets the logarithms for the parts of its action."""
    rows = len(short.shape) == 1 and len(wide.shape) == 2 and short.shape[0] == wide.shape[0]
    return rows and wide.origin_by("log_prob") is not None


def _is_flat(flat: Operand, other: Operand) -> bool:
    kept = len(flat.shape) - 1
    if kept not in (0, 1) or len(other.shape) <= len(flat.shape):
        return False
    same = flat.shape[:kept] == other.shape[:kept]
    return same and flat.shape[-1] == prod(other.shape[kept:]) and bool(_flattening(flat))


def _flattening(operand: Operand) -> Origin | None:
    return operand.origin_by(*_FLATTENING)


def _flattened(flat: Operand, other: Operand) -> tuple[Repair, ...]:
    """The other one flattened beside the first, for all that follows; or where they meet."""
    code = ".flatten(1)" if len(flat.shape) == 2 else ".flatten()"
    birth, facts = _flattening(flat), {"operand": other.text}
    found = []
    if birth is not None and _NAME.fullmatch(other.text):
        found.append(_line_after(birth, f"{other.text} = {other.text}{code}"))
    if other.passage is not None:
        found.append(suffixed(other.passage, code))
    return tuple(Repair("flat", facts, edits=each) for each in found if each)


def _line_after(birth: Origin, text: str) -> tuple[Edit, ...]:
    """A new line behind the assignment of a step, which stands on one line."""
    lines = birth.passage.lines
    found = re.fullmatch(r"(\s*)\w+ = .*\S", lines[0][1]) if len(lines) == 1 else None
    if found is None or not _is_whole(lines[0][1].strip()):
        return ()
    number, line = lines[0]
    return (
        Edit(
            birth.passage.place.file,
            Span(number, len(line), number, len(line)),
            f"\n{found[1]}{text}",
        ),
    )


def _is_whole(line: str) -> bool:
    try:
        ast.parse(line)
    except SyntaxError:
        return False
    return True


def _cut_table(table: Operand, other: Operand) -> tuple[Repair, ...]:
    """The places of the table that there are, counted by the tensor it is laid on."""
    node = _own_attribute(table)
    if node is None or table.passage is None or not _NAME.fullmatch(other.text):
        return ()
    apart = conflicts(table.shape, other.shape)
    first = len(other.shape) - len(table.shape)
    ends = (
        f":{other.text}.size({axis})" if axis in apart else ":"
        for axis in range(first, apart[-1] + 1)
    )
    text = f"{ast.unparse(node)}[{', '.join(ends)}]"
    facts = {"operand": ast.unparse(node), "other": other.text}
    return (Repair("table_cut", facts, edits=(replaced(table.passage, node, text),)),)


def _own_attribute(operand: Operand) -> ast.Attribute | None:
    """The one attribute of `self` in an expression on one line."""
    span = operand.passage.span if operand.passage else None
    if span is None or span.line != span.end_line:
        return None
    tree = ast.parse(operand.text, mode="eval")
    found = [
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
    ]
    return found[0] if len(found) == 1 else None


def _cut_step(short: Operand, wide: Operand) -> tuple[Repair, ...]:
    """The longer sequence without the step at the other end than the shorter one lost."""
    axis = conflicts(short.shape, wide.shape)[-1]
    few, many = sorted((short, wide), key=lambda each: each.shape[axis])
    cut = other_end(few, axis)
    if not cut or many.passage is None or many.shape[axis] - few.shape[axis] != 1:
        return ()
    return (Repair("steps", {"operand": many.text}, edits=suffixed(many.passage, cut)),)
