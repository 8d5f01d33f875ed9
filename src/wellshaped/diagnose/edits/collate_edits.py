"""Writes a collate function that pads ragged samples, and gives it to the loader."""

from __future__ import annotations

import ast
from keyword import iskeyword
from typing import Any

from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit
from wellshaped.records.source import Passage, Span

_PAD = "torch.nn.utils.rnn.pad_sequence"
_STACK = "torch.utils.data.default_collate"
# What the losses for classes pass over unless they are told otherwise.
_IGNORED = "-100"


def collate_edits(observation: Observation) -> tuple[Edit, ...]:
    """The edits that pad in a collate function: labels with what the loss ignores, else zeros."""
    loader = observation.operand("loader")
    parts, above = observation.options.get("parts"), observation.options.get("above")
    if loader is None or loader.passage is None or not parts or type(above) is not int:
        return ()
    name = _free_name("pad_samples", observation.options.get("taken", ()))
    handed = _handed(loader.passage, name)
    if handed is None:
        return ()
    label = observation.options.get("ignored") or _IGNORED
    text = _function(name, parts, label, observation.options)
    return (Edit(loader.passage.place.file, Span(above, 0, above, 0), text), handed)


def _free_name(name: str, taken: Any) -> str:
    while name in taken:
        name += "_"
    return name


def _handed(passage: Passage, name: str) -> Edit | None:
    """The edit that gives the function to the loader; None where one is given already."""
    node = _call(passage)
    if passage.span is None or node is None or not passage.text.endswith(")"):
        return None
    if any(each.arg in ("collate_fn", None) for each in node.keywords) or len(node.args) > 6:
        return None
    line, end = passage.span.end_line, passage.span.end_column - 1
    comma = "" if passage.text[:-1].rstrip().endswith(("(", ",")) else ", "
    return Edit(passage.place.file, Span(line, end, line, end), f"{comma}collate_fn={name}")


def _call(passage: Passage) -> ast.Call | None:
    try:
        node = ast.parse(passage.text, mode="eval").body
    except SyntaxError:
        return None
    return node if isinstance(node, ast.Call) else None


def _function(name: str, parts: Any, label: str, options: Any) -> str:
    keys = [key for key, _ in parts]
    body = [] if options.get("imports_torch") else ["    import torch", ""]
    if keys == [None]:
        body.append(f"    return {_joined('samples', parts[0][1], label)}")
    elif all(type(key) is int for key in keys):
        names = _names(options.get("named", ()), len(keys))
        listed = names[0] + "," if len(names) == 1 else ", ".join(names)
        body.append(f"    {listed} = zip(*samples)")
        for each, (_, how) in zip(names, parts, strict=True):
            body.append(f"    {each} = {_joined(each, how, label)}")
        body.append(f"    return {listed}")
    else:
        body.append("    return {")
        for key, how in parts:
            rows = f"[sample[{key!r}] for sample in samples]".replace("'", '"')
            body.append(f'        "{key}": {_joined(rows, how, label)},')
        body.append("    }")
    return "\n".join([f"def {name}(samples):", *body, "", "", ""])


def _joined(rows: str, how: str, label: str) -> str:
    if how == "stack":
        return f"{_STACK}({rows})"
    if how == "convert":
        rows = f"[torch.as_tensor(row) for row in {rows}]"
    value = f", padding_value={label}" if how == "label" else ""
    return f"{_PAD}({rows}, batch_first=True{value})"


def _names(returned: Any, count: int) -> list[str]:
    """The names the data set itself gives to the parts, where it returns them by name."""
    for text in returned:
        found = _elements(text)
        plain = all(each.isidentifier() and not iskeyword(each) for each in found)
        if plain and len(set(found)) == count:
            return found
    return [f"part_{place}" for place in range(count)]


def _elements(text: str) -> list[str]:
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return []
    return [ast.unparse(each) for each in node.elts] if isinstance(node, ast.Tuple) else []
