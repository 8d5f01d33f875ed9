"""Tries repairs of a fault on the program, where it failed, before any is offered.

What makes the program run is offered first. Whether it is right at every batch size, and alone, is
another question, which `fix` answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from wellshaped.execute import Program
from wellshaped.observe import RunResult, Setting
from wellshaped.pipeline.diagnosis import diagnose, says_little
from wellshaped.pipeline.size_origins import SizeOrigins, edit_where, odd_one_out
from wellshaped.pipeline.sweep import side_by_side
from wellshaped.records.diagnosis import Diagnosis, Proposal
from wellshaped.records.finding import Finding
from wellshaped.records.repair import Edit, MoveKind, Repair
from wellshaped.repair import (
    VARY,
    changed_text,
    edited_sources,
    edits_between,
    in_turns,
    is_default,
    passage_of,
)

_MOST_TRIALS = 32
# As many where something helps already: they are there for what helps as well.
_FEW_TRIALS = 10
_MOST_FAULTS = 2
_AT_A_TIME = 2
_MOST_FURTHER = 3
_ENOUGH = 4
# CPU seconds that the tries of one fault may take, and how often the time of the run that failed:
# only a program that runs for long comes to their end, so that a busy machine tries no fewer.
_LEAST_SECONDS = 12.0
_TIMES_ITS_OWN = 8
# The same of the runs that look for the numbers behind two sizes: few, so that all of them fit.
_LEAST_ORIGIN_SECONDS = 6.0
# Changes after which a few more are tried, if they let the program run.
_LIKELY = frozenset(
    ("size_index", "rows", "squeeze", "undone", "precedence", "dtype", "given", "default", "number")
)
_NAMING = ("size_index", "rows", "squeeze", "undone")
# Repairs of these kinds stand where a size or a dtype comes from.
_CAUSES: frozenset[MoveKind] = frozenset(("number", "option", "size_index", "row_count", "dim"))


@dataclass
class FaultAcrossRuns:
    """A fault as the runs showed it: the sizes it fails at, and the runs that it stopped.

    `own` is whether the program has it as it is.
    """

    diagnosis: Diagnosis
    fails: set[int] = field(default_factory=set)
    own: bool = False
    stopped: list[RunResult] = field(default_factory=list)


def try_repairs(
    program: Program, found: Sequence[FaultAcrossRuns], own: RunResult, *, seconds: float
) -> None:
    """Run the program with the repairs of its faults, and order them by what came of it."""
    for fault in sorted(found, key=lambda each: not each.stopped)[:_MOST_FAULTS]:
        ran = fault.stopped[0] if fault.stopped else own
        if ran.setting.weights == "fake" or seconds <= 0:
            continue
        share = min(seconds, max(_LEAST_SECONDS, _TIMES_ITS_OWN * ran.seconds))
        trial = _Trial(program, fault.diagnosis, ran, share)
        trial.run()
        seconds -= trial.spent
        more = (*fault.diagnosis.variations, *trial.chains)
        known = replace(fault.diagnosis, variations=more)
        fault.diagnosis = _with_outcomes(known, trial.outcomes, ran.files)
        if ran.ended == "raised":
            least = max(_LEAST_ORIGIN_SECONDS, share / 2)
            seconds -= _add_size_origins(program, fault, ran, min(seconds, least))


def _add_size_origins(
    program: Program, fault: FaultAcrossRuns, ran: RunResult, seconds: float
) -> float:
    """Find the numbers that set the sizes of a fault; returns the CPU seconds that it took."""
    diagnosis = fault.diagnosis
    proposals = (*diagnosis.candidates, *diagnosis.variations)
    equated = {
        edit_where(each.repair.edits[0])
        for each in proposals
        if each.runs and len(each.repair.edits) == 1 and each.repair.edits[0].text.isdigit()
    }
    search = SizeOrigins(program, ran, _base(diagnosis, ran), seconds, equated)
    finding = replace(diagnosis.finding, origins=search.find(diagnosis.finding.observation))
    odd = odd_one_out(finding.origins, ran.files)
    if finding.origin is None and odd is not None:
        finding = replace(finding, origin=odd.passage)
    fault.diagnosis = replace(diagnosis, finding=finding)
    return search.spent


@dataclass
class _Trial:
    """Runs of a program with repairs of one fault: by the id of a proposal, whether it runs.

    `spent` is the CPU time that the runs took. After what is in `further` the program fails
    elsewhere; `chains` are repairs of that together with the first.
    """

    program: Program
    diagnosis: Diagnosis
    ran: RunResult
    seconds: float
    outcomes: dict[int, bool] = field(default_factory=dict)
    spent: float = 0.0
    further: list[tuple[Setting, RunResult]] = field(default_factory=list)
    chains: tuple[Proposal, ...] = ()

    def run(self) -> None:
        """Try the repairs, a few at a time, until there are enough to choose from."""
        self._try(_settings(self.diagnosis, self.ran))
        proposals = (*self.diagnosis.candidates, *self.diagnosis.variations)
        mended = [each for each in proposals if self.outcomes.get(id(each))]
        if all(each.repair.facts.get("why") == "amount" for each in mended):
            self.chains = tuple(self._chains())
            texts = [
                (id(each), edited_sources(each.repair.edits, self.ran.files))
                for each in self.chains
            ]
            base = _base(self.diagnosis, self.ran)
            self._try(
                [
                    (key, replace(base, sources=_changed(each, self.ran)))
                    for key, each in texts
                    if each
                ]
            )

    def _try(self, settings: Sequence[tuple[int, Setting]]) -> None:
        for start in range(0, len(settings), _AT_A_TIME):
            group = settings[start : start + _AT_A_TIME]
            runs = side_by_side([(self.program, setting) for _, setting in group], self.seconds)
            self.spent += sum(each.seconds for each in runs)
            for (key, setting), each in zip(group, runs, strict=True):
                self.outcomes[key] = _is_right(each)
                if each.ended == "raised" and each.place != self.ran.place:
                    self.further.append((setting, each))
            mended = [key for key, runs in self.outcomes.items() if runs]
            most = _MOST_TRIALS if self._likely.isdisjoint(mended) else _FEW_TRIALS
            if self.spent > self.seconds or len(mended) >= _ENOUGH or len(self.outcomes) >= most:
                break

    @property
    def _likely(self) -> set[int]:
        """The repairs of a rule, and the changes that are likelier than most."""
        varied = self.diagnosis.variations
        found = {id(each) for each in varied if each.repair.facts.get("why") in _LIKELY}
        return found | {id(each) for each in self.diagnosis.candidates}

    def _chains(self) -> Iterator[Proposal]:
        """Repairs of what a repair brought to light, together with it."""
        for setting, ran in self.further[:_MOST_FURTHER]:
            found = diagnose(ran.observation) if ran.observation is not None else None
            for proposal in found.candidates[:_MOST_FURTHER] if found else ():
                texts = edited_sources(proposal.repair.edits, {**self.ran.files, **setting.sources})
                both = {**setting.sources, **(texts or {})}
                edits = _edits(self.ran.files, both)
                if texts and edits:
                    yield _chain(edits, self.ran.files, both)


def _chain(edits: tuple[Edit, ...], files: Mapping[str, str], both: Mapping[str, str]) -> Proposal:
    """Two repairs that belong together, as one choice."""
    lines = changed_text({file: files[file] for file in both}, both)
    before, after = (
        next((text.strip() for mark, text in lines if mark == sign), "") for sign in "-+"
    )
    facts = {"before": before, "after": after, "why": "chain"}
    repair = Repair(VARY, facts, edits=edits, guess=True)
    return Proposal(repair, None, lines)


def _edits(files: Mapping[str, str], changed: Mapping[str, str]) -> tuple[Edit, ...]:
    """What turns the files of a program into the changed ones; empty where lines came or went."""
    found = [edits_between(file, files[file], text) for file, text in changed.items()]
    return tuple(edit for each in found for edit in each or ()) if all(found) else ()


def _changed(texts: Mapping[str, str], ran: RunResult) -> dict[str, str]:
    return {file: text for file, text in texts.items() if text != ran.files[file]}


def _base(diagnosis: Diagnosis, ran: RunResult) -> Setting:
    """The run that failed, without what only a first look needs."""
    silent = diagnosis.finding.observation.kind == "silent"
    return replace(ran.setting, traced=silent, broadcasts=False)


def _settings(diagnosis: Diagnosis, ran: RunResult) -> list[tuple[int, Setting]]:
    """The runs to make, each with the proposal that it is for; none twice."""
    found: dict[tuple[tuple[str, str], ...], tuple[int, Setting]] = {}
    base = _base(diagnosis, ran)
    by_repair = {id(each.repair): each for each in diagnosis.variations}
    turns = [by_repair[id(each)] for each in in_turns([one.repair for one in diagnosis.variations])]
    for proposal in (*diagnosis.candidates, *turns):
        edits = proposal.repair.edits
        texts = edited_sources(edits, ran.files) if _within(edits, ran.files) else None
        if texts is not None:
            changed = _changed(texts, ran)
            key = tuple(sorted(changed.items()))
            found.setdefault(key, (id(proposal), replace(base, sources=changed)))
    return list(found.values())[:_MOST_TRIALS]


def _within(edits: Sequence[Edit], files: Mapping[str, str]) -> bool:
    return bool(edits) and all(each.file in files for each in edits)


def _is_right(ran: RunResult) -> bool:
    """Whether a program ran to its end, with no loss broadcast and no parameter left out."""
    hazards = any(call.verdict.outcome == "hazard" for call in ran.hazards)
    reach = ran.gradients
    trains = reach.finite and not (reach.ran and reach.idle)
    return ran.ended == "ended" and not (ran.status or hazards or ran.silent) and trains


def _with_outcomes(
    diagnosis: Diagnosis, outcomes: Mapping[int, bool], files: Mapping[str, str]
) -> Diagnosis:
    def known(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
        return tuple(replace(each, runs=outcomes.get(id(each))) for each in proposals)

    tried = replace(
        diagnosis,
        candidates=known(diagnosis.candidates),
        variations=known(diagnosis.variations),
    )
    return replace(tried, finding=_with_origin(tried, files))


def _with_origin(diagnosis: Diagnosis, files: Mapping[str, str]) -> Finding:
    """The finding, its origin the line where one small change makes the program run.

    A change at the call that failed says nothing of where the fault comes from, nor does one that
    gives the program other data, or that rearranges what a caller hands over.
    """
    finding = diagnosis.finding
    here = finding.observation.passage.place
    causes = [each for each in diagnosis.candidates if _is_cause(each)]
    for each in sorted([*causes, *diagnosis.variations], key=lambda one: _chosen(one, files)):
        edit = each.repair.edits[0] if each.repair.edits else None
        if edit is None or not each.runs or each.repair.facts.get("why") == "amount":
            continue
        if (edit.file, edit.span.line) != (here.file, here.line):
            passage = passage_of(edit, files[edit.file])
            return replace(finding, origin=passage, origin_tried=True)
    return finding


def _is_cause(proposal: Proposal) -> bool:
    """Whether a repair stands where a size comes from: a name that is replaced only hands it on."""
    numbers = [each for each in proposal.repair.moves if each.kind == "number"]
    replaced = all(each.before.isdigit() for each in numbers)
    return bool(proposal.repair.kinds & _CAUSES) and replaced


def _chosen(proposal: Proposal, files: Mapping[str, str]) -> int:
    """Smaller where nobody chose a number: left to a default, then the default itself."""
    edits = proposal.repair.edits
    if proposal.repair.facts.get("why") == "given":
        return 0
    return 2 - (bool(edits) and is_default(edits[0], files.get(edits[0].file, "")))


def by_accident(fault: FaultAcrossRuns, own: RunResult) -> bool:
    """Whether a call was rejected at a batch size that a program which runs need not meet.

    It is a fault if a change that only names a dimension, or undoes one, lets the program run.
    """
    known = fault.diagnosis.variations
    mended = any(each.runs and each.repair.facts.get("why") in _NAMING for each in known)
    return own.ended == "ended" and not mended and says_little(fault.diagnosis.finding)
