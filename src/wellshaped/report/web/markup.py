"""Pieces of HTML: whatever comes from a program is escaped, and nothing is styled in place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from wellshaped.report.text.width import visible

_CODE = re.compile(r"`([^`]*)`")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")


def text(raw: object) -> str:
    """Any text, safe in an element and in a quoted attribute."""
    return escape(visible(str(raw)), quote=True)


def code_lines(raw: str) -> str:
    """Lines of code, safe and unbroken."""
    return "\n".join(text(line) for line in raw.split("\n"))


def prose(raw: str) -> str:
    """Running text, with what stands in backticks as code and `**leads**` as strong."""
    parts = _CODE.split(raw)
    return "".join(
        f"<code>{text(part)}</code>" if index % 2 else _BOLD.sub(r"<strong>\1</strong>", text(part))
        for index, part in enumerate(parts)
    )


def element(name: str, content: str | Iterable[str] = "", /, **attributes: object) -> str:
    """`<name …>content</name>`; `klass` is `class`, underscores are hyphens, None is left out."""
    inner = content if isinstance(content, str) else "".join(content)
    return f"<{name}{_attributes(attributes)}>{inner}</{name}>"


def void(name: str, /, **attributes: object) -> str:
    """An element without content."""
    return f"<{name}{_attributes(attributes)}>"


def _attributes(given: dict[str, object]) -> str:
    found = []
    for name, value in given.items():
        if value is None or value is False:
            continue
        shown = "class" if name == "klass" else name.rstrip("_").replace("_", "-")
        found.append(f" {shown}" if value is True else f' {shown}="{text(value)}"')
    return "".join(found)


def hidden(raw: str) -> str:
    """Words for those who listen, where others see a colour or a sign."""
    return element("span", text(raw), klass="heard")
