"""Holds the tables of the languages against the English, and prints what is left to translate.

python -m tests.translations                      every fault of every finished language
python -m tests.translations todo ja > todo.toml   what is missing or stale, ready to fill
python -m tests.translations merge ja todo.toml    what was filled, into the table, in order
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from wellshaped.locale import language
from wellshaped.locale.entries import entries, stamp
from wellshaped.report.text.width import cells

LOCALE = Path(__file__).parents[1] / "src" / "wellshaped" / "locale"
LANGUAGES = tuple(lang for lang in language.LANGUAGES if lang != "en")
# The languages whose tables must be complete: what is missing in them fails the build.
FINISHED: frozenset[str] = frozenset({"es", "ja", "zh"})

Table = Mapping[str, tuple[str, str]]
_CODE = re.compile(r"`[^`]*`")
_LEADERS = "、。，．：；？！）」』】〕》”’ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々…"  # noqa: RUF001
_WIDEST = 80


@dataclass(frozen=True)
class Term:
    """A word of the glossary: what it is in one language, and what it must not be."""

    english: str
    wanted: tuple[str, ...]
    forbidden: tuple[str, ...]


def faults(lang: str, table: Table, *, finished: bool) -> list[str]:
    """What is wrong with a table, a line for each; an unfinished one may have gaps."""
    known, terms = dict(entries()), glossary(lang)
    found = [f"{lang} {key}: there is no such English" for key in table if key not in known]
    for key, english in known.items():
        if key not in table:
            found += [f"{lang} {key}: missing"] if finished else []
            continue
        made_from, text = table[key]
        if made_from != stamp(english):
            found += [f"{lang} {key}: stale, the English has changed"] if finished else []
            continue
        found += [f"{lang} {key}: {fault}" for fault in _text_faults(key, english, text)]
        found += [f"{lang} {key}: {fault}" for fault in _term_faults(english, text, terms)]
    return found


def _text_faults(key: str, english: str, text: str) -> Iterator[str]:
    if not text.strip():
        yield "empty"
        return
    is_page = key.endswith(".page")
    if not is_page and placeholders(text) != placeholders(english):
        yield f"placeholders {placeholders(text)}, English has {placeholders(english)}"
    # A name that English leaves bare, `a {role}`, other languages may set apart as code.
    bare = set() if is_page else _bare(english)
    odd = (_spans(text) - bare) ^ _spans(english)
    if odd:
        yield f"code differs: {', '.join(sorted(odd))}"
    if is_page and _blocks(text) != _blocks(english):
        yield "the examples differ"
    if is_page and _parts(text) != _parts(english):
        yield "has another number of **parts**"
    if not is_page and "\n" in text:
        yield "has more than one line"
    if "headline" in key and text.endswith((".", "。")):
        yield "a headline has no full stop"


def placeholders(text: str) -> list[str]:
    """The names in braces, sorted; each as often as it occurs counts once."""
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name})


def _spans(text: str) -> set[str]:
    """Code in backticks: the same pieces, in any order, each at least once."""
    return set(_CODE.findall(_without_blocks(text)))


def _bare(text: str) -> set[str]:
    bare = {f"`{{{name}}}`" for name in placeholders(_CODE.sub("", text))}
    return bare - _spans(text)


def _blocks(page: str) -> list[str]:
    """The examples of a page; their comments may be translated."""
    blocks = (part for part in page.split("\n\n") if part.startswith("    "))
    return [re.sub(r"\s+#.*", "", part) for part in blocks]


def _without_blocks(page: str) -> str:
    return "\n\n".join(part for part in page.split("\n\n") if not part.startswith("    "))


def _parts(page: str) -> int:
    return len(re.findall(r"^\*\*", page, re.MULTILINE))


def _term_faults(english: str, text: str, terms: tuple[Term, ...]) -> Iterator[str]:
    prose = re.sub(r"`[^`]*`|\{\w*\}", "", _without_blocks(text)).lower()
    for term in terms:
        if (
            term.english.startswith("**")
            and term.english in english
            and term.wanted[0] not in prose
        ):
            yield f"lacks {term.wanted[0]}"
        for word in term.forbidden:
            if _holds(prose, word):
                yield f"says {word!r}; the glossary says {' or '.join(term.wanted)}"


def _holds(prose: str, word: str) -> bool:
    if not word.isascii() and not re.search(r"[a-z]", word):
        return word in prose
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", prose) is not None


def glossary(lang: str, text: str | None = None) -> tuple[Term, ...]:
    """The table of one language in `glossary.md`: English, wanted, forbidden."""
    whole = (LOCALE / "glossary.md").read_text(encoding="utf-8") if text is None else text
    section = re.search(rf"^## {lang}\b.*?(?=^## |\Z)", whole, re.MULTILINE | re.DOTALL)
    rows = re.findall(
        r"^\|([^|]*)\|([^|]*)\|([^|]*)\|", section[0] if section else "", re.MULTILINE
    )
    return tuple(
        Term(english.strip(), _words(wanted), _words(forbidden))
        for english, wanted, forbidden in rows
        if english.strip() != "English" and not set(english.strip()) <= {"-", ":"}
    )


def _words(cell: str) -> tuple[str, ...]:
    return tuple(word.strip().lower() for word in cell.split(";") if word.strip(" –"))


def line_faults(lang: str, text: str) -> list[str]:
    """What is wrong with the lines of a rendering: too wide, or begun with a closing mark."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if cells(line) > _WIDEST:
            found.append(f"line {number} is {cells(line)} cells wide")
        if lang in ("ja", "zh") and line.strip()[:1] and line.strip()[0] in _LEADERS:
            found.append(f"line {number} begins with {line.strip()[0]}")
    return found


