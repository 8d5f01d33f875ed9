"""Finds the numbers in a program's source that set its batch size, where no loader does.

Two signs: a name that says so (`batch_size = 32`, an `argparse` default, a keyword, a key), and the
first size of tensors built in the script. Only numbers that were met as the first size of a
model's or loss's input count; whether turning them works, a run has to show.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wellshaped.notebook import python_of
from wellshaped.records.source import Span

# First sizes stand first, alone or in a tuple; `randint` and `full` have theirs further on.
_FACTORIES = frozenset({
    "randn", "rand", "zeros", "ones", "empty", "full", "randint",
    "normal", "arange", "randperm", "random", "standard_normal", "uniform", "integers",
    "new_zeros", "new_ones", "new_full", "new_empty",
})  # fmt: skip
_SIZE_LAST = frozenset({"randint", "normal", "uniform", "integers"})
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SAYS_BATCH = frozenset({"batch", "minibatch", "batchsize", "bs", "bsz"})
_SAYS_OTHER = frozenset(
    {"num", "n", "no", "count", "idx", "index", "norm", "iter", "iters", "step", "steps", "first"}
)


@dataclass(frozen=True, slots=True)
class Spot:
    """A number in a file."""

    file: str
    span: Span


@dataclass(frozen=True, slots=True)
class BatchSizeLiteral:
    """Numbers of one value that set the batch size together; `name` is what they are called."""

    value: int
    spots: tuple[Spot, ...]
    name: str = ""
    argument: int | None = None  # its place on the command line


def knobs(
    sources: Mapping[str, str],
    leading: Iterable[int],
    arguments: Sequence[str] = (),
    *,
    axes: Iterable[int] = (),
) -> list[BatchSizeLiteral]:
    """What may set the batch size, the likeliest first: an argument, a name, sizes of data.

    Where the rows are not the first dimension of a model's input but another one of its `axes`, a
    number that is called the batch size sets it, and the first sizes are something else.
    """
    asked = list(_asked(arguments))
    if asked:
        return asked
    named: dict[int, list[tuple[str, Spot]]] = {}
    built: dict[int, list[tuple[str, Spot]]] = {}
    for file, text in sources.items():
        try:
            tree = ast.parse(python_of(file, text))
        except (SyntaxError, ValueError, RecursionError):
            continue
        lines = text.splitlines()
        for name, number in _named(tree):
            named.setdefault(number.value, []).append((name, _spot(file, number, lines)))  # type: ignore[arg-type]
        for name, number in _built(tree):
            built.setdefault(number.value, []).append((name, _spot(file, number, lines)))  # type: ignore[arg-type]
    leading, found = set(leading), []
    aside = [value for value in sorted(set(axes) - leading) if value in named]
    if aside and not leading.intersection(named):
        return [_knob(value, named[value]) for value in aside]
    for value in sorted(leading):
        here, there = named.get(value, []), built.get(value, [])
        found += [_knob(value, each) for each in (here, there, [*here, *there]) if each]
    unique = {frozenset(each.spots): each for each in reversed(found)}
    return sorted(unique.values(), key=lambda each: (not each.name, len(each.spots)))


def with_value(knob: BatchSizeLiteral, size: int, sources: Mapping[str, str]) -> dict[str, str]:
    """The files of the knob with another number there; columns stay where that is possible."""
    texts = {}
    for file in {spot.file for spot in knob.spots}:
        lines = sources[file].splitlines(keepends=True)
        spots = [spot.span for spot in knob.spots if spot.file == file]
        for span in sorted(spots, key=lambda each: (each.line, each.column), reverse=True):
            line = lines[span.line - 1]
            number = str(size).rjust(span.end_column - span.column)
            lines[span.line - 1] = line[: span.column] + number + line[span.end_column :]
        texts[file] = "".join(lines)
    return texts


def turned_arguments(
    knob: BatchSizeLiteral, size: int, arguments: tuple[str, ...]
) -> tuple[str, ...]:
    """The command line with another number at the knob's place."""
    if knob.argument is None:
        return arguments
    option, equals, _ = arguments[knob.argument].rpartition("=")
    return tuple(
        f"{option}{equals}{size}" if place == knob.argument else each
        for place, each in enumerate(arguments)
    )


def _asked(arguments: Sequence[str]) -> Iterator[BatchSizeLiteral]:
    """`--batch-size 32` and `--batch-size=32`, also without dashes."""
    for place, argument in enumerate(arguments):
        name, equals, value = argument.rpartition("=")
        if not equals and place:
            name, value = arguments[place - 1], argument
        if names_batch_size(name) and value.isdigit() and int(value) > 0:
            yield BatchSizeLiteral(int(value), (), name.lstrip("-"), place)


