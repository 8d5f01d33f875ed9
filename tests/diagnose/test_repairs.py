"""Every repair that may be applied: it parses, touches its own lines, and silences its rule."""

import ast

import pytest

from tests.diagnose.snippets import PRELUDE, diagnosed
from wellshaped.diagnose.faults import rules
from wellshaped.repair.apply import edited_sources

FIRES = [(rule, text) for rule in rules() for text in rule.fires]


def commented(snippet):
    """The snippet with a comment of its own behind every line that can take one."""
    lines = snippet.strip("\n").split("\n")
    marked = [f"{line}  # line {n}" if line.strip() else line for n, line in enumerate(lines)]
    text = "\n".join(marked)
    try:
        same = ast.dump(ast.parse(text)) == ast.dump(ast.parse("\n".join(lines)))
    except SyntaxError:
        same = False
    return text if same else "\n".join(lines)


@pytest.mark.parametrize(("rule", "snippet"), FIRES, ids=lambda value: getattr(value, "name", ""))
def test_an_applied_repair_silences_its_rule(rule, snippet, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    snippet = commented(snippet)
    found = diagnosed(snippet, tmp_path)
    assert found is not None
    applicable = [each for each in found.candidates if each.repair.level != "choice"]
    for proposal in applicable:
        file = str(tmp_path / "example.py")
        before = PRELUDE + snippet + "\n"
        changed = edited_sources(proposal.repair.edits, {file: before})
        assert changed is not None
        after = changed[file]
        ast.parse(after)
        touched = {
            n for e in proposal.repair.edits for n in range(e.span.line, e.span.end_line + 1)
        }
        if len(after.split("\n")) == len(before.split("\n")):
            pairs = enumerate(zip(before.split("\n"), after.split("\n"), strict=True), 1)
            assert all(old == new for n, (old, new) in pairs if n not in touched)
        comments = [line.split("  # ")[1] for line in before.split("\n") if "  # " in line]
        assert all(f"  # {comment}" in after for comment in comments)
        again = diagnosed(after.removeprefix(PRELUDE), tmp_path)
        assert again is None or again.finding.code != rule.code, proposal.repair.edits


def test_many_rules_have_a_repair_that_may_be_applied(tmp_path, monkeypatch):
    """Or the test above would say nothing."""
    monkeypatch.chdir(tmp_path)
    levels = [
        {each.repair.level for each in found.candidates}
        for rule in rules()[:12]
        if (found := diagnosed(rule.fires[0], tmp_path))
    ]
    assert sum(bool(each - {"choice"}) for each in levels) >= 4
