"""Repairs of a fault as edits, each tried at its call, and popular ones that do not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from wellshaped.pipeline.levels import as_choice, level_of, with_moves
from wellshaped.records.diagnosis import Proposal, WrongFix
from wellshaped.records.evidence import Evidence
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair
from wellshaped.repair import (
    at_caller,
    changed_lines,
    in_turns,
    moves_between,
    small_changes,
    with_change,
    with_text_edits,
)
from wellshaped.report.compose import shown_path

_MOST_VARIATIONS = 40
# Changes that may keep every element: others are guesses, whatever they look like.
_MAY_KEEP = ("size_index", "rows", "squeeze")


def at_callers(proposals: list[Proposal], finding: Finding) -> list[Proposal]:
    """The same changes one call further out: the function may be right for other callers."""
    moved = [at_caller(each.repair, finding.observation) for each in proposals]
    return [proposed(each, finding) for each in moved if each is not None]


def varied(finding: Finding, texts: Mapping[str, str]) -> tuple[Proposal, ...]:
    """Small changes of the program that the fault may come from; no rule proposes them."""
    changes = [_with_moves(each) for each in small_changes(finding.observation, texts)]
    lossless = sum(map(_names_a_dimension, changes))
    whole = lossless <= _MOST_VARIATIONS  # of what is left out none is known to be worse
    likeliest = {id(each) for each in changes if _names_a_dimension(each) and whole}
    for each in in_turns(changes):
        if len(likeliest) < _MOST_VARIATIONS:
            likeliest.add(id(each))
    return tuple(_varied(each, whole, texts) for each in changes if id(each) in likeliest)


def _with_moves(repair: Repair) -> Repair:
    """A small change with its moves, which are read from its own text and not from whole files."""
    before, after = (str(repair.facts[name]) for name in ("before", "after"))
    return replace(repair, moves=moves_between(before, after))


def _varied(repair: Repair, whole: bool, texts: Mapping[str, str]) -> Proposal:
    guess = not whole or not _names_a_dimension(repair)
    files = {edit.file for edit in repair.edits}
    lines = [
        (number, line)
        for file in files
        for number, line in enumerate(texts[file].splitlines(), 1)
        if any(each.span.line <= number <= each.span.end_line for each in repair.edits)
    ]
    shown = changed_lines(tuple(lines), repair.edits)
    edit = repair.edits[0]
    where = f"{shown_path(edit.file)}:{edit.span.line}"
    return Proposal(replace(repair, guess=guess, lossless=not guess), None, shown, where)


def _names_a_dimension(repair: Repair) -> bool:
    """Whether a change reads another size, or names the dimension that a bare squeeze drops."""
    before, after = (str(repair.facts[name]) for name in ("before", "after"))
    if repair.facts["why"] not in _MAY_KEEP:
        return False
    named = before.endswith(".squeeze()") and after.startswith(before[:-1])
    return repair.kinds <= {"size_index", "row_count"} or named


def proposed(repair: Repair, finding: Finding) -> Proposal:
    """The repair as edits of the source, with what came of trying it at the call."""
    observation = finding.observation
    full = with_text_edits(repair, observation) if repair.changes else repair
    evidence = _evidence(full, observation)
    full = with_moves(full, observation, evidence)
    proven = evidence is not None and evidence.proven
    leveled = replace(full, level=level_of(full, observation, proven=proven))
    lines = changed_lines(_lines_of(finding, {edit.file for edit in full.edits}), full.edits)
    return Proposal(leveled, evidence, lines, _elsewhere(full, finding))


def _evidence(repair: Repair, observation: Observation) -> Evidence | None:
    trial = _trial(observation.kind) if repair.changes else None
    return None if trial is None else trial(observation, repair)


def _trial(kind: str) -> Callable[[Observation, Repair], Evidence] | None:
    """What replays a call of this kind; it loads torch, and a text can be explained without it."""
    if kind in ("loss", "backward"):
        return _loss_trial()
    if kind == "module":
        from wellshaped.verify.module_call import try_module_repair

        return try_module_repair
    if kind in ("operation", "silent"):
        from wellshaped.verify.operation_call import try_operation_repair

        return try_operation_repair
    return None


def _loss_trial() -> Callable[..., Evidence]:
    from wellshaped.verify.loss_call import try_repair

    return try_repair


def alone(tried: Sequence[Proposal], observation: Observation) -> list[Proposal]:
    """The proposals, none above a choice where two that hold give other results."""
    certain = [each for each in tried if each.repair.level != "choice"]
    if all(_same_result(certain[0], each, observation) for each in certain[1:]):
        return [_as_alone(each) if each.repair.level != "choice" else each for each in tried]
    return [as_choice(each) for each in tried]


def _same_result(one: Proposal, other: Proposal, observation: Observation) -> bool:
    """Whether two repairs of a loss compute the same: one is held against the other's rows."""
    if observation.kind != "loss" or not (one.repair.changes and other.repair.changes):
        return False
    return _loss_trial()(observation, one.repair, reference=other.repair).proven


def _as_alone(proposal: Proposal) -> Proposal:
    return replace(proposal, repair=replace(proposal.repair, alone=True))


def _lines_of(finding: Finding, files: set[str]) -> tuple[tuple[int, str], ...]:
    shown = [finding.observation.passage, finding.origin]
    shown += [each.passage for each in finding.observation.operands]
    there = [each for each in shown if each and each.place.file in files]
    return tuple(sorted({line for each in there for line in each.lines}))


def _elsewhere(repair: Repair, finding: Finding) -> str:
    places = {(edit.file, edit.span.line) for edit in repair.edits}
    here = {
        (finding.observation.passage.place.file, number)
        for number, _ in finding.observation.passage.lines
    }
    away = sorted(places - here)
    return f"{shown_path(away[0][0])}:{away[0][1]}" if away else ""


def wrong_fixes(finding: Finding, proposals: list[Proposal]) -> tuple[WrongFix, ...]:
    """Popular repairs of the same operands that do not hold at every batch size."""
    observation = finding.observation
    right = next(
        (each.repair for each in proposals if each.evidence and each.evidence.proven), None
    )
    if observation.kind != "loss" or right is None:
        return ()
    try_repair = _loss_trial()
    found = []
    for changes, reason in _popular(observation):
        popular = Repair("", changes=changes)
        evidence = try_repair(observation, popular, reference=right)
        if (
            evidence.trials
            and not evidence.proven
            and len(evidence.breaks_at) < len(evidence.trials)
        ):
            text = ", ".join(_written(each, observation) for each in changes)
            found.append(WrongFix(text, evidence, reason))
    return tuple(found[:2])


def _written(change: Change, observation: Observation) -> str:
    operand = observation.operand(change.role)
    text = with_change(operand.text, change.suffix) if operand else change.suffix
    return text.replace("(input)", f"({observation.operands[0].text})")


def _popular(observation: Observation) -> Iterable[tuple[tuple[Change, ...], str]]:
    """Repairs people reach for: a bare squeeze, of one operand or of all, and `expand_as`."""
    known = [each for each in observation.operands if each.fact is not None]
    columns = [Change(each.role, ".squeeze()") for each in known if 1 in each.shape[1:]]
    for column in columns:
        yield (column,), "wrong_batch_axis"
    if len(columns) > 1:
        yield tuple(columns), "wrong_batch_axis"
    if any(each.role == "target" for each in known):
        yield (Change("target", ".expand_as(input)"),), "wrong_only_at"
