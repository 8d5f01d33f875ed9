"""The source text of a program: its syntax tree, and the expression behind an instruction."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from types import CodeType

from wellshaped.notebook import python_of
from wellshaped.records.source import Passage, Place, Span

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Source:
    """A file that could be read and parsed."""

    file: str
    lines: tuple[str, ...]
    tree: ast.Module

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node above each node."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def _by_line(self) -> dict[int, list[ast.expr | ast.stmt]]:
        """The expressions and statements that begin on each line, the outermost first."""
        found: dict[int, list[ast.expr | ast.stmt]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.expr, ast.stmt)):
                found.setdefault(node.lineno, []).append(node)
        return found

    @cached_property
    def _functions(self) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
        """The functions of each name, the outermost first."""
        found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def _texts(self) -> dict[ast.AST, str]:
        return {}

    def text(self, node: ast.AST) -> str:
        """The text of a node, on one line."""
        if node not in self._texts:  # each time python splits the whole source into lines
            found = ast.get_source_segment("".join(self.lines), node) or ""
            self._texts[node] = " ".join(part.strip() for part in found.splitlines())
        return self._texts[node]

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a node stands, in characters."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(
            node.lineno,
            self._characters(node.lineno, node.col_offset),
            end_line,
            self._characters(end_line, end),
        )

    def _characters(self, line: int, column: int) -> int:
        # ast and code objects count bytes of UTF-8.
        return len(self.lines[line - 1].encode()[:column].decode(errors="ignore"))

    def passage(self, node: ast.expr | ast.stmt) -> Passage:
        """A node as a place to show."""
        span = self.span(node)
        shown = tuple(
            (number, self.lines[number - 1].rstrip("\r\n"))
            for number in range(span.line, span.end_line + 1)
        )
        return Passage(
            Place(self.file, span.line, self.name_of(node)), span, self.text(node), shown
        )

    def function_of(self, node: ast.AST) -> Function | None:
        """The function a node stands in."""
        above = self.parents.get(node)
        while above is not None and not isinstance(above, Function):
            above = self.parents.get(above)
        return above

    def name_of(self, node: ast.AST) -> str:
        """The name of the function a node stands in; empty at the top of a module."""
        found = self.function_of(node)
        return getattr(found, "name", "<lambda>") if found else ""

    def statement_of(self, node: ast.AST) -> ast.stmt | None:
        """The statement a node is part of."""
        above: ast.AST | None = node
        while above is not None and not isinstance(above, ast.stmt):
            above = self.parents.get(above)
        return above

    def nodes_at(self, span: Span) -> Iterator[ast.expr | ast.AugAssign]:
        """The expressions that stand exactly there, the outermost first."""
        for node in self._by_line.get(span.line, ()):
            if isinstance(node, (ast.expr, ast.AugAssign)) and self.span(node) == span:
                yield node

    def at_instruction(self, code: CodeType, lasti: int) -> ast.expr | ast.AugAssign | None:
        """The expression an instruction was compiled from."""
        if lasti < 0:
            return None
        found = next(islice(code.co_positions(), lasti // 2, None), None)
        if found is None or any(part is None for part in found):
            return None
        line, end_line, column, end = (int(part) for part in found if part is not None)
        if end_line > len(self.lines):
            return None
        span = Span(line, self._characters(line, column), end_line, self._characters(end_line, end))
        return next(self.nodes_at(span), None) or self._walked_at(span)

    def _walked_at(self, span: Span) -> ast.expr | None:
        """What a `for` loop goes through: Python 3.11 gives its first step the whole statement."""
        for node in self._by_line.get(span.line, ()):
            if isinstance(node, ast.For) and self.span(node) == span:
                return node.iter
        return None

    def function_at(self, line: int, name: str) -> Function | None:
        """The function defined on or around a line."""
        for node in self._functions.get(name, ()):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first <= line <= (node.end_lineno or node.lineno):
                return node
        return None


# Texts of code that is compiled under a name of no file, and that linecache does not hold.
GIVEN: dict[str, tuple[str, ...]] = {}


def source_of(file: str) -> Source | None:
    """The parsed source of a file; None where there is none to read."""
    lines = GIVEN.get(file) or tuple(linecache.getlines(file))
    return _parsed(file, lines) if lines else None


@lru_cache(maxsize=64)
def _parsed(file: str, lines: tuple[str, ...]) -> Source | None:
    text = "".join(lines)
    try:
        return Source(file, lines, ast.parse(python_of(file, text)))
    except (SyntaxError, ValueError, RecursionError):
        return None
