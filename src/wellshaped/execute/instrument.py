"""Compiles a program's own files so that they report which statements ran and how loops go.

A store into a table comes before every statement that computes, and every loop asks before it goes
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
    raises, passes or returns a constant does not. `first` is the entry of its first statement.
    """

    line: int
    end_line: int
    function: str
    tells: bool
    first: int


@dataclass(frozen=True, slots=True)
class Statement:
    """The lines of a statement; of one with a body, those before the body."""

    line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Instrumented:
    """A compiled file with its blocks; statement n sets entry n of the file's table."""

    code: CodeType
    blocks: tuple[Block, ...]
    statements: tuple[Statement, ...]


def instrument(source: bytes | str, path: str, number: int, flags: int = 0) -> Instrumented:
    """Compile a file with marks; its table is the one of this number."""
    tree = ast.parse(source, path)
    marker = _Marker(number)
    marker.visit(tree)
    code = compile(tree, path, "exec", flags, dont_inherit=True)
    return Instrumented(code, tuple(marker.blocks), tuple(marker.statements))


class _Marker(ast.NodeTransformer):
    def __init__(self, number: int):
        self.table = TABLE.format(number)
        self.blocks: list[Block] = []
        self.statements: list[Statement] = []
        self._functions: list[str] = []
        self._loops = 0

    def visit_Module(self, node: ast.Module) -> ast.AST:
        return self._bodies(node, plain=("body",))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._functions.append(node.name)
        self._bodies(node, ("body",))
        self._functions.pop()
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self._bodies(node, ("body", "orelse"))
        node.iter = self._asked(LOOP, node.iter)
        return node

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        self._bodies(node, ("body", "orelse"))
        node.test = asked = self._asked(AGAIN, node.test)
        # A loop may be left by `break`, `return` or an exception: each entry begins anew, as
        # after a test that failed.
        key = asked.args[0]
        call = ast.Call(ast.Name(AGAIN, ast.Load()), [key, ast.Constant(value=False)], [])
        begin = ast.Expr(call)
        _place(begin, key)
        return [begin, node]

    def visit_If(self, node: ast.If) -> ast.AST:
        if _is_elif(node):
            return self._bodies(node, ("body",), plain=("orelse",))
        return self._bodies(node, ("body", "orelse"))

    def visit_With(self, node: ast.With) -> ast.AST:
        return self._bodies(node, plain=("body",))

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        return self._bodies(node, plain=("body",))

    def visit_Try(self, node: ast.Try) -> ast.AST:
        return self._bodies(node, ("orelse",), plain=("body", "finalbody"))

    def visit_TryStar(self, node: ast.TryStar) -> ast.AST:
        return self._bodies(node, ("orelse",), plain=("body", "finalbody"))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        return self._bodies(node, ("body",))

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        return self._bodies(node, ("body",))

    def _bodies(
        self, node: ast.AST, blocks: Sequence[str] = (), *, plain: Sequence[str] = ()
    ) -> ast.AST:
        """Mark the statements of the node's bodies; those of `plain` are no blocks of their own."""
        marks = {name: self._marks(getattr(node, name), block=True) for name in blocks}
        marks |= {name: self._marks(getattr(node, name), block=False) for name in plain}
        self.generic_visit(node)
        for name, found in marks.items():
            body: list[ast.stmt] = getattr(node, name)
            for statement, mark in found:
                place = [at for at, each in enumerate(body) if each is statement]
                body.insert(place[0] if place else len(body), mark)
        return node

    def _marks(
        self, body: list[ast.stmt], *, block: bool
    ) -> list[tuple[ast.stmt | None, ast.stmt]]:
        """A mark for each statement that may go wrong, and for the first one of a block.

        Each with the statement that it stands before; None for the end of the body.
        """
        marks = []
        for each, following in zip(body, [*body[1:], None], strict=False):
            if (each is body[0] and block) or _may_go_wrong(each):
                marks.append((following if _is_docstring(each) else each, self._mark(each)))
        if block and body:
            self._note_block(body, len(self.statements) - len(marks))
        return marks

    def _note_block(self, body: list[ast.stmt], first: int) -> None:
        end = body[-1].end_lineno or body[-1].lineno
        function = self._functions[-1] if self._functions else ""
        self.blocks.append(Block(body[0].lineno, end, function, _tells(body), first))

    def _mark(self, statement: ast.stmt) -> ast.stmt:
        """A statement that says this one was reached."""
        target = ast.Subscript(
            ast.Name(self.table, ast.Load()), ast.Constant(len(self.statements)), ast.Store()
        )
        self.statements.append(Statement(statement.lineno, _header_end(statement)))
        mark = ast.Assign([target], ast.Constant(1))
        _place(mark, statement)
        return mark

    def _asked(self, question: str, subject: ast.expr) -> ast.Call:
        self._loops += 1
        key = ast.Constant(f"{self.table}{self._loops}")
        call = ast.Call(ast.Name(question, ast.Load()), [key, subject], [])
        for part in (call.func, key):
            _place(part, subject)
        return ast.copy_location(call, subject)


def _is_elif(node: ast.If) -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _may_go_wrong(statement: ast.stmt) -> bool:
    """Whether anything could be computed there: a call, an operation, an index."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Try):
        return False
    heads = _heads(statement)
    return any(
        isinstance(part, ast.Call | ast.BinOp | ast.Subscript | ast.Compare | ast.AugAssign)
        for head in heads
        for part in ast.walk(head)
    )


def _heads(statement: ast.stmt) -> list[ast.AST]:
    """What a statement evaluates itself, without its body."""
    match statement:
        case ast.For() | ast.AsyncFor():
            return [statement.iter]
        case ast.While() | ast.If():
            return [statement.test]
        case ast.With() | ast.AsyncWith():
            return [*statement.items]
        case ast.Match():
            return [statement.subject]
        case _:
            return [statement]


def _header_end(statement: ast.stmt) -> int:
    lines: list[int | None] = [
        getattr(part, "end_lineno", None) for head in _heads(statement) for part in ast.walk(head)
    ]
    return max([statement.lineno, *(line for line in lines if line)])


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
