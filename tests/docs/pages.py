"""The pages that are written by hand: their examples run, and show what they print."""

import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.docs.blocks import as_run, blocks
from tests.docs.commands import command, python
from tests.floats import rounded_like

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LANGUAGES = ("es", "ja", "zh")


def written() -> list[Path]:
    """Every English page of the docs that is not made from the rules."""
    every = (each for each in DOCS.rglob("*.md") if each.parent.name != "codes")
    return sorted(each for each in every if each.suffixes[:1] not in ([f".{x}"] for x in LANGUAGES))


def run(page: str) -> str:
    """The page with what its examples print now, in a folder with the programs of `examples`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program in (ROOT / "examples").glob("*.py"):
            shutil.copy(program, folder)
        for block in blocks(page):
            if block.file:
                (folder / block.file).write_text(block.text, encoding="utf-8")
        return as_run(
            page,
            lambda sources: python(sources, folder),
            lambda line: command(line, folder),
        )


def same(page: str) -> str:
    """A page without what depends on how busy the machine is: how often a hazard was seen."""
    return re.sub(r"(?<=seen here )\d+(?= times)", "…", page)


def rewrite(paths: Iterable[Path] = ()) -> None:
    """Put what the examples print now into the pages."""
    for path in paths or (ROOT / "README.md", *written()):
        before = path.read_text(encoding="utf-8")
        after = run(before)
        if rounded_like(same(after), same(before)) != same(before):
            path.write_text(after, encoding="utf-8")
            print(f"{path.relative_to(ROOT)}: changed")


def translate() -> None:
    """Give the translations of the guide and of the README the examples of the English ones."""
    for page in (DOCS / "guide.md", ROOT / "README.md"):
        english = [each.text for each in blocks(page.read_text(encoding="utf-8"))]
        for lang in LANGUAGES:
            path = page.with_suffix(f".{lang}.md")
            path.write_text(_filled(path.read_text(encoding="utf-8"), english), encoding="utf-8")


def _filled(page: str, texts: list[str]) -> str:
    for block, text in reversed(list(zip(blocks(page), texts, strict=True))):
        page = page[: block.start] + text + page[block.end :]
    return page
