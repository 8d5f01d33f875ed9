"""How far a repair may be trusted: lossless and alone, or a choice of the user."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from wellshaped.notebook import python_of
from wellshaped.records.diagnosis import Proposal
from wellshaped.records.evidence import Evidence
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import DROPPING, LOSSLESS, Edit, Level, Move, MoveKind, Repair
from wellshaped.repair import counts_rows, moves_between, with_edits

# Dimensions of size 1 that come or go after the first one, and sizes that are read from a tensor:
# whatever the sizes are, each element stays in its row.
_PLAIN_STEP = re.compile(
    r"(?:unsqueeze\((?:-1|[1-9])\)|squeeze\((?:-1|[1-9])\)|flatten\([1-9]\)|contiguous\(\)|"
    r"view\(\[:(?:, (?::|None))+\]\)|view\(\[\.\.\., None\]\))"
)
_ROUNDS = re.compile(r"\.(?:long|int|bool|half|bfloat16)\(")
# Kinds of moves that make shapes agree by dropping elements, or by making some up.
INVENTING: frozenset[MoveKind] = DROPPING | {"number"}


def with_moves(
    repair: Repair,
    observation: Observation,
    evidence: Evidence | None,
    texts: Mapping[str, str] = MappingProxyType({}),
) -> Repair:
    """The repair with what its edits do, and whether every element stays in its row.

    `texts` are sources that differ from those that are stored.
    """
    moves = moves_of(repair.edits, texts)
    return replace(repair, moves=moves, lossless=_lossless(repair, moves, observation, evidence))


def moves_of(edits: Sequence[Edit], texts: Mapping[str, str]) -> tuple[Move, ...]:
    """What edits do, file by file; of a text that cannot be read nothing is known."""
    found: list[Move] = []
    for file in {each.file for each in edits}:
        before = texts.get(file) or "".join(linecache.getlines(file))
        here = [each for each in edits if each.file == file]
        after = with_edits(before, here) if before else None
        try:
            found += moves_between(python_of(file, before), python_of(file, after or ""))
        except SyntaxError:
            return (Move("other", "", ""),)
    return tuple(found)


def _lossless(
    repair: Repair, moves: tuple[Move, ...], observation: Observation, evidence: Evidence | None
) -> bool:
    if repair.guess or not moves or not all(each.kind in LOSSLESS for each in moves):
        return False
    if not _exact(repair, moves, observation):
        return False
    operands = [each for each in repair.changes if observation.operand(each.role) is not None]
    if operands and evidence is not None and evidence.trials:
        from wellshaped.verify.bijection import keeps_elements

        return evidence.proven and keeps_elements(observation, repair)
    return all(_is_plain(each) for each in moves)


def _is_plain(move: Move) -> bool:
    """Whether a move keeps rows by its text alone, without a tensor to number."""
    copied = move.before.replace(".view(", ".reshape(")
    if move.kind != "layout" or counts_rows(move) or move.after == copied:
        return True
    old, new = set(_steps(move.before)), set(_steps(move.after))
    gone = old - new - {"squeeze()"}  # a bare one may drop rows: what names a dimension does not
    steps = gone | (new - old)
    return old != new and all(_PLAIN_STEP.fullmatch(each) for each in steps)


def _steps(text: str) -> list[str]:
    return re.findall(r"\b(?:\w+\([^()]*\))", text) + [
        f"view({each})" for each in re.findall(r"\[[^\[\]]*None[^\[\]]*\]", text)
    ]


def _exact(repair: Repair, moves: tuple[Move, ...], observation: Observation) -> bool:
    """Whether changes of dtype keep values: only whole numbers may become integers.

    What was computed before a change of dtype was computed in the other one, at random too.
    """
    changed = [observation.operand(each.role) for each in repair.changes]
    if any(each.kind == "dtype" for each in moves) and any(map(_is_computed, changed)):
        return False
    if not any(_ROUNDS.search(each.after) for each in moves if each.kind == "dtype"):
        return True
    cast = [each.role for each in repair.changes if _ROUNDS.search(each.suffix)]
    return bool(cast) and all(_is_whole(observation.operand(role)) for role in cast)


def _is_computed(operand: Operand | None) -> bool:
    text = operand.passage.text if operand is not None and operand.passage is not None else ""
    try:
        return isinstance(ast.parse(text.strip(), mode="eval").body, (ast.BinOp, ast.UnaryOp))
    except SyntaxError:
        return False


def _is_whole(operand: Operand | None) -> bool:
    if operand is None or operand.fact is None:
        return False
    return "whole" in operand.traits or operand.fact.dtype.startswith(("int", "uint", "bool"))


def level_of(repair: Repair, observation: Observation, *, proven: bool) -> Level:
    """The level of a repair that is alone; one that is not is a choice."""
    if not repair.edits or not proven:
        return "choice"
    if observation.raised:
        return "safe" if repair.lossless else "choice"
    return "choice" if INVENTING & repair.kinds else "changes results"


def as_choice(proposal: Proposal) -> Proposal:
    """The same proposal as a choice of the user."""
    return replace(proposal, repair=replace(proposal.repair, level="choice", alone=False))
