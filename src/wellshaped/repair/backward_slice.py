"""The statements that a line of a program depends on, found in the text alone.

Names lead to what was assigned to them, parameters to the calls that give them, calls to what the
function returns, attributes to where they are set, loaders to the samples of their data set. Where
a name could mean several things all of them are followed: what is not meant is tried in vain.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from wellshaped.notebook import python_of
from wellshaped.records.repair import Edit

_DEEPEST = 9
_MOST_SITES = 160
_SETS_ATTRIBUTE = frozenset(("add_argument", "option", "register_buffer", "register_parameter"))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_FILLING = ("append", "extend", "insert", "add", "update", "add_module", "setdefault")
# What an object gives when it is called, indexed or iterated over.
_ANSWERS = ("forward", "__call__", "__getitem__", "__iter__", "training_step", "__init__")


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A statement, or the default of a parameter, and its distance from where the slice began.

    `function` is the name of the function it stands in, empty at the top of a module. `path` are
    the lines that lead from the site to where the slice began, without either.
    """

    file: str
    node: ast.stmt | ast.expr
    depth: int
    function: str
    path: tuple[tuple[str, int], ...] = ()

    @property
    def expressions(self) -> Iterator[ast.expr]:
        """The expressions of the statement itself, without those of statements inside it."""
        yield from _own_expressions(self.node)


