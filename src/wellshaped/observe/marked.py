"""Compiles a program's own files so that it tells which blocks ran and how its loops go.

Every block gets a store into a table as its first statement and every loop asks before it goes
on. Lines and columns stay those of the file, so frames and tracebacks read as ever.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from types import CodeType

# Names in `builtins` while a program is followed; no program has names of this kind.
TABLE = "__wellshaped_blocks_{}__"
LOOP = "__wellshaped_loop__"
AGAIN = "__wellshaped_again__"
_SILENT = (
    ast.Pass, ast.Raise, ast.Import, ast.ImportFrom, ast.Break, ast.Continue, ast.Global,
    ast.Nonlocal, ast.Assert, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Block:
    """A run of statements that are reached together: the body of a branch, loop or function.

    `tells` is whether it does anything that a check could be asked about: a block that only
    raises, passes or returns a constant does not.
    """

    line: int
    end_line: int
    function: str
    tells: bool


@dataclass(frozen=True, slots=True)
class Marked:
    """A compiled file and its blocks; block n sets entry n of the file's table."""

    code: CodeType
    blocks: tuple[Block, ...]


def marked(source: bytes | str, path: str, number: int, flags: int = 0) -> Marked:
    """Compile a file with marks; its table is the one of this number."""
    tree = ast.parse(source, path)
    marker = _Marker(number)
    marker.visit(tree)
    code = compile(tree, path, "exec", flags, dont_inherit=True)
    return Marked(code, tuple(marker.blocks))


class _Marker(ast.NodeTransformer):
    def __init__(self, number: int):
        self.table = TABLE.format(number)
        self.blocks: list[Block] = []
        self._functions: list[str] = []
        self._loops = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._functions.append(node.name)
        mark = self._mark(node.body)
        self.generic_visit(node)
        self._functions.pop()
        at = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body[at:at] = mark
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self._branches(node)
        node.iter = self._asked(LOOP, node.iter)
        return node

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        self._branches(node)
        node.test = asked = self._asked(AGAIN, node.test)
        # A loop may be left by `break`, `return` or an exception: each entry begins anew, as
        # after a test that failed.
        key = asked.args[0]
        call = ast.Call(ast.Name(AGAIN, ast.Load()), [key, ast.Constant(value=False)], [])
        begin = ast.Expr(call)
        _place(begin, key)
        return [begin, node]

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._branches(node)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        return self._branches(node, ("orelse",))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        return self._branches(node, ("body",))

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        return self._branches(node, ("body",))

    def _branches(self, node: ast.AST, names: Sequence[str] = ("body", "orelse")) -> ast.AST:
        marks = {}
        for name in names:
            body = getattr(node, name)
            is_elif = isinstance(node, ast.If) and name == "orelse" and _is_elif(node)
            marks[name] = [] if is_elif else self._mark(body)
        self.generic_visit(node)
        for name, mark in marks.items():
            getattr(node, name)[:0] = mark
        return node

    def _mark(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A statement that says the block was reached; nothing for an empty block."""
        if not body:
            return []
        first, last = body[0], body[-1]
        function = self._functions[-1] if self._functions else ""
        end = last.end_lineno or last.lineno
        self.blocks.append(Block(first.lineno, end, function, _tells(body)))
        target = ast.Subscript(
            ast.Name(self.table, ast.Load()), ast.Constant(len(self.blocks) - 1), ast.Store()
        )
        mark = ast.Assign([target], ast.Constant(1))
        _place(mark, first)
        return [mark]

    def _asked(self, question: str, subject: ast.expr) -> ast.Call:
        self._loops += 1
        key = ast.Constant(f"{self.table}{self._loops}")
        call = ast.Call(ast.Name(question, ast.Load()), [key, subject], [])
        for part in (call.func, key):
            _place(part, subject)
        return ast.copy_location(call, subject)


def _is_elif(node: ast.If) -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)


def _place(node: ast.AST, like: ast.AST) -> None:
    """Put the node with all its parts at the place of another."""
    for part in ast.walk(node):
        if "lineno" in part._attributes:
            ast.copy_location(part, like)


def _tells(body: list[ast.stmt]) -> bool:
    return any(
        not isinstance(each, _SILENT)
        and not _is_plain_return(each)
        and any(isinstance(part, ast.Call | ast.BinOp | ast.Subscript) for part in ast.walk(each))
        and not _is_exit(each)
        for each in body
    )


def _is_plain_return(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Return) and isinstance(
        statement.value, ast.Constant | ast.Name | None
    )


def _is_exit(statement: ast.stmt) -> bool:
    """`sys.exit(…)`, `print(…)`, `parser.error(…)`: nothing of tensors happens there."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = statement.value.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ("exit", "print", "error", "warn", "info", "debug")
