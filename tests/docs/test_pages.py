"""Every example on every page runs, and prints what the page says."""

import hashlib
import re

import pytest

from tests.docs import codes
from tests.docs.blocks import as_run, blocks, unknown
from tests.docs.pages import DOCS, LANGUAGES, ROOT, run, runs_elsewhere, server, written

GUIDE = DOCS / "guide.md"
STAMP = re.compile(r"\A<!-- translates guide\.md sha256:([0-9a-f]{12}) -->\n")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
RUNNING = [
    each
    for each in (ROOT / "README.md", *written())
    if re.search(r"^```(python run|console)$", each.read_text(encoding="utf-8"), re.M)
]


@pytest.fixture(scope="module")
def runner():
    with server() as found:
        yield found


def name(path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize("path", RUNNING, ids=name)
def test_examples_print_what_the_page_says(path, runner):
    page = path.read_text(encoding="utf-8")
    assert run(page, runner) == page, (
        f"{path.name} shows other output: run `make docs`, read the diff"
    )


@pytest.mark.parametrize("path", written(), ids=name)
def test_every_block_is_run_or_says_what_it_is(path):
    found = unknown(path.read_text(encoding="utf-8"))
    assert found == [] or (set(found) == {"python"} and runs_elsewhere(path))


def test_pages_of_the_codes_are_current():
    assert {each.name for each in codes.FOLDER.glob("*")} == set(codes.pages())
    for file, text in codes.pages().items():
        assert (codes.FOLDER / file).read_text(encoding="utf-8") == text, "run `make docs`"


def test_links_lead_somewhere():
    for path in (*DOCS.rglob("*.md"), *ROOT.glob("README*.md")):
        prose = re.sub(r"`[^`\n]*`", "", "".join(parts_of(path.read_text(encoding="utf-8"))))
        for target in LINK.findall(prose):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_every_page_can_be_found():
    pages = (ROOT / "README.md", *written())
    found = {
        (path.parent / target).resolve()
        for path in pages
        for target in LINK.findall(path.read_text(encoding="utf-8"))
    }
    for path in written():
        if path.parent.name != "decisions" and path.name != "README.md":
            assert path.resolve() in found, path.name


def parts_of(page: str) -> list[str]:
    """What stands around the blocks."""
    return re.split(r"^```.*?^```$", page, flags=re.MULTILINE | re.DOTALL)


def stamp_of(english: str) -> str:
    """What a translation of the guide keeps of it: output may change, sentences not."""
    return hashlib.sha256("".join(parts_of(english)).encode()).hexdigest()[:12]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_guide_is_translated_as_it_is_now(lang):
    english = GUIDE.read_text(encoding="utf-8")
    text = (DOCS / f"guide.{lang}.md").read_text(encoding="utf-8")
    stamp = STAMP.match(text)
    assert stamp is not None
    assert stamp[1] == stamp_of(english), (
        f"the guide changed: translate, then stamp it {stamp_of(english)}"
    )
    assert [each.text for each in blocks(text)] == [each.text for each in blocks(english)], (
        "the examples differ: run `make docs`"
    )


def test_stamp_is_of_the_sentences():
    page = "One.\n\n```console\n$ x\nold\n```\n"
    assert stamp_of(page) == stamp_of(page.replace("old", "new"))
    assert stamp_of(page) != stamp_of(page.replace("One", "Two"))


def test_output_is_put_in_its_place():
    page = (
        "```python run\nprint(1)\n```\n\n```text output\n?\n```\n\n```console\n$ a\n?\n\n$ b\n```\n"
    )
    found = as_run(page, lambda sources: [f"ran {len(sources)}\n"], lambda line: f"<{line}>\n")
    assert found == (
        "```python run\nprint(1)\n```\n\n```text output\nran 1\n```\n\n"
        "```console\n$ a\n<a>\n\n$ b\n<b>\n```\n"
    )


def test_output_that_no_page_shows_is_caught():
    with pytest.raises(AssertionError, match="nothing says"):
        as_run("```python run\nprint(1)\n```\n", lambda _: ["1\n"], lambda _: "")


def test_blocks_that_nobody_reads_are_caught():
    assert unknown("```python\nx\n```\n\n```python file=a.py\nx\n```\n") == ["python"]


def test_picture_of_the_readme_is_small_and_real():
    data = (DOCS / "report.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert 10_000 < len(data) < 150_000
