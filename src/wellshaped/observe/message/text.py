"""A pasted text, taken apart: its errors, last first, each with the frames before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wellshaped.records.source import Passage, Place, Span

_MOST = 1_000_000
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])")
# What launchers, loggers and pytest write before each line.
_PREFIXES = re.compile(
    r"(?m)^(?:\[rank\d+\]:\s?|[EWIF]\d{4} [\d:.]+ +\d+ [^\]\n]{1,300}\] ?|E {3,})"
)
_ERROR = re.compile(
    r"(?P<type>(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Mismatch|Interrupt|Exit))"
    r"(?::\s?(?P<text>.*))?"
)
_WARNING = re.compile(r"(?P<file>\S.*?):(?P<line>\d+): (?P<type>\w+Warning): (?P<text>.*)")
_FRAMES = (
    re.compile(r'\s*File "(?P<file>.+?)", line (?P<line>\d+)(?:, in (?P<name>.+))?'),
    re.compile(r"File (?P<file>\S.*?):(?P<line>\d+)(?:, in (?P<name>[^\s(]+).*)?"),
    re.compile(r"(?P<file>\w* ?In ?\[\d+\]), line (?P<line>\d+)(?:, in (?P<name>\w+).*)?"),
    re.compile(r"(?P<file>\w* ?In ?\[\d+\]), in (?P<name><[^>]*>|[^\s(]+).*"),
    re.compile(r"(?P<file>\S+\.py|<ipython-input-[^>]+>) in (?P<name><[^>]*>|[^\s(]+).*"),
    re.compile(r"(?P<file>\S+\.py):(?P<line>\d+): (?:in (?P<name>\w+)|\w+)"),
)  # fmt: skip
_ARROW = re.compile(r"-+> ?(?P<line>\d+)\s?(?P<source>.*)")
_CARETS = re.compile(r"\s*[~^]+\s*")
_CHAIN = re.compile(
    r"Traceback \(most|The above exception was|During handling of the above|Original Traceback"
)


@dataclass(frozen=True, slots=True)
class PastedError:
    """One error of a text: its type, its message, and its frames, outermost first."""

    type: str
    text: str
    frames: tuple[Passage, ...] = ()


def errors_of(text: str) -> list[PastedError]:
    """The errors in a text, the last one first; the whole text as one where none is marked."""
    lines = _PREFIXES.sub("", _ESCAPES.sub("", text[-_MOST:])).replace("\r", "").split("\n")
    found = list(_errors(lines))
    return found[::-1] or [PastedError("", "\n".join(lines).strip())]


def _errors(lines: list[str]) -> Iterator[PastedError]:
    frames: list[Passage] = []
    at = 0
    while at < len(lines):
        line = lines[at].rstrip()
        warned, raised = _WARNING.fullmatch(line), _ERROR.fullmatch(line)
        if (frame := _frame(lines, at)) is not None:
            frames.append(frame)
        elif warned is not None:
            source = lines[at + 1].strip() if at + 1 < len(lines) else ""
            place = Place(warned["file"], int(warned["line"]), "")
            yield PastedError(warned["type"], warned["text"], (_passage(place, source),))
        elif raised is not None and not _is_header(line):
            more = list(_message(lines[at + 1 :]))
            text = "\n".join([raised["text"] or "", *more])
            yield PastedError(raised["type"], text.strip(), tuple(frames))
            frames = []
            at += len(more)
        at += 1


def _is_header(line: str) -> bool:
    """IPython opens a traceback with the type alone, or with the word behind it."""
    return "Traceback (most recent" in line


def _message(lines: list[str]) -> Iterator[str]:
    """The further lines of a message: up to a frame, another error, or another traceback."""
    for at, line in enumerate(lines):
        stops = _CHAIN.search(line) or _ERROR.fullmatch(line.rstrip())
        if stops or _WARNING.fullmatch(line.rstrip()) or _frame(lines, at) is not None:
            return
        yield line


def _frame(lines: list[str], at: int) -> Passage | None:
    line = lines[at].rstrip()
    found = next((match for form in _FRAMES if (match := form.fullmatch(line))), None)
    if found is None:
        return None
    groups = found.groupdict()
    name = (groups.get("name") or "").strip()
    number, source, carets = _source(lines, at)
    number = int(groups.get("line") or 0) or number
    name = "" if name.startswith("<") else name
    return _passage(Place(found["file"], number, name), source, carets)


def _source(lines: list[str], at: int) -> tuple[int, str, str]:
    """The line of code shown for a frame, its number where an arrow tells, and its carets."""
    for here in range(at + 1, min(at + 16, len(lines))):
        arrow = _ARROW.match(lines[here])
        if arrow is not None:
            return int(arrow["line"]), arrow["source"].strip(), ""
        if not lines[here].strip() or any(form.fullmatch(lines[here]) for form in _FRAMES):
            break
    below = lines[at + 1] if at + 1 < len(lines) else ""
    code = below.strip() if below.startswith("    ") else ""
    under = lines[at + 2] if code and at + 2 < len(lines) else ""
    indent = len(below) - len(below.lstrip())
    return 0, code, under[indent:] if _CARETS.fullmatch(under) else ""


def _passage(place: Place, source: str, carets: str = "") -> Passage:
    if not source:
        return Passage(place)
    start, end = 0, len(source)
    if carets.strip():
        start, end = len(carets) - len(carets.lstrip()), min(len(carets.rstrip()), end)
    span = Span(place.line, start, place.line, end) if start < end else None
    return Passage(place, span, source[start:end], ((place.line, source),))
