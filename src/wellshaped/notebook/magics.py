"""The source of a cell as plain Python: magics and shell lines give way, the rest stays in place.

IPython's own syntax is read without IPython. Every line keeps its number, and what is run keeps
its columns, so that a span of the Python text is the same span of the cell.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from wellshaped.notebook.logical import Reader, lines
from wellshaped.records.source import cell_of

# Magics whose argument, or whose cell, is Python that runs.
_RUNNING = ("time", "timeit", "prun", "memit", "capture", "debug")
# Magics that change how things look, or are for the reader alone.
_HARMLESS = (
    *("alias_magic", "autoawait", "autocall", "autoreload", "colors", "config", "history"),
    *("html", "javascript", "js", "latex", "load_ext", "lsmagic", "markdown", "matplotlib"),
    *("pdb", "pinfo", "pinfo2", "precision", "reload_ext", "svg", "tensorboard", "unload_ext"),
    *("who", "who_ls", "whos", "xmode"),
)
_ROW = re.compile(r"(?P<indent>[ \t\f]*)(?P<body>.*?)(?P<end>[ \t\f]*(?:\r\n?|\n)?)", re.DOTALL)
_MAGIC = re.compile(r"%{1,2}(?P<name>[A-Za-z_]\w*)[ \t]*(?P<rest>.*)", re.DOTALL)
_TIMED = re.compile(
    rf"(?P<head>%(?:{'|'.join(_RUNNING)})(?:[ \t]+-\w+(?:[ \t]+\d+)?)*[ \t]+)(?P<rest>.+)"
)
_ASSIGNED = re.compile(r"(?P<target>[\w., \t\[\]'\"]+?[ \t]*=[ \t]*)(?P<mark>[!%])\S.*")
_HELP = re.compile(r"\?{1,2}[\w.*%]+|%{0,2}[\w.*\[\]]+\?{1,2}")
_INSTALLER = re.compile(r"(?:pip3?|conda|mamba|uv)[ \t]+[a-z]\S*")  # IPython needs no `%` there
_PLAIN_WORD = re.compile(r"[^\s${}'\"]+|'[^'${}]*'|\"[^\"${}]*\"")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line of a cell that was not run, or the line that begins a cell that was not."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Translated:
    """A cell as Python, and what of it has no part in the program."""

    text: str
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class _Instead:
    """What stands for a line, and whether something is lost by that."""

    text: str
    lost: bool


@lru_cache(maxsize=512)
def translated(source: str) -> Translated:
    """The cell as Python; a cell that is Python already stays as it is."""
    if _parses(source):
        return Translated(source)
    rows = lines(source)
    first = next((at for at, row in enumerate(rows) if row.strip()), 0)
    magic = _MAGIC.match(rows[first].strip()) if rows[first].startswith("%%") else None
    if magic is None:
        return _body(rows)
    if magic["name"] not in _RUNNING:
        lost = magic["name"] not in _HARMLESS
        note = (Skipped(first + 1, rows[first].strip()),) if lost else ()
        return Translated("".join(map(_comment, rows)), note)
    rows[first] = _captured(magic) + rows[first]
    return _body(rows)


def as_python(source: str) -> str:
    """The Python of a cell, line by line and column by column where it stands in the cell."""
    return translated(source).text


def python_of(file: str, text: str) -> str:
    """The Python in the text of a file, which may be a cell."""
    return as_python(text) if cell_of(file) else text


def _captured(magic: re.Match[str]) -> str:
    """`%%capture name` names what it caught; nothing was."""
    words = [each for each in magic["rest"].split() if not each.startswith("-")]
    named = magic["name"] == "capture" and words and words[0].isidentifier()
    return f"{words[0]} = get_ipython()  # " if named else "# "


def _body(rows: list[str]) -> Translated:
    reader = Reader()
    skipped: list[Skipped] = []
    found: list[str] = []
    continued = False  # a shell line that ends with a backslash goes on in the next one
    for number, row in enumerate(rows, start=1):
        instead = None if reader.inside or continued else _instead(row)
        if continued:
            row = _comment(row)
        elif instead is not None:
            row, text = instead.text, row.strip()
            skipped += [Skipped(number, text)] if instead.lost else []
        continued = (continued or instead is not None) and rows[number - 1].rstrip().endswith("\\")
        if instead is None and not continued:
            reader.take(row)
        found.append(row)
    return Translated("".join(found), tuple(skipped))


def _instead(row: str) -> _Instead | None:
    """What stands for a line that is IPython's; None for a line of Python."""
    parts = _ROW.fullmatch(row)
    assert parts is not None
    indent, body, end = parts["indent"], parts["body"], parts["end"]
    for text, lost in _readings(body):
        new = text if text is not None else f"pass  # {body}" if indent else f"# {body}"
        return _Instead(f"{indent}{new}{end}", lost)
    return None


def _readings(body: str) -> Iterator[tuple[str | None, bool]]:
    """The Python for a line of IPython, None for nothing; and whether it is a loss."""
    if _HELP.fullmatch(body):
        yield None, False
    elif body.startswith("!") or _INSTALLER.match(body):
        yield None, True
    elif magic := _MAGIC.fullmatch(body):
        text = _line_magic(body, magic)
        idle = magic["name"] in _HARMLESS or (magic["name"] in _RUNNING and not magic["rest"])
        yield text, text is None and not idle
    elif found := _ASSIGNED.fullmatch(body):
        yield f"{found['target']}{'[]' if found['mark'] == '!' else None}  # {body}", True


def _line_magic(body: str, magic: re.Match[str]) -> str | None:
    timed = _TIMED.fullmatch(body)
    if timed and _parses(f"if 1: {timed['rest']}"):
        return "if 1:".ljust(len(timed["head"])) + timed["rest"]
    if magic["name"] == "cd" and _PLAIN_WORD.fullmatch(magic["rest"].removeprefix("-q ").strip()):
        folder = magic["rest"].removeprefix("-q ").strip().strip("'\"")
        return f"get_ipython().run_line_magic('cd', {folder!r})"
    return None


def _comment(row: str) -> str:
    return f"# {row}"


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
