"""Every rule through one harness: it fires where it says, and stays quiet where it says."""

import re
from pathlib import Path

import pytest

from tests.diagnose.snippets import diagnosed
from tests.floats import rounded_like
from tests.locale.pseudo import PSEUDO, english_left
from tests.translations import FINISHED
from wellshaped.diagnose.engine import index, page
from wellshaped.diagnose.faults import rules
from wellshaped.diagnose.own_codes import PAGES
from wellshaped.locale.catalogue import words
from wellshaped.report.compose import compose
from wellshaped.report.text.terminal import render

GOLDEN = Path(__file__).parents[2] / "golden" / "rules"
FIRES = [(rule, text) for rule in rules() for text in rule.fires]
QUIET = [(rule, text) for rule in rules() for text in rule.quiet]


def name(value):
    return getattr(value, "name", None) or ""


@pytest.mark.parametrize(("rule", "snippet"), FIRES, ids=name)
def test_rule_fires(rule, snippet, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = diagnosed(snippet, tmp_path)
    assert found is not None, "nothing was found"
    assert found.finding.code == rule.code
    text = render(compose(found))
    assert text.startswith(f"{rule.severity}[{rule.code}]: ")
    told = re.sub(r"(?m)^ +[-+] .*$", "", text.split("\n  torch  ")[0])  # code may say None
    assert not re.search(r"\{\w+\}|torch\.Size|None", told)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert english_left(compose(found, words=PSEUDO)) == [], "words that no language can replace"


@pytest.mark.parametrize("rule", rules(), ids=name)
def test_rendering_is_the_golden_one_in_each_language(rule, tmp_path, monkeypatch, rewrite_golden):
    monkeypatch.chdir(tmp_path)
    found = [diagnosed(snippet, tmp_path) for snippet in rule.fires]
    assert all(found)
    for lang in ("en", *sorted(FINISHED)):
        text = "\n".join(render(compose(each, words=words(lang))) for each in found if each)
        golden = GOLDEN / ("" if lang == "en" else lang) / f"{rule.code}.txt"
        if rewrite_golden:
            golden.parent.mkdir(parents=True, exist_ok=True)
            golden.write_text(text, encoding="utf-8")
        shown = golden.read_text(encoding="utf-8")
        assert rounded_like(text, shown) == shown, "run `make golden` and read the diff"


@pytest.mark.parametrize(("rule", "snippet"), QUIET, ids=name)
def test_rule_stays_quiet(rule, snippet, tmp_path):
    found = diagnosed(snippet, tmp_path)
    assert found is None or found.finding.code != rule.code


@pytest.mark.parametrize("rule", rules(), ids=name)
def test_rule_is_complete(rule):
    assert rule.fires, "a rule has an example that fires"
    assert rule.quiet, "a rule has an example that stays quiet"
    assert re.fullmatch(r"WS[1-59]\d\d", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", rule.name)
    assert set(rule.headlines) == set(rule.whys)
    for part in ("**What happens.**", "**Why.**", "**Repair.**", "**Not a fault**"):
        assert part in rule.page, part
    banned = re.compile(r"\b(dimension|you|your|just|simply)\b", re.IGNORECASE)
    for text in (*rule.headlines.values(), *rule.whys.values(), *rule.titles.values()):
        assert not banned.search(text), text
    for text in rule.headlines.values():
        assert not text.endswith("."), text


def test_codes_and_names_are_unique():
    assert len({rule.code for rule in rules()}) == len(rules())
    assert len({rule.name for rule in rules()}) == len(rules())


def test_index_lists_every_rule_and_page_tells_it():
    assert [code for code, _, _ in index()] == [*sorted(rule.code for rule in rules()), *PAGES]
    assert all(page(code) for code, _, _ in index())
    assert "drop" in page("ws102").lower()
    assert page("column-target") == page("WS102")


def test_every_code_in_the_source_has_a_page():
    source = Path(__file__).parents[3] / "src" / "wellshaped"
    used = {
        code
        for path in source.rglob("*.py")
        for code in re.findall(r"\bWS\d{3}\b", path.read_text(encoding="utf-8"))
    }
    assert used <= {code for code, _, _ in index()}


def test_unknown_code_has_none():
    with pytest.raises(KeyError):
        page("WS000")
