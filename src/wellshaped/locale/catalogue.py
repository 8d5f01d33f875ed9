"""The one way to words: texts by name, filled with facts, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from wellshaped.diagnose.faults import rule
from wellshaped.diagnose.own_codes import PAGES
from wellshaped.locale.english import LABELS
from wellshaped.locale.entries import english, entry_key, stamp
from wellshaped.locale.language import language
from wellshaped.records.phrase import Phrase

T = TypeVar("T")


class Untranslated(LookupError):
    """A text has no translation, or one of an older English; say the whole in English then."""


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language. A missing or stale one raises `Untranslated`, but in English.

    `table` holds the stamp and the text of each key; English has none, it lives in the rules
    and in `locale.english`.
    """

    lang: str = "en"
    table: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def sentence(self, code: str, slot: str, variant: str, facts: Mapping[str, Any]) -> str:
        """One sentence of a rule: its headline, why, or the title of a repair."""
        return self._filled(self._text(code, slot, variant), facts, code)

    def title(self, code: str, name: str, facts: Mapping[str, Any]) -> str:
        """What a repair does: the rule's own sentence, or that of a change no rule knows."""
        own = rule(code)
        if own is not None and name in own.titles:
            return self.sentence(code, "title", name, facts)
        return self.label(name, **{each: facts[each] for each in ("before", "after")})

    def label(self, name: str, /, **facts: Any) -> str:
        """A word or phrase that every diagnosis shares."""
        return self._filled(self._text("label", name), facts)

    def choice(self, slot: str, kind: str, facts: Mapping[str, Any]) -> str:
        """What a choice `means`, or what it is `right_if`, by the kind of its move."""
        return self._filled(self._text(slot, kind), facts)

    def note(self, name: str, facts: Mapping[str, Any]) -> str:
        """Why something was not checked."""
        return self._filled(self._text("note", name), facts)

    def summary(self, name: str, /, **facts: Any) -> str:
        """What a command does, or came to."""
        return self._filled(self._text("summary", name), facts)

    def message(self, name: str, /, **facts: Any) -> str:
        """What is wrong with a command."""
        return self._filled(self._text("message", name), facts)

    def training(self, name: str, /, **facts: Any) -> str:
        """What a training run shows, or came to."""
        return self._filled(self._text("training", name), facts)

    def web(self, name: str, /, **facts: Any) -> str:
        """A word of the HTML report, or of the picture of shapes."""
        return self._filled(self._text("web", name), facts)

    def pasted(self, slot: str, kind: str, facts: Mapping[str, Any]) -> str:
        """What is said of a text that was pasted, by its kind: its headline, or why."""
        return self._filled(self._text(f"text_{slot}", kind), facts)

    def text(self, name: str, /, **facts: Any) -> str:
        """What is said of every text that was pasted."""
        return self._filled(self._text("text", name), facts)

    def phrase(self, given: Any, code: str = "") -> Any:
        """A phrase in words: the rule's own, or a shared one; anything else as it is."""
        if not isinstance(given, Phrase):
            return given
        found = rule(code) if code else None
        own = found is not None and given.name in found.phrases
        home = "label" if given.name in LABELS else "training"
        text = self._text(code, "phrase", given.name) if own else self._text(home, given.name)
        return self._filled(text, given.facts, code)

    def page(self, code: str) -> str:
        """The page of a rule or of a code of ours, in Markdown, without a heading."""
        return self._text(code, "page")

    def _text(self, owner: str, slot: str, variant: str = "") -> str:
        text = english(owner, slot, variant)
        if self.lang == "en" or not text:
            return text
        made_from, translated = self.table.get(entry_key(owner, slot, variant), ("", ""))
        if made_from != stamp(text):
            raise Untranslated(entry_key(owner, slot, variant))
        return translated

    def _filled(self, text: str, facts: Mapping[str, Any], code: str = "") -> str:
        return text.format(**{name: self.phrase(fact, code) for name, fact in facts.items()})


ENGLISH: Final[Words] = Words()


def words(lang: str | None = None) -> Words:
    """The words of a language, of the environment's if none is named."""
    return _words(language(lang))


@cache
def _words(known: str) -> Words:
    return ENGLISH if known == "en" else Words(known, read_table(known))


def read_table(lang: str) -> dict[str, tuple[str, str]]:
    """The table of a language: the stamp of the English and the text, by key."""
    import tomllib  # English costs nothing

    data = tomllib.loads(Path(__file__).with_name(f"{lang}.toml").read_text(encoding="utf-8"))
    return {name: (entry["stamp"], entry["text"]) for name, entry in data.items()}


def in_one_language(chosen: Words, say: Callable[[Words], T]) -> T:
    """What `say` makes of the chosen words; all of it in English where one of them is missing."""
    try:
        return say(chosen)
    except Untranslated:
        return say(ENGLISH)


def heading(code: str) -> tuple[str, str, str]:
    """Code, name and severity of a rule or of a code of ours; raises KeyError for another."""
    found = rule(code.upper()) or rule(code)
    if found is None:
        return code.upper(), PAGES[code.upper()][0], "note"
    return found.code, found.name, found.severity
