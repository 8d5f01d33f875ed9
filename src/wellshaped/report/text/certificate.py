"""The certificate of a training step as text: one line for each relation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wellshaped.locale import ENGLISH, Words, in_one_language
from wellshaped.records.certificate import Certificate, KeptRelation
from wellshaped.report.compose import shown_path
from wellshaped.report.text.facts import safe
from wellshaped.report.text.width import visible


def render(certificate: Certificate, words: Words = ENGLISH) -> str:
    """A heading, then each relation: holds, broken and where, or why nothing is claimed."""
    return in_one_language(words, lambda each: "".join(_lines(certificate, each)))


def _lines(certificate: Certificate, words: Words) -> Iterator[str]:
    if certificate.rows:
        yield words.summary("certificate", rows=certificate.rows) + "\n"
    else:
        yield words.summary("certificate_unknown") + "\n"
    yield from (f"  {line}\n" for line in _relations(certificate.relations, words))


def _relations(relations: Iterable[KeptRelation], words: Words) -> Iterator[str]:
    for each in relations:
        facts = {"relation": words.summary(f"relation_{each.relation}")}
        if each.reason is not None:
            facts["reason"] = words.summary(each.reason.name, **safe(each.reason.facts))
        name: str = each.standing
        if each.passage is not None:
            place = each.passage.place
            facts["where"] = f"{visible(shown_path(place.file))}:{place.line}"
            name = "by_design" if each.by_design else name
        elif name == "broken":
            name = "broken_somewhere"
        yield words.summary(f"relation_{name}", **facts)
