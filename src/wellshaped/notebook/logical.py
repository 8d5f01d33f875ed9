"""Which lines of a text begin a statement: not those inside brackets, strings or behind `\\`."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\r\n]*)|(?P<quote>\"{3}|'{3}|\"|')|(?P<open>[(\[{])|(?P<close>[)\]}])"""
)
# The rest of a string: up to its quote, or to the end of the line where it has only one.
_REST = {
    quote: re.compile(rf"(?:\\.|(?!{quote}).)*({quote})?", re.DOTALL if len(quote) == 3 else 0)
    for quote in ('"""', "'''", '"', "'")
}


class Reader:
    """Goes through a text line by line and knows whether a statement is under way."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._continued = False

    @property
    def inside(self) -> bool:
        """Whether the next line goes on with what came before."""
        return bool(self._depth or self._quote or self._continued)

    def take(self, line: str) -> None:
        """Go past one line of Python."""
        at = 0
        text = line.rstrip("\r\n")
        self._continued = False
        if self._quote:
            at = self._string(text, 0)
        while not self._quote and (found := _TOKEN.search(text, at)):
            at = found.end()
            if found["comment"]:
                return
            if found["quote"]:
                self._quote = found["quote"]
                at = self._string(text, at)
            else:
                self._depth = max(0, self._depth + (1 if found["open"] else -1))
        if not self._quote or len(self._quote) == 1:
            self._continued = text.endswith("\\")
            self._quote = self._quote if self._continued else self._quote[:0]

    def _string(self, text: str, at: int) -> int:
        """Go to the end of a string, or of the line."""
        found = _REST[self._quote].match(text, at)
        assert found is not None
        if found[1]:
            self._quote = ""
        return found.end()


def lines(text: str) -> list[str]:
    """The lines of a text as Python counts them, with their ends."""
    return re.findall(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+", text)
