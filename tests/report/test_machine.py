"""A check for other programs: JSON, SARIF, workflow commands, single lines and a patch."""

import copy
import json
import os
import re
import subprocess
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import pytest

from wellshaped.diagnose.rules import rules
from wellshaped.records.check import Checked, NotChecked, Report, Swept
from wellshaped.records.diagnosis import Diagnosis, Proposal
from wellshaped.records.evidence import Evidence, Trial
from wellshaped.records.finding import Finding, Severity
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place, Span
from wellshaped.report import concise, github, machine, patch, sarif

GOLDEN = Path(__file__).parents[1] / "golden" / "report"
SCHEMA = json.loads(files("wellshaped.report").joinpath("schema/check-v1.json").read_text())
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
        proposal(view, outcomes="refused equal unknown differs", level="suggestion"),
        proposal(level="suggestion"),
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
    return Checked(Diagnosis(finding, (fix,)), Swept((2, 3), ()))


def lineless() -> Checked:
    """A layer of which only the line is known, and of its operand nothing."""
    where = passage("/elsewhere/net.py", None, line=9)
    seen = Observation("module", "Linear", "Linear", where, (Operand("input", None),))
    facts = {"name": "`head`", "wants": 4, "last": 5}
    finding = Finding("WS211", "inner-sizes", "note", seen, "size", facts, origin=where)
    return Checked(Diagnosis(finding), Swept((), ()))


UNSEEN = (
    NotChecked("WS941", "train.py", 71, phrase("stand_in")),
    NotChecked("WS942", "train.py", 0, phrase("unreached")),
    NotChecked("WS943", "", 0, phrase("late", size=8)),
)
REPORT = Report("train.py", (column(), broadcast(), lineless()), UNSEEN)
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


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def to_sarif(report):
    return json.loads(sarif.render(report, rules=PAGES, version="0.1.0"))


@pytest.mark.parametrize(
    ("name", "render"),
    [
        ("check.json", machine.render),
        ("check.sarif", lambda report: sarif.render(report, rules=PAGES, version="0.1.0")),
        ("check.github.txt", github.render),
        ("check.concise.txt", concise.render),
        ("check.patch", lambda report: patch.render(report, SOURCES)),
    ],
)
def test_golden(name, render, rewrite_golden):
    if rewrite_golden:
        (GOLDEN / name).write_text(render(REPORT), encoding="utf-8")
    assert render(REPORT) == (GOLDEN / name).read_text(encoding="utf-8")


TYPES = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}
COMMENTS = {"$schema", "$id", "$defs", "title", "description"}


def is_a(value, name):
    if name == "boolean" or isinstance(value, bool):
        return name == "boolean" and isinstance(value, bool)
    return isinstance(value, TYPES[name])


def problems(value, schema, at="$"):
    """What the schema has against a value; a keyword unknown here is a fault of this test."""
    checks = {
        "const": lambda rule: value == rule,
        "enum": lambda rule: value in rule,
        "type": lambda rule: any(is_a(value, name) for name in ([rule], rule)[type(rule) is list]),
        "minimum": lambda rule: not is_a(value, "integer") or value >= rule,
        "pattern": lambda rule: not is_a(value, "string") or re.search(rule, value),
        "uniqueItems": lambda _: not is_a(value, "array") or len({*value}) == len(value),
        "required": lambda rule: not is_a(value, "object") or value.keys() >= {*rule},
        "additionalProperties": lambda _: (
            not is_a(value, "object") or value.keys() <= schema["properties"].keys()
        ),
        "anyOf": lambda rule: not all(list(problems(value, each)) for each in rule),
    }
    assert schema.keys() <= checks.keys() | COMMENTS | {"$ref", "properties", "items"}
    for key in schema.keys() & checks.keys():
        if not checks[key](schema[key]):
            yield f"{at} {key}"
    if "$ref" in schema:
        yield from problems(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], at)
    for name, inner in schema.get("properties", {}).items():
        if is_a(value, "object") and name in value:
            yield from problems(value[name], inner, f"{at}.{name}")
    if "items" in schema and is_a(value, "array"):
        for number, each in enumerate(value):
            yield from problems(each, schema["items"], f"{at}[{number}]")


