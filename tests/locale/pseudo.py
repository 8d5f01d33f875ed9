"""A language without letters: what can still be read in it did not come from the catalogue."""

import re

from wellshaped.locale.catalogue import Words
from wellshaped.locale.entries import entries, stamp
from wellshaped.report.document import Document, Paragraph, TableRow

_KEPT = re.compile(r"`[^`]*`|\{\w*\}")
_WORDS = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")


def _without_letters(text: str) -> str:
    """`Axis {axis} of {name}` as `字字 {axis} 字 {name}`."""
    kept = _KEPT.findall(text)
    between = [re.sub(r"[A-Za-z]+", "字", part) for part in _KEPT.split(text)]
    pairs = zip(between, [*kept, ""], strict=True)
    return "".join(part for pair in pairs for part in pair)


PSEUDO = Words("xx", {key: (stamp(text), _without_letters(text)) for key, text in entries()})


def english_left(document: Document) -> list[str]:
    """Texts of a document that still hold two words in a row, outside of code and of torch's."""
    texts = [document.headline, *(each.note for each in document.excerpts)]
    for group in document.groups:
        for part in group:
            if isinstance(part, TableRow):
                texts += part.cells
            elif isinstance(part, Paragraph):
                texts.append(part.text)
            else:
                texts += [part.title, part.level_word]
    own = "wellshaped explain"
    torch = document.groups[-1][-1] if document.groups else None
    said = [text for text in texts if not isinstance(torch, Paragraph) or text != torch.text]
    return [
        text for text in said if not text.startswith(own) and _WORDS.search(_KEPT.sub("", text))
    ]