def names_batch_size(name: str) -> bool:
    """Whether a name is one that people give to a batch size."""
    if name.strip("-") in ("B", "b"):
        return True
    words = {word.lower() for word in _WORD.findall(name)}
    return bool(words & _SAYS_BATCH) and not words & _SAYS_OTHER


def _knob(value: int, found: list[tuple[str, Spot]]) -> BatchSizeLiteral:
    spots = tuple(dict.fromkeys(spot for _, spot in found))
    return BatchSizeLiteral(
        value, spots, next((name for name, _ in found if names_batch_size(name)), "")
    )


def _spot(file: str, number: ast.Constant, lines: list[str]) -> Spot:
    """Where a number stands, its columns counted in characters."""
    line = lines[number.lineno - 1]
    start, end = (
        len(line.encode()[:offset].decode(errors="replace"))
        for offset in (number.col_offset, number.end_col_offset or 0)
    )
    return Spot(file, Span(number.lineno, start, number.lineno, end))


def _is_number(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0


def _named(tree: ast.AST) -> Iterator[tuple[str, ast.Constant]]:
    for name, value in _bindings(tree):
        if isinstance(value, ast.Constant) and _is_number(value) and names_batch_size(name):
            yield name, value


def _bindings(tree: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    """Every name that is given a value somewhere, with it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _assigned(target, node.value)
        elif isinstance(node, ast.AnnAssign):
            yield _name(node.target), node.value
        elif isinstance(node, ast.Dict):
            yield from (
                (str(key.value), value)
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant)
            )
        elif isinstance(node, ast.arguments):
            yield from _defaults(node)
        elif isinstance(node, ast.Call):
            yield from _given(node)


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.AST | None]]:
    pair = (target, value)
    if all(isinstance(each, ast.Tuple | ast.List) for each in pair):
        names, values = target.elts, value.elts  # type: ignore[attr-defined]
        for each, part in zip(names, values, strict=False):
            yield _name(each), part
    else:
        yield _name(target), value


def _name(target: ast.AST) -> str:
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Attribute):
        return target.attr
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        return str(target.slice.value)
    return ""


def _defaults(node: ast.arguments) -> Iterator[tuple[str, ast.AST | None]]:
    plain = [*node.posonlyargs, *node.args]
    for argument, value in zip(reversed(plain), reversed(node.defaults), strict=False):
        yield argument.arg, value
    for argument, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        yield argument.arg, default


def _given(node: ast.Call) -> Iterator[tuple[str, ast.AST | None]]:
    options = [each.value for each in node.args if isinstance(each, ast.Constant)]
    is_option = _name(node.func) in ("add_argument", "option", "Option")
    named = next((str(each) for each in options if names_batch_size(str(each))), "")
    for keyword in node.keywords:
        if is_option and keyword.arg == "default":
            yield named, keyword.value
        else:
            yield keyword.arg or "", keyword.value


def _built(tree: ast.AST) -> Iterator[tuple[str, ast.Constant]]:
    """The numbers that are the first size of tensors built as data."""
    bound: dict[str, list[ast.AST | None]] = {}
    for name, value in _bindings(tree):
        bound.setdefault(name, []).append(value)
    for call in _data_calls(tree):
        first = _first_size(call)
        if isinstance(first, ast.Name):
            values = bound.get(first.id, [])
            if len(values) == 1 and isinstance(values[0], ast.Constant) and _is_number(values[0]):
                yield first.id, values[0]
        elif isinstance(first, ast.Constant) and _is_number(first):
            yield "", first


def _data_calls(node: ast.AST, inside: bool = False) -> Iterator[ast.Call]:
    """Calls that make tensors, but for those that make parameters."""
    for child in ast.iter_child_nodes(node):
        making = inside or (
            isinstance(child, ast.Call) and _name(child.func) in ("Parameter", "register_buffer")
        )
        making = making or (isinstance(child, ast.FunctionDef) and child.name == "__init__")
        if isinstance(child, ast.Call) and _name(child.func) in _FACTORIES and not making:
            trains = any(each.arg == "requires_grad" for each in child.keywords)
            if not trains:
                yield child
        yield from _data_calls(child, making)


def _first_size(call: ast.Call) -> ast.AST | None:
    sizes: ast.AST | None = next((k.value for k in call.keywords if k.arg == "size"), None)
    if sizes is None and _name(call.func) in _SIZE_LAST:
        sizes = next((each for each in call.args if isinstance(each, ast.Tuple | ast.List)), None)
    elif sizes is None:
        sizes = call.args[0] if call.args else None
    if isinstance(sizes, ast.Tuple | ast.List):
        return sizes.elts[0] if sizes.elts else None
    return sizes