@pytest.mark.parametrize("report", [REPORT, HOSTILE, Report("", (), ())])
def test_json_follows_its_schema(report):
    written = machine.render(report)
    assert written.isascii()
    assert json.loads(written) == machine.to_dict(report)
    assert list(problems(json.loads(written), SCHEMA)) == []


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (".version", 2, "$.version const"),
        (".extra", 1, "$ additionalProperties"),
        (".findings", {}, "$.findings type"),
        (".findings.0.code", "W102", "$.findings[0].code pattern"),
        (".findings.0.severity", "fatal", "$.findings[0].severity enum"),
        (".findings.0.line", 0, "$.findings[0].line minimum"),
        (".findings.0.column", True, "$.findings[0].column type"),
        (".findings.0.origin", {"file": "a.py", "line": 1}, "$.findings[0].origin anyOf"),
        (".findings.0.loss", 5, "$.findings[0].loss type"),
        (".findings.0.tensors.0.shape", [2, "B"], "$.findings[0].tensors[0].shape[1] type"),
        (".findings.0.batch_sizes.fails", [1, 1], "$.findings[0].batch_sizes.fails uniqueItems"),
        (".findings.0.repairs.0.edits.0.text", None, "$.findings[0].repairs[0].edits[0].text type"),
        (".findings.0.repairs.0.level", "sure", "$.findings[0].repairs[0].level enum"),
        (".not_checked.0.line", -1, "$.not_checked[0].line minimum"),
    ],
)
def test_planted_violation_is_seen(path, value, problem):
    planted = inner = copy.deepcopy(machine.to_dict(REPORT))
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")[1:]]
    for key in way:
        inner = inner[key]
    inner[last] = value
    assert list(problems(planted, SCHEMA)) == [problem]


@pytest.mark.parametrize("key", SCHEMA["$defs"]["finding"]["required"])
def test_lacking_key_is_seen(key):
    planted = copy.deepcopy(machine.to_dict(REPORT))
    del planted["findings"][0][key]
    assert list(problems(planted, SCHEMA)) == ["$.findings[0] required"]


def test_keys_stand_in_the_order_of_the_schema():
    finding = machine.to_dict(REPORT)["findings"][0]
    assert list(finding) == SCHEMA["$defs"]["finding"]["required"]
    assert list(finding["repairs"][0]) == SCHEMA["$defs"]["repair"]["required"]


def test_files_are_named_from_the_working_directory(tmp_path, monkeypatch):
    real = tmp_path / "real"
    (real / "pkg").mkdir(parents=True)
    (tmp_path / "link").symlink_to(real)
    monkeypatch.chdir(tmp_path / "link")
    assert machine.shown_file("./pkg/../a.py") == "a.py"
    assert machine.shown_file(str(real / "pkg" / "a.py")) == "pkg/a.py"
    assert machine.shown_file(str(tmp_path / "link" / "pkg" / "a.py")) == "pkg/a.py"
    assert machine.shown_file(str(tmp_path / "out.py")) == (tmp_path / "out.py").as_posix()
    (real / "lead.py").symlink_to(tmp_path / "out.py")
    assert machine.shown_file("lead.py") == "lead.py"
    assert machine.shown_file("<stdin>") == "<stdin>"
    assert machine.shown_file("nul\0.py") == "nul\0.py"


