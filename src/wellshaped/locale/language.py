"""Which language to speak: the one asked for, the environment's, or English."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """What a language calls itself, and a letter of it that not every encoding has."""

    name: str
    letter: str


BY_CODE: Final = {
    "en": Language("English", "a"),
    "es": Language("Español", "ñ"),
    "ja": Language("日本語", "語"),
    "zh": Language("简体中文", "语"),
}
LANGUAGES: Final = tuple(BY_CODE)
_VARIABLES: Final = ("WELLSHAPED_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
# The Chinese here is written in simplified characters; who reads others is better off in English.
_TRADITIONAL: Final = frozenset({"hant", "tw", "hk", "mo"})


class NoLanguage(ValueError):
    """There are no words in the language that was asked for."""

    code = "WS934"

    def __init__(self, asked: str) -> None:
        super().__init__(f"{self.code}: there is no language {asked!r}: {', '.join(LANGUAGES)}")
        self.asked = asked


def language(asked: str | None = None, environ: Mapping[str, str] | None = None) -> str:
    """A code of `LANGUAGES`; the first variable that is set decides, unknown ones mean English."""
    if asked is not None:
        found = _known(asked)
        if found is None:
            raise NoLanguage(asked)
        return found
    given = os.environ if environ is None else environ
    value = next((given[name] for name in _VARIABLES if given.get(name)), "en")
    return _known(value) or "en"


def _known(name: str) -> str | None:
    """`ja`, `ja-JP` and `ja_JP.UTF-8` are Japanese."""
    first, *rest = re.split(r"[-_]", name.partition(".")[0].partition("@")[0].lower())
    if first not in LANGUAGES or (first == "zh" and _TRADITIONAL.intersection(rest)):
        return None
    return first


def can_print(lang: str, encoding: str | None) -> bool:
    """Whether a stream of this encoding has the letters of a language."""
    try:
        BY_CODE[lang].letter.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
