"""A mistake of plain Python that tensors lead to: an unpacking, an index, an attribute, a check.

Python itself raises here, on what came out of a tensor. The instruction that stopped says what was
done; the tensors are those that the expression is made from.
"""

from __future__ import annotations

import ast
import dis
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from wellshaped.observe.failure.tensors_behind import (
    fact_of_any,
    known_value,
    tensors_behind,
    tensors_held,
)
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.source import Passage
from wellshaped.source import UNKNOWN, Scope, Stop

# What the instructions of Python do, by how their names begin.
_ACTS = (
    ("UNPACK", "unpacking"), ("GET_ITER", "iteration"), ("FOR_ITER", "iteration"),
    ("STORE_SUBSCR", "[]="), ("STORE_SLICE", "[]="), ("BINARY_SUBSCR", "[]"),
    ("BINARY_SLICE", "[]"), ("STORE_ATTR", "attribute"), ("LOAD_ATTR", "attribute"),
    ("LOAD_METHOD", "attribute"), ("RAISE", "raise"),
)  # fmt: skip
_OF_PARTS = (ast.For, ast.AsyncFor, ast.comprehension)


@dataclass(frozen=True, slots=True)
class Act:
    """What an instruction does: the name of it, and whose value it is done to."""

    name: str
    subject: ast.expr | None


def act_at(code: CodeType, lasti: int, node: ast.AST | None, scope: Scope) -> Act | None:
    """What Python was doing when it stopped; None of a call or an operator, which speak alone."""
    names = [each.opname for each in dis.get_instructions(code) if each.offset == lasti]
    name = next((act for start, act in _ACTS if names and names[0].startswith(start)), "")
    if name == "unpacking":
        return Act(name, _unpacked(node, scope))
    if name == "raise":
        return Act("assert" if _asserts(node, scope) else name, None)
    if name in ("[]", "[]=", "attribute"):
        subject = node.value if isinstance(node, (ast.Subscript, ast.Attribute)) else None
        shown = f".{node.attr}" if isinstance(node, ast.Attribute) else name
        return Act(shown, subject)
    return Act(name, node if isinstance(node, ast.expr) else None) if name else None


def _unpacked(node: ast.AST | None, scope: Scope) -> ast.expr | None:
    """The value that the targets around a node are given."""
    above = node
    while above is not None:
        if isinstance(above, ast.Assign):
            return above.value
        if isinstance(above, _OF_PARTS):
            return above.iter
        above = scope.source.parents.get(above)
    return None


def _asserts(node: ast.AST | None, scope: Scope) -> bool:
    return node is not None and isinstance(scope.source.statement_of(node), ast.Assert)


def observe_plain_error(
    stop: Stop,
    node: ast.AST | None,
    scope: Scope | None,
    passage: Passage,
    callers: tuple[Passage, ...],
) -> Observation | None:
    """What Python refused; None where no tensor leads there, or where it is no such act."""
    act = act_at(stop.frame.f_code, stop.lasti, node, scope) if scope is not None else None
    if scope is None or act is None or _is_misspelt(node, scope):
        return None
    if act.name in ("raise", "assert"):
        operands = _in_own_check(stop, node, scope)
    elif _is_mapping(act.subject, scope):
        # What a mapping holds does not matter: a key was not there.
        key = node.slice if isinstance(node, ast.Subscript) else None
        operands = tensors_behind(key, scope) if key is not None else ()
    else:
        operands = _behind(act, node, scope)
    if not operands:
        return None
    options: dict[str, Any] = {"plain": True, **_value_of(act, scope), **_parts(act, node, scope)}
    return Observation("operation", act.name, act.name, passage, operands, options, callers=callers)


def _is_misspelt(node: ast.AST | None, scope: Scope) -> bool:
    """Whether a tensor or an array was asked for what none has."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return False
    return fact_of_any(known_value(node.value, scope)) is not None


def _is_mapping(subject: ast.expr | None, scope: Scope) -> bool:
    known = known_value(subject, scope) if subject is not None else UNKNOWN
    return isinstance(subject, ast.Dict) or isinstance(known, Mapping)


def _behind(act: Act, node: ast.AST | None, scope: Scope) -> tuple[Operand, ...]:
    """The tensors that the subject comes from; where it is one, those of the whole expression."""
    subject = act.subject
    whole = node is subject or subject is None or fact_of_any(known_value(subject, scope))
    found = () if whole and act.name != "unpacking" else tensors_behind(subject, scope)  # type: ignore[arg-type]
    return found or (tensors_behind(node, scope) if node is not None else ())


def _value_of(act: Act, scope: Scope) -> dict[str, Any]:
    """The expression that the act is done to and what it is, where that is known and no tensor."""
    value = scope.value(act.subject) if act.subject is not None else UNKNOWN
    if act.subject is None or value is UNKNOWN or fact_of_any(value) is not None:
        return {}
    if act.name == "unpacking" and not isinstance(
        scope.source.parents.get(act.subject), ast.Assign
    ):
        return {}  # a loop unpacks what it goes through, and not the whole
    return {"value": scope.source.text(act.subject), "type": type(value).__name__}


def _parts(act: Act, node: ast.AST | None, scope: Scope) -> dict[str, Any]:
    """How many parts a tensor has along dim 0, and how many names were to take them."""
    if (
        act.name != "unpacking"
        or act.subject is None
        or not isinstance(node, (ast.Tuple, ast.List))
    ):
        return {}
    fact = fact_of_any(known_value(act.subject, scope))
    whole = isinstance(scope.source.parents.get(node), ast.Assign)
    starred = any(isinstance(each, ast.Starred) for each in node.elts)
    if fact is None or not fact.shape or not whole or starred:
        return {}
    return {"parts": fact.shape[0], "names": len(node.elts)}


def _in_own_check(stop: Stop, node: ast.AST | None, scope: Scope) -> tuple[Operand, ...]:
    """The tensors of an `assert`, or of the conditions around a `raise`."""
    above: ast.AST | None = node if node is not None else _statement_on(stop.line, scope)
    while above is not None and not isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if isinstance(above, (ast.If, ast.While, ast.Assert)):
            found = tensors_behind(above.test, scope)
            if found:
                return found
        above = scope.source.parents.get(above)
    return ()


def _statement_on(line: int, scope: Scope) -> ast.stmt | None:
    found = [
        each
        for each in ast.walk(scope.source.tree)
        if isinstance(each, (ast.Raise, ast.Assert))
        and each.lineno <= line <= (each.end_lineno or 0)
    ]
    return found[-1] if found else None


def observe_inside_library(
    inner: list[Stop], passage: Passage, callers: tuple[Passage, ...]
) -> Observation | None:
    """A call of the user's that failed in a library: the tensors of the innermost function."""
    for stop in reversed(inner):
        operands = tensors_held(dict(stop.frame.f_locals))
        if operands:
            names = [each.name for each in inner if not each.name.startswith("<")]
            label = names[-1] if names else stop.name
            return Observation(
                "operation", "inside", label, passage, operands, {"inside": True}, callers=callers
            )
    return None