def read(lang: str) -> dict[str, tuple[str, str]]:
    """The table of a language as it is stored."""
    return parse((LOCALE / f"{lang}.toml").read_text(encoding="utf-8"))


def parse(text: str) -> dict[str, tuple[str, str]]:
    """Stamp and text by key."""
    return {key: (entry["stamp"], entry["text"]) for key, entry in tomllib.loads(text).items()}


def missing(table: Table) -> dict[str, str]:
    """The English of each key without a fresh translation."""
    return {
        key: english
        for key, english in entries()
        if table.get(key, ("", ""))[0] != stamp(english) or not table[key][1].strip()
    }


def todo(table: Table) -> str:
    """What is left, as TOML with the English above each text; equal English is listed once."""
    seen: dict[tuple[str, str], list[str]] = {}
    for key, english in missing(table).items():
        seen.setdefault((_slot(key), english), []).append(key)
    parts = []
    for (_, english), (key, *others) in seen.items():
        lines = [f"# {line}".rstrip() for line in english.splitlines()]
        lines += [f"# the same: {', '.join(others)}"] if others else []
        old = table.get(key, ("", ""))[1]
        lines += [f"# before: {line}".rstrip() for line in old.splitlines()]
        parts.append("\n".join([*lines, _entry(key, stamp(english), "")]))
    return "\n".join(parts)


def _slot(key: str) -> str:
    owner, slot, *_ = key.split(".")
    if owner.startswith("WS"):
        return slot
    return owner if owner.startswith("text") else key


def merged(table: Table, filled: Table) -> dict[str, tuple[str, str]]:
    """The table with what was filled, also under the keys whose English is the same."""
    by_english = {(_slot(key), made): text for key, (made, text) in filled.items() if text.strip()}
    found = {}
    for key, english in entries():
        mark = stamp(english)
        own = filled.get(key, ("", ""))
        text = own[1] if own[0] == mark else by_english.get((_slot(key), mark), "")
        is_fresh = table.get(key, ("",))[0] == mark
        if text.strip() and (own[0] == mark or not is_fresh):
            found[key] = (mark, text.strip("\n"))
        elif key in table:
            found[key] = table[key]
    return found


def written(table: Table) -> str:
    """A table as TOML, in its order."""
    return "\n".join(_entry(key, *table[key]) for key in table)


def _entry(key: str, mark: str, text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    if "\n" in text and "'''" not in text:
        quoted = f"'''\n{text}'''"
    elif key.endswith(".page") and not text:
        quoted = "'''\n'''"
    return f'["{key}"]\nstamp = "{mark}"\ntext = {quoted}\n'


def main(arguments: list[str]) -> int:
    """Check, or print or merge what translators fill."""
    match arguments:
        case ["todo", lang]:
            print(todo(read(lang)), end="")
        case ["merge", lang, file]:
            table = merged(read(lang), parse(Path(file).read_text(encoding="utf-8")))
            (LOCALE / f"{lang}.toml").write_text(written(table), encoding="utf-8")
            found = faults(lang, table, finished=False)
            print("\n".join([*found, f"{lang}: {len(missing(table))} left"]))
        case []:
            found = [
                fault
                for lang in LANGUAGES
                for fault in faults(lang, read(lang), finished=lang in FINISHED)
            ]
            counts = ", ".join(f"{lang} {len(missing(read(lang)))}" for lang in LANGUAGES)
            print("\n".join([*found, f"{len(found)} faults; left to translate: {counts}"]))
            return 1 if found else 0
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
