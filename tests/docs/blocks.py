"""The fenced blocks of a Markdown page: what is run, what it prints, and files it needs.

```python run            run, in the namespace of the page; what it prints follows
```text output           ... here
```python run raises     the same, of code whose exception is to be seen
```python run silently   run; what it prints is not of interest, or differs each time
```python file=train.py  a file in the folder of the page
```console               commands behind `$`, each with what it prints below it

A block in an HTML comment is run too, and prepares what the page does not show. Other kinds cannot
run, and are checked in some other way (`checked.py`).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = ("python run", "python run raises", "python run silently")
# Stands before the exception that code ended with.
RAISED = "\0"
RUN = (*PYTHON, "console", "text output")
_FENCES = re.compile(r"^\s*(?:```|~~~)|```$", re.MULTILINE)
FILE = re.compile(r"(?:python|json|text) file=(\S+)")


@dataclass(frozen=True)
class Block:
    """One block; `start` and `end` are where its text stands in the page."""

    info: str
    text: str
    start: int
    end: int

    @property
    def file(self) -> str:
        """The name of the file it is, if it is one."""
        found = FILE.fullmatch(self.info)
        return found[1] if found else ""


def blocks(page: str) -> list[Block]:
    """All blocks in order."""
    return [
        Block(found["info"], found["text"], found.start("text"), found.end("text"))
        for found in FENCE.finditer(page)
    ]


def is_run(block: Block) -> bool:
    """Whether a block is run, is a file for one that is, or what one prints."""
    return block.info in RUN or bool(block.file)


def stray(page: str) -> bool:
    """Whether some fence belongs to no block: what stands there, nobody reads."""
    return len(_FENCES.findall(page)) != 2 * len(blocks(page))


def commands(text: str) -> Iterator[str]:
    """The commands of a console."""
    yield from (line[2:] for line in text.splitlines() if line.startswith("$ "))


def as_run(
    page: str, run_python: Callable[[list[str]], list[str]], run_command: Callable[[str], str]
) -> str:
    """The page with what its blocks print now."""
    found = blocks(page)
    sources = [each for each in found if each.info in PYTHON]
    printed = dict(
        zip((each.start for each in sources), run_python([s.text for s in sources]), strict=True)
    )
    after: list[tuple[Block, str]] = []
    for block, following in zip_longest(found, found[1:]):
        if block.info in PYTHON:
            output, raised, error = printed[block.start].partition(RAISED)
            wanted = block.info == "python run raises"
            assert bool(raised) == wanted, f"{block.text}: {error or 'raises nothing'}"
            output = "" if block.info == "python run silently" else output + error
            if following is not None and following.info == "text output":
                after.append((following, output))
            else:
                assert not output, f"nothing says what this prints: {block.text}"
        elif block.info == "console":
            shown = (f"$ {each}\n{run_command(each)}" for each in commands(block.text))
            after.append((block, "\n".join(shown)))
    for block, text in reversed(after):
        page = page[: block.start] + text + page[block.end :]
    return page