def test_sarif_has_what_2_1_0_requires():
    log = to_sarif(REPORT)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run = log["runs"][0]
    driver = run["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == ["WS102", "WS211", "WS301"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert [each["executionSuccessful"] for each in run["invocations"]] == [True]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        for place in result["locations"] + result.get("relatedLocations", []):
            physical = place["physicalLocation"]
            assert re.fullmatch(r"(file://)?[\w./%-]+", physical["artifactLocation"]["uri"])
            assert all(number >= 1 for number in physical["region"].values())
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                assert change["artifactLocation"]["uri"]
                assert all(each["deletedRegion"]["startLine"] for each in change["replacements"])


def test_sarif_takes_its_descriptions_from_the_page():
    column_rule, _, pairs = to_sarif(REPORT)["runs"][0]["tool"]["driver"]["rules"]
    assert column_rule["shortDescription"] == {"text": "A column."}
    assert column_rule["fullDescription"] == {"text": "One axis."}
    assert pairs["shortDescription"] == {"text": "It compared all."}
    assert pairs["help"]["text"].startswith("It compared all. Then {{more}}.")


def test_sarif_takes_the_rules_as_they_are():
    log = sarif.to_dict(replace(REPORT, findings=(column(),)), rules=rules(), version="0")
    (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"].endswith(".")
    assert rule["defaultConfiguration"] == {"level": "error"}


def test_sarif_of_hostile_text_holds_no_link_placeholder_or_control():
    run = to_sarif(HOSTILE)["runs"][0]
    (unseen,) = run["invocations"][0]["toolExecutionNotifications"]
    assert unseen["message"] == {"text": "not run: `odd\\n::error::`"}
    result = run["results"][0]
    assert "x[0] (1){{y}}\\n::error::owned\\x1b[2J%" in result["message"]["text"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[\w./%-]+", uri)


def test_workflow_commands_of_hostile_text_stay_single():
    first, second = github.render(HOSTILE).splitlines()
    name = 'a b%3A%2C%25"\\%0D%0A%3A%3Aerror%3A%3A\\x1b[31m\\udc80.py'
    assert first.startswith(f"::error file={name},line=58,endLine=58,col=12,title=WS102 column")
    assert first.split("::", 2)[2].startswith("`x[0](1){y}\\n::error::owned\\x1b[2J%25` got")
    assert (
        second == f"::notice file={name},line=1,title=WS941 not checked::not run: `odd\\n::error::`"
    )


def test_lines_of_hostile_text_stay_single_and_printable():
    written = concise.render(HOSTILE)
    assert written.count("\n") == 2
    assert all(line.isprintable() for line in written.splitlines())


def test_a_cell_is_named_by_its_notebook_and_its_number(tmp_path):
    file = f"{tmp_path}/a b.ipynb#cell3"
    report = Report(
        "a b.ipynb", (column(file),), (NotChecked("WS953", file, 2, phrase("not_run", text="!ls")),)
    )
    assert machine.to_dict(report)["findings"][0]["file"] == "a b.ipynb#cell3"
    assert concise.render(report).startswith("a b.ipynb#cell3:58:12: WS102 ")
    (result,) = to_sarif(report)["runs"][0]["results"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "a%20b.ipynb#cell3"
    # GitHub shows a note beside a file that exists, and counts the lines of the JSON.
    finding, note = github.render(report).splitlines()
    assert finding.startswith("::error file=a b.ipynb,title=WS102 column-target::cell3:58: ")
    assert note == "::notice file=a b.ipynb,title=WS953 not checked::cell3:2: not run: `!ls`"


def test_nothing_found_prints_nothing():
    nothing = Report("train.py", (), ())
    assert concise.render(nothing) == github.render(nothing) == patch.render(nothing, {}) == ""


def git_apply(root: Path, diff: str) -> None:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    data = diff.encode(errors="surrogateescape")
    for command in (["init", "-q", str(root)], ["apply", "--check", "-"], ["apply", "-"]):
        subprocess.run(["git", *command], input=data, env=env, check=True)


FAR = "".join(f"x{number}\n" for number in range(400))


@pytest.mark.parametrize(
    ("name", "before", "edits", "after"),
    [
        ("train.py", "a\nb\n", [(2, 0, 2, 1, "c")], "a\nc\n"),
        ("pkg/in/t.py", "a\nb", [(2, 1, 2, 1, ".c")], "a\nb.c"),
        ("t.py", "a", [(1, 0, 1, 1, "b\nc\n")], "b\nc\n"),
        ("t.py", "a\r\nb\r\n", [(2, 0, 2, 0, "x\ny\n")], "a\r\nx\r\ny\r\nb\r\n"),
        ("t.py", "a\rb\nc\n", [(2, 0, 2, 1, "z"), (3, 0, 3, 1, "w")], "a\rz\nw\n"),
        ("t.py", "\ufeffab\n", [(1, 1, 1, 2, "c")], "\ufeffac\n"),
        (
            "t.py",
            "é\u2028\x0c = 損\n\tb\udce9\n",
            [(1, 6, 1, 7, "失")],
            "é\u2028\x0c = 失\n\tb\udce9\n",
        ),
        ("t.py", "a\nb\nc\nd\n", [(2, 0, 4, 0, "")], "a\nd\n"),
        ("t.py", "ab\n", [(1, 1, 1, 1, "("), (1, 1, 1, 2, "c"), (1, 1, 1, 1, "[")], "a([c\n"),
        ("t.py", FAR, [(3, 0, 3, 2, "y"), (390, 0, 390, 1, "y")], None),
        ("my file.py", "a\n", [(1, 0, 1, 1, "b")], "b\n"),
        ("a:b, 損.py", "a\n", [(1, 0, 1, 1, "b")], "b\n"),
        (HOSTILE_FILE.replace("/", ""), "a\n", [(1, 0, 1, 1, "b")], "b\n"),
    ],
)
@pytest.mark.parametrize("below", ["", "work/here"], ids=["top", "subfolder"])
def test_patch_applies(tmp_path, monkeypatch, name, before, edits, after, below):
    folder = tmp_path / below
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(before.encode(errors="surrogateescape"))
    monkeypatch.chdir(folder)
    given = [proposal(*(Edit(str(file), Span(*each[:4]), each[4]) for each in edits))]
    git_apply(tmp_path, patch.render(given, {str(file): before}))
    wanted = after or FAR.replace("x2\n", "y\n").replace("x389\n", "y389\n")
    assert file.read_bytes().decode(errors="surrogateescape") == wanted


def test_patch_of_several_files_applies(tmp_path):
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git_apply(tmp_path, patch.render(REPORT, SOURCES))
    assert (tmp_path / "train.py").read_text().endswith("(logits, labels.squeeze(1))\n")
    assert (tmp_path / "fit.py").read_text() == "a\nb\nloss = (\n    pred.squeeze(1){}\n)\n"
    assert (tmp_path / "model/head.py").read_text() == "def f():\n        keep()"


def test_patch_leaves_out_what_it_cannot_do():
    def edit(text, *span, file="t.py"):
        return proposal(Edit(file, Span(*span), text))

    kept = edit("X", 1, 0, 1, 3)
    sources = {"t.py": "abc\nd\n", "/elsewhere/u.py": "abc\n"}
    alone = patch.render([kept], sources)
    left_out = [
        edit("Y", 1, 2, 1, 4),  # behind the end of its line
        edit("Y", 9, 0, 9, 0),  # behind the end of the file
        edit("Y", 1, 2, 2, 0),  # overlaps
        edit("Y", 1, 1, 1, 1),  # inserts within
        edit("Y", 2, 1, 2, 0),  # ends before it starts
        edit("Y", 1, 0, 1, 1, file="/elsewhere/u.py"),
        edit("Y", 1, 0, 1, 1, file="<stdin>"),
        kept,  # the same again
    ]
    assert alone == "--- a/t.py\n+++ b/t.py\n@@ -1,2 +1,2 @@\n-abc\n+X\n d\n"
    for other in left_out:
        assert patch.render([kept, other], sources) == alone
    assert patch.render([edit("abc", 1, 0, 1, 3)], sources) == ""
    twice = edit("Y", 1, 1, 1, 1)
    assert patch.render([twice, twice], sources) == patch.render([twice], sources)


def test_patch_ends_a_name_with_a_space_as_git_does():
    change = proposal(Edit("my file.py", Span(1, 0, 1, 1), "b"))
    assert patch.render([change], {"my file.py": "a\n"}).startswith("--- a/my file.py\t\n")


def test_patch_of_a_report_takes_no_suggestion():
    edit = Edit("train.py", Span(1, 0, 1, 6), "from")
    only = replace(column().diagnosis, proposals=(proposal(edit, level="suggestion"),))
    only = Checked(only, Swept((), ()))
    assert patch.render(Report("", (only,), ()), SOURCES) == ""
