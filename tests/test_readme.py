"""The READMEs tell the truth: translations are current, and the output shown is the real one."""

import hashlib
import os
import re
from pathlib import Path

import pytest

from tests import warm
from tests.floats import rounded_like

ROOT = Path(__file__).parents[1]
ENGLISH = ROOT / "README.md"
TRANSLATIONS = [ROOT / f"README.{lang}.md" for lang in ("es", "ja", "zh")]

STAMP = re.compile(r"\A<!-- translates README\.md sha256:([0-9a-f]{12}) -->\n")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
DEMO = re.compile(r"(?<=<!-- demo:start -->\n```text\n).*?(?=```\n<!-- demo:end -->)", re.DOTALL)


def stamp_of(english: str) -> str:
    """Of the sentences: output is the same in every language, and may change."""
    english = FENCED.sub("", english)
    return hashlib.sha256(english.encode()).hexdigest()[:12]


def is_current(translation: str, english: str) -> bool:
    stamp = STAMP.match(translation)
    return stamp is not None and stamp[1] == stamp_of(english)


def with_demo(text: str, output: str) -> str:
    return DEMO.sub(lambda _: output, text)


def with_stamp(translation: str, english: str) -> str:
    return STAMP.sub(f"<!-- translates README.md sha256:{stamp_of(english)} -->\n", translation)


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.name)
def test_translation_is_current(path):
    english = ENGLISH.read_text(encoding="utf-8")
    assert is_current(path.read_text(encoding="utf-8"), english), (
        f"README.md changed: bring {path.name} up to date, then stamp it {stamp_of(english)}"
    )


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.name)
def test_code_is_the_same_in_every_language(path):
    blocks = FENCED.findall(ENGLISH.read_text(encoding="utf-8"))
    assert blocks
    assert FENCED.findall(path.read_text(encoding="utf-8")) == blocks


def test_changed_readme_is_caught():
    english = "Some crash.\n"
    translation = with_stamp("<!-- translates README.md sha256:000000000000 -->\n", english)
    assert is_current(translation, english)
    assert not is_current(translation, english + "Some do not.\n")
    assert not is_current("Unos fallan.\n", english)


def test_demo_output_is_real(rewrite_golden):
    output = demo_output()
    if rewrite_golden:
        rewrite_demo(output)
    for path in (ENGLISH, *TRANSLATIONS):
        shown = DEMO.search(path.read_text(encoding="utf-8"))
        assert shown is not None, f"{path.name} has no demo block"
        assert shown[0] == rounded_like(output, shown[0]), (
            f"{path.name} shows other output: run `make golden`"
        )


def test_rewriting_the_demo_keeps_the_rest():
    text = "a\n<!-- demo:start -->\n```text\nold\n```\n<!-- demo:end -->\nb\n"
    assert with_demo(text, "new \\1\n") == text.replace("old", "new \\1")


def demo_output() -> str:
    """What the demo prints now."""
    plain = {**os.environ, "NO_COLOR": "1"}
    run = warm.run(["-m", "examples.demo", "silent"], cwd=ROOT, env=plain, text=True)
    assert run.returncode == 0, run.stderr
    return str(run.stdout).strip("\n") + "\n"


def rewrite_demo(output: str) -> None:
    """Put it into every README."""
    before = ENGLISH.read_text(encoding="utf-8")
    after = with_demo(before, output)
    ENGLISH.write_text(after, encoding="utf-8")
    for path in TRANSLATIONS:
        text = path.read_text(encoding="utf-8")
        # The output is not translated: a translation that was current before still is.
        stamped = with_stamp(text, after) if is_current(text, before) else text
        path.write_text(with_demo(stamped, output), encoding="utf-8")
