"""Where a node of a syntax tree stands in the text of its file."""

from __future__ import annotations

import ast

from wellshaped.records.source import Span


def span_of(node: ast.expr | ast.alias, text: str) -> Span:
    """Where a node stands, in characters: ast counts bytes of UTF-8."""
    lines = text.splitlines(keepends=True)
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset

    def characters(line: int, column: int) -> int:
        return len(lines[line - 1].encode()[:column].decode(errors="ignore"))

    start = characters(node.lineno, node.col_offset)
    return Span(node.lineno, start, end_line, characters(end_line, end))
