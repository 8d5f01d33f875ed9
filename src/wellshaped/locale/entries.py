"""All English there is to translate, each text under its key: `WS301.why.all_pairs`."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from wellshaped.diagnose.faults import Rule, rule, rules
from wellshaped.diagnose.own_codes import PAGES
from wellshaped.locale.english import LABELS, MESSAGES, NOTES, SUMMARIES
from wellshaped.locale.english_certificate import CERTIFICATE
from wellshaped.locale.english_choices import MEANS, RIGHT_IF
from wellshaped.locale.english_training import TRAINING, TRAINING_MESSAGES
from wellshaped.locale.english_web import WEB
from wellshaped.locale.messages import HEADLINES, PHRASES, WHYS

SHARED = {
    "label": LABELS,
    "means": MEANS,
    "right_if": RIGHT_IF,
    "note": NOTES,
    "summary": SUMMARIES | CERTIFICATE,
    "message": MESSAGES | TRAINING_MESSAGES,
    "training": TRAINING,
    "web": WEB,
    "text": PHRASES,
    "text_headline": HEADLINES,
    "text_why": WHYS,
}


def entry_key(*parts: str) -> str:
    """The key of an entry; a rule with one sentence has no variant to name."""
    return ".".join(part for part in parts if part)


def stamp(english: str) -> str:
    """What a translation keeps of the English it was made from."""
    return sha256(english.encode()).hexdigest()[:8]


def english(owner: str, slot: str, variant: str = "") -> str:
    """One text: `("label", "why")`, `("WS301", "why", "all_pairs")` or `("WS301", "page")`."""
    if owner in SHARED:
        return SHARED[owner][slot]
    found = rule(owner)
    if found is None:
        return PAGES[owner][1]
    return found.page if slot == "page" else _tables(found)[slot][variant]


def entries() -> Iterator[tuple[str, str]]:
    """Every key with its English, in the order of the files; empty texts need no translation."""
    for owner, table in SHARED.items():
        yield from ((entry_key(owner, name), text) for name, text in table.items())
    for each in sorted(rules(), key=lambda one: one.code):
        for slot, texts in _tables(each).items():
            for variant, text in texts.items():
                if text:
                    yield entry_key(each.code, slot, variant), text
        yield entry_key(each.code, "page"), each.page
    yield from ((entry_key(code, "page"), text) for code, (_, text) in PAGES.items())


def _tables(found: Rule) -> dict[str, dict[str, str]]:
    return {
        "headline": dict(found.headlines),
        "why": dict(found.whys),
        "title": dict(found.titles),
        "phrase": dict(found.phrases),
    }
