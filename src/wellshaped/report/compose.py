"""From a diagnosis to the document that says it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wellshaped.locale import ENGLISH, Words, in_one_language
from wellshaped.records.check import Swept
from wellshaped.records.diagnosis import Diagnosis, Proposal, WrongFix
from wellshaped.records.finding import Finding, SizeOrigin
from wellshaped.records.fix import Size
from wellshaped.records.observation import Operand
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text
from wellshaped.records.source import Passage, Span
from wellshaped.report.document import (
    Document,
    Excerpt,
    Mark,
    Paragraph,
    Section,
    SourceLine,
    SuggestedEdit,
    TableRow,
)

_MOST_OPERANDS = 4
_MOST_TORCH = 200
_MOST_CODE = 60


def compose(
    diagnosis: Diagnosis,
    swept: Swept | None = None,
    sizes: tuple[Size, ...] = (),
    words: Words = ENGLISH,
) -> Document:
    """The document of one diagnosis, in the order of the house style; all in one language."""
    return in_one_language(words, lambda each: _composed(diagnosis, swept, sizes, each))


def _composed(
    diagnosis: Diagnosis, swept: Swept | None, sizes: tuple[Size, ...], words: Words
) -> Document:
    finding = diagnosis.finding
    groups = (
        tuple(_table(finding, words)),
        tuple(_why(finding, words)),
        tuple(_size_origins(finding, words)),
        tuple(_values(diagnosis, words)),
        tuple(() if sizes else _swept(swept, words)),
        *(tuple(_change(each, finding, words)) for each in diagnosis.proposals),
        tuple(_sizes(sizes, words)),
        tuple(_proof(diagnosis, words)),
        tuple(_more(finding, words)),
    )
    return Document(
        finding.severity,
        finding.code,
        words.sentence(finding.code, "headline", finding.variant, finding.facts),
        tuple(_excerpts(finding, words)),
        tuple(group for group in groups if group),
        words.label(finding.severity),
    )


def shown_path(file: str) -> str:
    """A path as the reader knows it: from the working directory, if it lies below."""
    try:
        return str(Path(file).resolve().relative_to(Path.cwd().resolve()))
    except (ValueError, OSError):
        return file


def _excerpts(finding: Finding, words: Words) -> Iterator[Excerpt]:
    observation = finding.observation
    note = "" if observation.raised else words.label("no_exception")
    operands = tuple(each for each in observation.operands if each.passage)
    if observation.passage.place.file:
        yield _excerpt(observation.passage, operands, finding, note, words)
    if observation.kind == "backward" and observation.callers:
        yield _excerpt(observation.callers[0], (), finding, words.label("called_from"), words)
    if finding.origin is not None and finding.origin.place != observation.passage.place:
        yield _excerpt(finding.origin, (), finding, words.label(_origin_label(finding)), words)


def _origin_label(finding: Finding) -> str:
    if finding.origin_tried:
        return "changed_here"
    built = finding.observation.operand("built")
    if built is not None and built.passage == finding.origin:
        return "built_here"
    cut = finding.observation.operand("cut")
    if cut is not None and cut.passage == finding.origin:
        return "cut_here"
    return "made_here" if finding.code.startswith("WS5") else "born_here"


def _excerpt(
    passage: Passage, operands: tuple[Operand, ...], finding: Finding, note: str, words: Words
) -> Excerpt:
    place = passage.place
    column = passage.span.column + 1 if passage.span else 0
    lines = tuple(
        SourceLine(number, text, tuple(_marks(number, passage, operands, finding)))
        for number, text in passage.lines
    )
    inside = words.label("inside", function=place.function) if place.function else ""
    return Excerpt(shown_path(place.file), place.line, column, inside, note, lines)


def _marks(
    number: int, passage: Passage, operands: tuple[Operand, ...], finding: Finding
) -> Iterator[Mark]:
    seen: set[Span] = set()
    for operand in operands[:_MOST_OPERANDS]:
        span = operand.passage.span if operand.passage else None
        inside = _within(operand, passage)
        if span is None or not inside or span.line != number or span.end_line != number:
            continue
        if span in seen:
            continue
        seen.add(span)
        yield Mark(
            span.column, span.end_column, _marked(operand, finding), _blamed(operand, finding)
        )
    unmarked = not any(_within(each, passage) for each in operands[:_MOST_OPERANDS])
    if unmarked and passage.span and passage.span.line == number:
        end = passage.span.end_column if passage.span.end_line == number else None
        text = dict(passage.lines)[number]
        yield Mark(passage.span.column, end or len(text), "", primary=True)


def _within(operand: Operand, passage: Passage) -> bool:
    """Whether an operand is written inside the passage that is shown."""
    span = operand.passage.span if operand.passage else None
    same = operand.passage is not None and operand.passage.place.file == passage.place.file
    return same and passage.span is not None and span is not None and passage.span.holds(span)


def _blamed(operand: Operand, finding: Finding) -> bool:
    return operand.role in finding.blamed


def _marked(operand: Operand, finding: Finding) -> str:
    if operand.fact is None:
        return ""
    shape = shape_text(operand.fact.shape)
    plain = operand.fact.dtype == "float32" or not _blamed(operand, finding)
    return shape if plain else f"{shape} {operand.fact.dtype}"


def _table(finding: Finding, words: Words) -> Iterator[Section]:
    if not finding.needs:
        return
    names = [role for role, _ in finding.needs]
    needs = [f"{role} {words.phrase(axes, finding.code)}".strip() for role, axes in finding.needs]
    got = [_got(finding.observation.operand(role)) for role in names]
    asked, note = (
        [words.phrase(each, finding.code)] if each else []
        for each in (finding.needs_note, finding.note)
    )
    yield TableRow(words.label("needs"), (*needs, *asked))
    yield TableRow(words.label("got"), (*got, *note))


def _got(operand: Operand | None) -> str:
    if operand is None or operand.fact is None:
        return "?"
    shape = shape_text(operand.fact.shape)
    return shape if operand.fact.dtype == "float32" else f"{shape} {operand.fact.dtype}"


def _why(finding: Finding, words: Words) -> Iterator[Section]:
    text = words.sentence(finding.code, "why", finding.variant, finding.facts)
    if text:
        yield Paragraph(words.label("why"), text)
    if finding.observation.count > 1:
        yield Paragraph(words.label("why"), words.label("times", count=finding.observation.count))


def _size_origins(finding: Finding, words: Words) -> Iterator[Section]:
    for each in finding.origins:
        yield Paragraph(words.label("sizes"), size_origin_text(each, words))


def size_origin_text(origin: SizeOrigin, words: Words) -> str:
    """`20 comes from `n_class = 20` (train.py:9)`."""
    place = origin.passage.place
    code = origin.passage.lines[0][1].strip() if origin.passage.lines else origin.passage.text
    facts = {
        "size": origin.size,
        "code": _short(code),
        "where": f"{shown_path(place.file)}:{place.line}",
    }
    if origin.value == origin.size:
        return words.label("size_is", **facts)
    return words.label("size_follows", value=origin.value, **facts)


def _values(diagnosis: Diagnosis, words: Words) -> Iterator[Section]:
    if diagnosis.values is not None:
        written, rows = (f"{value:.4f}" for value in diagnosis.values)
        yield Paragraph(words.label("value"), words.label("values", written=written, rows=rows))


def _swept(swept: Swept | None, words: Words) -> Iterator[Section]:
    if swept is None or not swept.fails:
        return
    yield Paragraph(words.label("batch"), sizes_text(swept, words))


def sizes_text(swept: Swept, words: Words) -> str:
    """`fails at B = 1; holds at B = 2, 3; not run at B = 8`."""
    named = (("fails", swept.fails), ("holds", swept.holds), ("not_run", swept.not_run))
    return "; ".join(
        words.label(f"{name}_at", sizes=", ".join(map(str, sizes)))
        for name, sizes in named
        if sizes
    )


def _sizes(sizes: tuple[Size, ...], words: Words) -> Iterator[Section]:
    """A table: each batch size, and whether the program is right there before and after."""
    if sizes:
        yield TableRow(words.label("batch"), tuple(f"B = {each.batch}" for each in sizes))
        yield TableRow(words.label("before"), tuple(_right(each.before, words) for each in sizes))
        yield TableRow(words.label("after"), tuple(_right(each.after, words) for each in sizes))


def _right(known: bool | None, words: Words) -> str:
    return words.label({None: "size_not_run", True: "size_holds", False: "size_fails"}[known])


def _change(proposal: Proposal, finding: Finding, words: Words) -> Iterator[Section]:
    repair = proposal.repair
    title = words.title(finding.code, repair.title, {**finding.facts, **repair.facts})
    lines = tuple((sign, text) for sign, text in proposal.lines)
    level = words.label(repair.level.replace(" ", "_"))
    label = f"{words.label('fix')} {proposal.number}" if proposal.number else words.label("fix")
    yield SuggestedEdit(
        title,
        repair.level,
        lines,  # type: ignore[arg-type]
        proposal.where,
        label,
        level,
        tuple(_choice(proposal, words)),
        proposal.number,
    )
    if proposal.stops is not None:
        code, place = proposal.stops
        where = f"{shown_path(place.file)}:{place.line}"
        said = words.label("still_fails", code=code, where=where)
        yield Paragraph(words.label("caution"), said)


def _choice(proposal: Proposal, words: Words) -> Iterator[Paragraph]:
    """What a choice means, and what has to be true for it to be right.

    What keeps every element, and was not held against others yet, needs no such words.
    """
    repair = proposal.repair
    chosen = repair.level == "choice" and (proposal.number or not repair.lossless)
    said = choice_words(repair, words) if chosen else None
    for slot, text in zip(("means", "right_if"), said or (), strict=False):
        yield Paragraph(words.label(slot), text)


def choice_words(repair: Repair, words: Words = ENGLISH) -> tuple[str, str] | None:
    """What a repair means, and what it is right if; None where nothing is known of its edits."""
    move = repair.deciding
    if move is None:
        return None
    facts = {"before": _short(move.before), "after": _short(move.after)}
    return words.choice("means", move.kind, facts), words.choice("right_if", move.kind, facts)


def _short(code: str) -> str:
    text = " ".join(code.split())
    return text if len(text) <= _MOST_CODE else text[: _MOST_CODE - 4] + " ..."


def _proof(diagnosis: Diagnosis, words: Words) -> Iterator[Section]:
    proven = next((each for each in diagnosis.proposals if each.evidence), None)
    raised = diagnosis.finding.observation.raised
    if proven is not None and proven.evidence is not None and proven.evidence.proven:
        sizes = ", ".join(str(trial.batch) for trial in proven.evidence.trials)
        kind = diagnosis.finding.observation.kind
        name = "proof_raised" if raised else "proof_ran"
        name = f"proof_{kind}" if kind in ("module", "operation") else name
        yield Paragraph(words.label("verified"), words.label(name, sizes=sizes))
    for wrong in diagnosis.wrong:
        yield Paragraph(words.label("not_this"), _wrong(wrong, words))
    if diagnosis.values is not None:
        yield Paragraph(words.label("caution"), words.label("same_at_one"))


def _wrong(wrong: WrongFix, words: Words) -> str:
    fails = wrong.evidence.breaks_at
    holds = [trial.batch for trial in wrong.evidence.trials if trial.batch not in fails]
    if not holds:
        return words.label("wrong_never", text=wrong.text)
    sizes = ", ".join(map(str, fails if wrong.reason == "wrong_batch_axis" else holds))
    return words.label(wrong.reason, text=wrong.text, sizes=sizes)


def _more(finding: Finding, words: Words) -> Iterator[Section]:
    yield Paragraph(words.label("more"), f"wellshaped explain {finding.code}")
    # A worker's error comes wrapped in a traceback of that process; its last line is torch's.
    lines = finding.observation.error_text.strip().splitlines()
    wrapped = any(line.startswith("Original Traceback") for line in lines)
    text = " ".join((lines[-1] if wrapped else " ".join(lines)).split())
    if text:
        cut = text if len(text) <= _MOST_TORCH else text[: _MOST_TORCH - 4] + " ..."
        yield Paragraph(words.label("torch"), cut)
