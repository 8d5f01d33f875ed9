"""The page as text: one file, everything escaped, a policy that lets nothing else in."""

import re
import warnings
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from tests.report.pictures import RANKING, SILENT, pictured
from tests.report.reports import RUNS
from wellshaped.locale.language import LANGUAGES
from wellshaped.records.check import NotChecked, Report
from wellshaped.records.fix import ChangedFile
from wellshaped.records.phrase import phrase
from wellshaped.report.web.findings import render


class Reader(HTMLParser):
    """The elements of a page, with their attributes, and whether all are closed in order."""

    VOID = ("meta", "link", "input")

    def __init__(self):
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict]] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def page() -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shown = [pictured(RANKING), pictured(SILENT)]
    notes = (NotChecked("WS905", "train.py", 7, phrase("unreached")),)
    report = Report("train.py", (), notes, runs=RUNS)
    changed = [ChangedFile("train.py", "a = 1\n", "a = 2\n")]
    return render("train.py", shown, lang="es", version="9.9", report=report, changed=changed)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


def test_elements_are_closed_and_names_are_unique(page):
    reader = read(page)
    names = [attributes["id"] for _, attributes in reader.seen if "id" in attributes]
    assert len(names) == len(set(names))
    for _, attributes in reader.seen:
        for link in ("for", "data-copy", "aria-labelledby", "href"):
            target = attributes.get(link, "").removeprefix("#")
            assert target in ("", "data:,", *names)


def test_nothing_is_loaded_and_nothing_is_styled_in_place(page):
    for tag, attributes in read(page).seen:
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        assert "src" not in attributes
        link = attributes.get("href", "data:,")
        assert link == "data:," or link.startswith("#"), tag


def test_policy_names_the_very_style_and_script(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    for tag in ("style", "script"):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{tag}-src &#x27;sha256-{digest}&#x27;" in policy[1]
    assert policy[1].startswith("default-src &#x27;none&#x27;")
    assert "unsafe" not in policy[1]


def test_all_languages_are_in_and_one_is_shown(page):
    articles = {a["data-lang"]: a for tag, a in read(page).seen if tag == "main"}
    assert tuple(articles) == LANGUAGES
    assert [lang for lang, each in articles.items() if "hidden" not in each] == ["es"]
    assert "comparó cada predicción" in page
    assert page.startswith('<!DOCTYPE html>\n<html lang="es">')


def test_heading_levels_follow_each_other(page):
    levels = [int(tag[1]) for tag, _ in read(page).seen if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(later <= level + 1 for level, later in pairwise(levels))


def test_how_each_run_ended_is_there(page):
    for text in ("tamaño de lote 3: presupuesto agotado: train.py:60 (WS901)", "incompleto"):
        assert text in page


def test_patch_and_notes_are_there(page):
    assert "--- a/train.py" in page
    assert "WS905" in page


def test_lines_of_a_page_are_joined_in_every_language(page):
    assert "\\n" not in page


def test_several_faults_have_a_list_of_them_one_has_none(page):
    assert page.count('class="contents"') == 4
    alone = render("train.py", [pictured(RANKING)], lang="en", version="9.9")
    assert 'class="contents"' not in alone


def test_nothing_found():
    page = render("train.py", [], lang="en", version="9.9")
    assert "no shape mistakes found" in page


def test_language_without_a_sentence_is_english_as_a_whole(monkeypatch):
    from wellshaped.locale import catalogue
    from wellshaped.report.web import frame

    gone = catalogue.Words("ja", {})
    monkeypatch.setattr(
        frame, "words", lambda lang: gone if lang == "ja" else catalogue.words(lang)
    )
    monkeypatch.setattr(frame, "_picker", lambda lang: "")
    page = render("train.py", [pictured(RANKING)], lang="en", version="9.9")
    assert re.search(r'<main lang="en" data-lang="ja"', page)
