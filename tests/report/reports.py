"""Reports made by hand, for every format that other programs read."""

import json
from dataclasses import dataclass

from wellshaped.records.check import Checked, NotChecked, Report, SizeRun, Swept
from wellshaped.records.diagnosis import Diagnosis, Proposal
from wellshaped.records.evidence import Evidence, Trial
from wellshaped.records.finding import Finding, Severity
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place, Span
from wellshaped.report.formats import sarif

CALL = "    loss = F.cross_entropy(logits, labels)\n"
HOSTILE_FILE = 'a b:,%"\\\r\n::error::\x1b[31m\udc80.py'
HOSTILE_LABEL = "x[0](1){y}\n::error::owned\x1b[2J%"


@dataclass(frozen=True)
class Page:
    """A rule as far as SARIF describes it."""

    code: str
    name: str
    severity: Severity
    page: str


PAGES = (
    Page("WS301", "silent-broadcast", "error", "It compared all. Then {more}.\n\n**Why.** So."),
    Page(
        "WS102", "column-target", "error", "A column.\n\n**What happens.** One\naxis.\n\n    F(x)"
    ),
    Page("WS211", "inner-sizes", "error", "Sizes differ"),
    Page("WS999", "never-seen", "note", "Not in this check."),
)


def passage(file: str, span: Span | None, text: str = "", line: int = 0) -> Passage:
    return Passage(Place(file, span.line if span else line, "step"), span, text)


def proposal(*edits, outcomes="", level="safe"):
    repair = Repair("drop", {"axis": 1, "operand": "labels"}, edits=edits, level=level)
    trials = tuple(Trial(*pair) for pair in zip((1, 2, 3, 8), outcomes.split(), strict=False))
    return Proposal(repair, Evidence(repair, trials) if trials else None)


def column(file: str = "train.py", label: str = "cross_entropy") -> Checked:
    """`CALL` on line 58: a proven repair, one that does not hold, one without edits."""
    at = Span(58, 35, 58, 41)
    logits = Operand("input", TensorFact((32, 10)), passage(file, Span(58, 27, 58, 33), "logits"))
    labels = Operand("target", TensorFact((32, 1), "int64"), passage(file, at, "labels"))
    call = passage(file, Span(58, 11, 58, 42), CALL.strip())
    seen = Observation("loss", "cross_entropy", label, call, (logits, labels))
    origin = passage("data/rows.py", Span(12, 4, 12, 20))
    facts = {"label": label, "rows": 32}
    finding = Finding("WS102", "column-target", "error", seen, "column", facts, origin=origin)
    squeeze, view = Edit(file, at, "labels.squeeze(1)"), Edit(file, at, "labels.view(-1)")
    fixes = (
        proposal(squeeze, outcomes="equal equal equal equal"),
        proposal(view, outcomes="refused equal unknown differs", level="choice"),
        proposal(level="choice"),
    )
    return Checked(Diagnosis(finding, fixes), Swept((1,), (2, 3, 8)))


def broadcast() -> Checked:
    """A call over three lines that ran; its repair inserts in two files."""
    pred = Operand("input", TensorFact((64, 1)))
    seen = Observation("loss", "mse_loss", "MSELoss", passage("fit.py", Span(3, 7, 5, 1)), (pred,))
    facts = {"label": "MSELoss"}
    finding = Finding("WS301", "silent-broadcast", "warning", seen, "all_pairs", facts)
    insert, other = Span(4, 8, 4, 8), Edit("model/head.py", Span(2, 4, 3, 0), "")
    edits = (Edit("fit.py", insert, ".squeeze(1)"), other, Edit("fit.py", insert, "{}"))
    fix = proposal(*edits, level="changes results")
    return Checked(Diagnosis(finding, (fix,)), Swept((2, 3), (), (8,)))


def lineless() -> Checked:
    """A layer of which only the line is known, and of its operand nothing."""
    where = passage("/elsewhere/net.py", None, line=9)
    seen = Observation("module", "Linear", "Linear", where, (Operand("input", None),))
    facts = {"name": "`head`", "wants": 4, "last": 5}
    finding = Finding("WS211", "inner-sizes", "note", seen, "size", facts, origin=where)
    return Checked(Diagnosis(finding), Swept((), ()))


UNSEEN = (
    NotChecked("WS906", "train.py", 71, phrase("stand_in")),
    NotChecked("WS905", "train.py", 0, phrase("unreached")),
    NotChecked("WS901", "", 0, phrase("late", size=3)),
)
RUNS = (
    SizeRun(None, (8, 32)),
    SizeRun(1, (1,), "failed", Place("train.py", 58, "step"), "WS102", "ValueError: odd", True),
    SizeRun(2, (2,), shortened=True, passed_over=(Place("net.py", 4, "forward"),)),
    SizeRun(3, (3,), "late", Place("train.py", 60, "step"), "WS901"),
)
REPORT = Report("train.py", (column(), broadcast(), lineless()), UNSEEN, runs=RUNS)
HOSTILE = Report(
    HOSTILE_FILE,
    (column(HOSTILE_FILE, HOSTILE_LABEL),),
    (NotChecked("WS941", HOSTILE_FILE, 1, phrase("not_run", text="odd\n::error::")),),
)
SOURCES = {
    "train.py": "import torch\n" + "\n" * 56 + CALL,
    "fit.py": "a\nb\nloss = (\n    pred\n)\n",
    "model/head.py": "def f():\n    drop()\n    keep()",
}


def to_sarif(report):
    return json.loads(sarif.render(report, rules=PAGES, version="0.1.0"))
