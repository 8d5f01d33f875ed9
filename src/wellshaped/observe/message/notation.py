"""The notation of the texts: torch's words, with typed blanks where it prints shapes and sizes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from string import Formatter
from typing import Any

# Torch names dtypes as its C++ and Python sides do, and as tensor types.
_DTYPES = {
    "byte": "uint8",
    "unsigned char": "uint8",
    "char": "int8",
    "signed char": "int8",
    "short": "int16",
    "short int": "int16",
    "int": "int32",
    "long": "int64",
    "long int": "int64",
    "long long": "int64",
    "half": "float16",
    "c10::half": "float16",
    "c10::bfloat16": "bfloat16",
    "float": "float32",
    "double": "float64",
    "bool": "bool",
    "complexfloat": "complex64",
    "complexdouble": "complex128",
    "c10::complex<float>": "complex64",
    "c10::complex<double>": "complex128",
}
_TENSOR_TYPE = re.compile(r"(?:torch\.)?(?:cuda\.|CPU|CUDA|Meta)?(\w+?)(?:Tensor|Type)")


def dtype_of(name: str) -> str:
    """A dtype as torch's Python side names it: `int64` for `Long`, `long int`, `torch.int64`."""
    found = _TENSOR_TYPE.fullmatch(name)
    plain = (found[1] if found else name.removeprefix("torch.")).lower()
    return _DTYPES.get(plain, plain)


def _shape(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in re.findall(r"-?\d+", text))


def _unquoted(text: str) -> str:
    return re.sub(r"[\"']", "", text).strip(", ")


_BLANKS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "n": (r"(-?\d{1,18})", int),
    "shape": (r"(?:torch\.Size\()?[\[(]([-\d, ]{0,400})[\])]\)?", _shape),
    "by": (r"(\d{1,18}(?: ?x ?\d{1,18})*)", _shape),
    "dtype": (r"((?:torch\.)?[\w:<>]{1,40}(?:\.\w{1,40})?(?: (?:int|char|long))?)", dtype_of),
    "any": (r"[^\]\n]{0,200}()", str),
    "long": (r"[^\n]{0,2000}?()", str),
    "word": (r"([\w.]{1,80})", str),
    "name": (r"(\w{1,80})", str),
    "part": (r"([\w.]{1,80}(?:\[-?\d{1,9}\])?)", str),
    "real": (r"(-?(?:\d{1,18}(?:\.\d{0,18})?(?:e[-+]?\d{1,4})?|inf|nan))", str),
    "type": (r"(?:<class ')?([\w.]{1,80})(?:'>)?", str),
    "kind": (r"(?:<class ')?([\w.<>|]{1,80})(?:'>)?", str),
    "sign": (r"([-+*/%@&|^~<>=]{1,3}(?: or \w{1,20}\(\))?)", str),
    "types": (r"([\w.=, ]{0,200})", lambda text: text.strip(" ,")),
    "quoted": (r"[\"'`]([^\"'`\n]{1,80})[\"'`]", str),
    "names": (r'((?:"[^"\n]{1,80}"(?:, )?){1,40})', _unquoted),
    "single": (r"((?:'[^'\n]{1,80}'(?:, )?){1,40})", _unquoted),
    "rule": (r"([A-Z]\w{1,40}\([^\n]{0,120}?\))", str),
}


@dataclass(frozen=True)
class Pattern:
    """One meaning, in each of the wordings torch has for it.

    A blank is `{name:n}` for a size, `{name:shape}`, `{name:by}` for `4x9`, `{name:dtype}`,
    `{name:word}`; `{_:any}` is passed over, the blank `callee` is what was called. `facts` are
    what the wording itself tells: which option it is about, what it takes. They may hold blanks
    of the text: `">= {least}"`.
    """

    kind: str
    texts: tuple[str, ...]
    callee: str
    facts: Mapping[str, str | int]

    def __init__(self, kind: str, *texts: str, callee: str = "", **facts: str | int) -> None:
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "texts", texts)
        object.__setattr__(self, "callee", callee)
        object.__setattr__(self, "facts", facts)

    @cached_property
    def _wordings(self) -> list[_Wording]:
        return [_Wording(text) for text in self.texts]

    def read(self, message: str) -> dict[str, Any] | None:
        """What stands in the blanks; None where the message is another one."""
        for wording in self._wordings:
            found = wording.read(message)
            if found is not None:
                return {
                    **{name: _filled(fact, found) for name, fact in self.facts.items()},
                    **found,
                }
        return None


def _filled(fact: str | int, found: Mapping[str, Any]) -> str | int:
    return fact.format(**found) if isinstance(fact, str) else fact


class _Wording:
    """One wording; its expression is made when its longest literal stands in a message."""

    def __init__(self, text: str) -> None:
        self._text = text
        literals = [part for literal, *_ in Formatter().parse(text) for part in literal.split()]
        self._landmark = max(literals, key=len)

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], list[tuple[str, str]]]:
        return _compile(self._text)

    def read(self, message: str) -> dict[str, Any] | None:
        if self._landmark not in message:
            return None
        compiled, blanks = self._compiled
        found = compiled.search(message)
        if found is None:
            return None
        pairs = zip(blanks, found.groups(), strict=True)
        known = {name: _BLANKS[form][1](text) for (name, form), text in pairs}
        return {name: value for name, value in known.items() if name != "_"}


def _compile(text: str) -> tuple[re.Pattern[str], list[tuple[str, str]]]:
    parts: list[str] = []
    blanks: list[tuple[str, str]] = []
    for literal, name, form, _ in Formatter().parse(text):
        parts.append(re.sub(r"(?:\\? )+", r"\\s+", re.escape(literal)))
        if name is not None:
            blanks.append((name, form or "n"))
            parts.append(_BLANKS[form or "n"][0])
    # What was read is not the end of a longer word.
    return re.compile(r"(?<!\w)" + "".join(parts)), blanks
