"""Every example on every page runs, and prints what the page says."""

import hashlib
import re
import shlex

import pytest

from tests.docs import codes
from tests.docs.blocks import as_run, blocks, is_run, stray
from tests.docs.checked import CHECKS, command
from tests.docs.pages import DOCS, LANGUAGES, ROOT, run, same, written
from tests.floats import rounded_like
from wellshaped.cli.usage import BadUsage

GUIDE = DOCS / "guide.md"
STAMP = re.compile(r"\A<!-- translates guide\.md sha256:([0-9a-f]{12}) -->\n")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
# The examples of a code's page are the rule's own, and those of a page are in test_snippets.py.
EVERY = [
    path
    for path in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "src").rglob("*.md"))
    if path.parent.name != "codes"
]
# What is put into the READMEs by others: tests/test_readme.py and tests/benchmarks/test_peers.py.
MADE = re.compile(r"<!-- (demo|peers):start -->.*?<!-- \1:end -->", re.DOTALL)
RUNNING = [
    each
    for each in (ROOT / "README.md", *written())
    if any(map(is_run, blocks(each.read_text(encoding="utf-8"))))
]


def name(path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize("path", RUNNING, ids=name)
def test_examples_print_what_the_page_says(path):
    page = path.read_text(encoding="utf-8")
    assert rounded_like(same(run(page)), same(page)) == same(page), (
        f"{path.name} shows other output: run `make docs`, read the diff"
    )


@pytest.mark.parametrize("path", EVERY, ids=name)
def test_every_block_is_run_or_checked(path):
    page = path.read_text(encoding="utf-8")
    assert not stray(page)
    for block in blocks(MADE.sub("", page)):
        if not is_run(block):
            assert block.info in CHECKS, f"nobody runs or checks this: {block}"
            CHECKS[block.info](block.text)
    assert is_run_somewhere(path) or not any(map(is_run, blocks(page)))


def is_run_somewhere(path) -> bool:
    """Whether its examples are run: a page's own, or those of the English one it translates."""
    return path in RUNNING or path.suffixes[:1] in ([f".{lang}"] for lang in LANGUAGES)


def typed(words) -> str:
    """What is wrong with a command; a sentence may leave out what must be given."""
    try:
        command(words)
    except BadUsage as error:
        found = error.message.facts["detail"]
        return "arguments are required" if "arguments are required" in found else found
    return ""


@pytest.mark.parametrize("path", EVERY, ids=name)
def test_commands_in_sentences_can_be_typed(path):
    prose = "".join(parts_of(path.read_text(encoding="utf-8")))
    for line in re.findall(r"`(wellshaped [^`]+)`", prose):
        if not re.search(r"[…|\[]", line):
            assert typed(shlex.split(line)) in ("", "arguments are required"), line


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


def test_only_exceptions_that_are_to_be_seen_are_shown():
    page = "```python run{}\nx\n```\n\n```text output\n?\n```\n"
    with pytest.raises(AssertionError, match="E: e"):
        as_run(page.format(""), lambda _: ["a\0E: e\n"], lambda _: "")
    with pytest.raises(AssertionError, match="raises nothing"):
        as_run(page.format(" raises"), lambda _: ["a\n"], lambda _: "")
    found = as_run(page.format(" raises"), lambda _: ["a\n\0E: e\n"], lambda _: "")
    assert "output\na\nE: e\n```" in found


def test_output_that_no_page_shows_is_caught():
    with pytest.raises(AssertionError, match="nothing says"):
        as_run("```python run\nprint(1)\n```\n", lambda _: ["1\n"], lambda _: "")


def test_blocks_that_nobody_runs_are_caught():
    found = blocks("```python\nx\n```\n\n```python file=a.py\nx\n```\n\n```sh\nx\n```\n")
    assert [is_run(each) or each.info in CHECKS for each in found] == [False, True, True]


@pytest.mark.parametrize("page", ["```sh\nx ```\n", "~~~\nx\n~~~\n", " ```sh\nx\n ```\n"])
def test_fences_that_make_no_block_are_caught(page):
    assert stray(page)
    assert not stray("```sh\nx\n```\n")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("sh", "wellshaped train classify --no-such-option"),
        ("sh", "wellshaped no-such-command"),
        ("sh", "make no-such-target"),
        ("sh", "python -m tests.no_such_module"),
        ("sh", "no-such-program"),
        ("yaml", "- run: wellshaped check --no-such-option train.py"),
        ("yaml", "- uses: <here>\n  with: {program: a.py, no-such-input: 1}"),
        ("yaml", "- id: no-such-hook\n  args: []"),
        ("json", '{"mcpServers": {"w": {"command": "wellshaped", "args": ["mpc"]}}}'),
        ("lua", 'f({ cmd = { "wellshaped", "pls" } })'),
        ("toml", '["WS301.title.drop"]\nstamp = "00000000"\ntext = ""'),
        ("toml", 'model = "m"\n[reward]\ndata = "a"\n[policy]\ndata = "p"\nno_such_setting = 1'),
        ("text", "observe -> diagnos"),
    ],
)
def test_what_is_not_there_is_caught(kind, text):
    with pytest.raises((AssertionError, ValueError, BadUsage)):
        CHECKS[kind](text)


def test_picture_of_the_readme_is_small_and_real():
    data = (DOCS / "report.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert 10_000 < len(data) < 150_000