@dataclass
class _Index:
    """Where the names of a program are defined and used."""

    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    files: dict[ast.AST, str] = field(default_factory=dict)
    functions: dict[str, list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    classes: dict[str, list[ast.ClassDef]] = field(default_factory=lambda: defaultdict(list))
    calls: dict[str, list[ast.Call]] = field(default_factory=lambda: defaultdict(list))
    stored: dict[tuple[ast.AST, str], list[ast.stmt]] = field(
        default_factory=lambda: defaultdict(list)
    )
    attributes: dict[str, list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    keys: dict[str, list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    handed: dict[str, list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    imported: dict[tuple[str, str], str] = field(default_factory=dict)


def sliced(starts: Iterable[tuple[str, int]], texts: Mapping[str, str]) -> list[Site]:
    """The sites that lines of files depend on, the nearest first."""
    index, trees = _Index(), {}
    for file, text in texts.items():
        tree = parsed(file, text)
        if tree is not None:
            trees[file] = tree
            _indexed(index, file, tree)
    level = [node for file, line in starts if file in trees for node in _at(trees[file], line)]
    seen: dict[ast.AST, ast.AST | None] = dict.fromkeys(level)
    for _ in range(1, _DEEPEST):
        found: dict[ast.AST, ast.AST] = {}
        for node in level:
            for each in _behind(node, index):
                found.setdefault(each, node)
        level = [each for each in found if each not in seen]
        seen |= {each: found[each] for each in level}
        if len(seen) >= _MOST_SITES or not level:
            break
    return [_site(node, seen, index) for node in list(seen)[:_MOST_SITES]]


def _site(node: ast.AST, seen: Mapping[ast.AST, ast.AST | None], index: _Index) -> Site:
    assert isinstance(node, ast.stmt | ast.expr)
    scope = _scope(index, node)
    function = scope.name if isinstance(scope, _FUNCTIONS) else ""
    way: list[ast.AST] = []
    after = seen[node]
    while after is not None:
        way.append(after)
        after = seen[after]
    path = tuple((index.files[each], each.lineno) for each in way[:-1])  # type: ignore[attr-defined]
    return Site(index.files[node], node, len(way), function, path)


def parsed(file: str, text: str) -> ast.Module | None:
    """The syntax tree of a file; None where it has none."""
    try:
        return ast.parse(python_of(file, text))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _indexed(index: _Index, file: str, tree: ast.Module) -> None:
    for node in ast.walk(tree):
        index.files[node] = file
        for child in ast.iter_child_nodes(node):
            index.parents[child] = node
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                index.functions[name].append(node)
            case ast.ClassDef(name=name):
                index.classes[name].append(node)
            case ast.Call(func=func):
                index.calls[last_name(func)].append(node)
                _option(index, node)
                _filled(index, node)
            case ast.Name(id=name, ctx=ast.Store()):
                _store(index, node, name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                index.imported |= {(file, each.asname or each.name): each.name for each in names}
            case ast.Subscript(slice=ast.Constant(value=str(name)), ctx=ast.Store()):
                index.keys[name].append(_statement(index, node))
            case ast.Attribute(attr=name, ctx=ast.Store()):
                index.attributes[name].append(_statement(index, node))
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        index.keys[key.value].append(value)


def _store(index: _Index, node: ast.Name, name: str) -> None:
    scope = _scope(index, node)
    statement = _statement(index, node)
    index.stored[scope, name].append(statement)  # type: ignore[arg-type]
    if isinstance(scope, ast.ClassDef):
        index.attributes[name].append(statement)


def _filled(index: _Index, call: ast.Call) -> None:
    """`parts.append(layer)` sets `parts` too; `partial(block, 8)` hands `block` over."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name), attr=verb) if verb in _FILLING:
            index.stored[_scope(index, call), name].append(_statement(index, call))  # type: ignore[arg-type]
    for part in call.args:
        if isinstance(part, ast.Name):
            index.handed[part.id].append(_statement(index, call))


def _option(index: _Index, call: ast.Call) -> None:
    """`add_argument("--width", default=8)` sets `width`, `register_buffer("table", t)` `table`."""
    for name in call.args if last_name(call.func) in _SETS_ATTRIBUTE else ():
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            index.attributes[name.value.lstrip("-").replace("-", "_")].append(
                _statement(index, call)
            )


def _statement(index: _Index, node: ast.AST) -> ast.AST:
    while not isinstance(node, ast.stmt) and node in index.parents:
        node = index.parents[node]
    return node


def _scope(index: _Index, node: ast.AST) -> ast.AST:
    """The function, class or module that a name belongs to."""
    above = index.parents.get(node, node)
    while above in index.parents and not isinstance(above, (*_FUNCTIONS, ast.ClassDef)):
        above = index.parents[above]
    return above


def _at(tree: ast.Module, line: int) -> list[ast.AST]:
    """The innermost statement on a line."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return [max(around, key=lambda node: node.lineno)] if around else []


def _behind(node: ast.AST, index: _Index) -> Iterator[ast.AST]:
    """What the expressions of a statement get their values from, and what it depends on."""
    scope = _scope(index, node)
    above = index.parents.get(node)
    if isinstance(above, ast.If) and scope is not _scope(index, scope):
        yield above
    for expression in _own_expressions(node):
        for part in ast.walk(expression):
            match part:
                case ast.Name(id=name, ctx=ast.Load()):
                    yield from _of_name(name, scope, index)
                case ast.Attribute(attr=name, ctx=ast.Load()):
                    yield from _of_attribute(part, name, index)
                case ast.Subscript(slice=ast.Constant(value=str(key))):
                    yield from (*index.keys.get(key, ()), *index.attributes.get(key, ()))
                case ast.Call(
                    func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(key)), *_]
                ):
                    yield from index.attributes.get(key, ())
                case ast.Call(func=func):
                    yield from _answers(last_name(func), index)


def _of_attribute(node: ast.Attribute, name: str, index: _Index) -> Iterator[ast.AST]:
    """Where an attribute is set: of an object, by a property, or in a module of the program."""
    yield from index.attributes.get(name, ())
    for function in index.functions.get(name, ()):
        if any("property" in last_name(each) for each in function.decorator_list):  # type: ignore[attr-defined]
            yield from _returns(function)
    if isinstance(node.value, ast.Name) and (index.files[node], node.value.id) in index.imported:
        yield from _of_modules(name, index)


def _of_modules(name: str, index: _Index) -> Iterator[ast.AST]:
    for module in {each for each, known in index.stored if known == name}:
        if isinstance(module, ast.Module):
            yield from index.stored[module, name]


def _of_name(name: str, scope: ast.AST, index: _Index) -> Iterator[ast.AST]:
    inside: ast.AST | None = scope
    while inside is not None:
        stored = index.stored.get((inside, name), ())
        yield from stored
        if isinstance(inside, _FUNCTIONS) and name in declared_parameters(inside):
            yield from _given(name, inside, index)
            return
        if stored and not isinstance(inside, ast.Module):
            return
        inside = _scope(index, inside) if inside in index.parents else None
    name = index.imported.get((index.files[scope], name), name)
    yield from _of_modules(name, index)  # imported from another file of the program
    for function in index.functions.get(name, ()):  # handed over, as `collate_fn=pad`
        yield from _returns(function)


def _given(name: str, function: ast.AST, index: _Index) -> Iterator[ast.AST]:
    """The calls of a function, and the default of its parameter."""
    assert isinstance(function, _FUNCTIONS)
    owner = index.parents.get(function)
    for call in _calls_of(function, owner, index):
        yield _statement(index, call)
        if any(each.arg is None for each in call.keywords):  # `**settings`
            yield from index.keys.get(name, ())
    if not isinstance(owner, ast.ClassDef) or function.name != "__init__":
        yield from index.handed.get(function.name, ())
    default = default_of(function, name)
    if default is not None:
        yield default


def _calls_of(
    function: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.AST | None, index: _Index
) -> Iterator[ast.Call]:
    """The calls of a function; of a method that answers for its object, those of the object."""
    if isinstance(owner, ast.ClassDef) and function.name == "__init__":
        yield from _built(owner, index)
        return
    names = {function.name}
    if isinstance(owner, ast.ClassDef) and function.name in _ANSWERS:
        names = _instances(owner, index)
    for called in names:
        yield from index.calls.get(called, ())


def _built(owner: ast.ClassDef, index: _Index) -> Iterator[ast.Call]:
    """The calls that make objects of a class: by its name, by `cls`, by a class made from it."""
    heirs = [
        each
        for known in index.classes.values()
        for each in known
        if owner.name in map(last_name, each.bases)
    ]
    for name in (owner.name, *(each.name for each in heirs)):
        yield from index.calls.get(name, ())
    for name, around in (("cls", [owner]), ("__init__", heirs)):
        for call in index.calls.get(name, ()):
            if _class_of(call, index) in around:
                yield call


def _class_of(node: ast.AST, index: _Index) -> ast.AST | None:
    above: ast.AST | None = node
    while above is not None and not isinstance(above, ast.ClassDef):
        above = index.parents.get(above)
    return above


def _instances(owner: ast.ClassDef, index: _Index) -> set[str]:
    """The names that objects of a class are stored under."""
    found = {"forward"}
    for call in index.calls.get(owner.name, ()):
        match _statement(index, call):
            case ast.Assign(targets=targets):
                found |= {last_name(each) for each in targets}
    return found


def _answers(name: str, index: _Index) -> Iterator[ast.AST]:
    """What a call returns; of a class, what its objects give when they are used."""
    for function in index.functions.get(name, ()):
        yield from _returns(function)
    for owner in index.classes.get(name, ()):
        for each in owner.body:
            if isinstance(each, _FUNCTIONS) and each.name in _ANSWERS:
                yield from _returns(each)


def _returns(function: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return) or (
            isinstance(node, ast.Expr) and isinstance(node.value, (ast.Yield, ast.YieldFrom))
        ):
            yield node


def _own_expressions(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.expr):
        yield node
        return
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr


def last_name(node: ast.AST) -> str:
    """The name that an expression ends with: `Linear` of `torch.nn.Linear`."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def declared_parameters(function: ast.AST) -> list[str]:
    """The names of the parameters of a function."""
    every: ast.arguments = function.args  # type: ignore[attr-defined]
    return [each.arg for each in (*every.posonlyargs, *every.args, *every.kwonlyargs)]


def default_of(function: ast.AST, name: str) -> ast.expr | None:
    """The default of a parameter, where it has one."""
    every: ast.arguments = function.args  # type: ignore[attr-defined]
    plain = [*every.posonlyargs, *every.args]
    found = dict(zip([each.arg for each in plain[::-1]], every.defaults[::-1], strict=False))
    named = zip(every.kwonlyargs, every.kw_defaults, strict=True)
    return (found | {each.arg: value for each, value in named if value is not None}).get(name)


def is_default(edit: Edit, text: str) -> bool:
    """Whether an edit changes the default of a parameter."""
    tree = parsed(edit.file, text)
    functions = [each for each in ast.walk(tree) if isinstance(each, _FUNCTIONS)] if tree else []
    defaults = [
        each
        for function in functions
        for each in (*function.args.defaults, *function.args.kw_defaults)
        if each is not None
    ]
    line = edit.span.line
    return any(
        each.lineno == line and each.col_offset <= edit.span.column < (each.end_col_offset or 0)
        for each in defaults
    )
