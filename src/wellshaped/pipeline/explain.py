"""Explains an error from Python: a live exception by its frames, a text by what it says."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from wellshaped.diagnose.by_message import codes_for_message
from wellshaped.locale import Words, in_one_language, words
from wellshaped.observe import observe_message
from wellshaped.observe.message.as_observation import observations
from wellshaped.pipeline.diagnosis import diagnose, diagnose_exception, diagnose_hazards
from wellshaped.records.check import Checked, Swept
from wellshaped.records.diagnosis import Diagnosis
from wellshaped.records.message import Pasted
from wellshaped.records.observation import LossCall, Operand
from wellshaped.report import html
from wellshaped.report.compose import compose
from wellshaped.report.compose_message import compose_message, compose_reading, compose_unknown
from wellshaped.report.document import Document
from wellshaped.report.formats import machine
from wellshaped.report.text.terminal import render

VERSION = 2


@dataclass(frozen=True, repr=False)
class Explanation:
    """What there is to say of an error; true where something is known of it.

    As text it is what `wellshaped run` or `wellshaped explain` prints, in a notebook it shows
    itself as HTML, as data it is language-free. `told` is what a text said, None where the
    frames of a live exception did; `diagnoses` are the findings of rules, one for each reading.
    """

    documents: tuple[Document, ...]
    diagnoses: tuple[Diagnosis, ...] = ()
    told: Pasted | None = None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that apply, or may apply where the text leaves that open."""
        found = [each.finding.code for each in self.diagnoses]
        return tuple(dict.fromkeys([*found, *self._may_apply]))

    @property
    def _may_apply(self) -> tuple[str, ...]:
        if self.told is None:
            return ()
        return (
            _others(self.told, self.diagnoses) if self.diagnoses else codes_for_message(self.told)
        )

    def __bool__(self) -> bool:
        return self.told is None or bool(self.told.kind)

    def __str__(self) -> str:
        return self.text()

    def text(self, *, color: bool = False, links: bool = False) -> str:
        """All of it for a terminal."""
        parts = (render(each, color=color, links=links) for each in self.documents)
        return "\n".join(parts).rstrip("\n")

    def __repr__(self) -> str:
        return f"<Explanation: {', '.join(self.codes) or 'nothing known'}>"

    def _repr_html_(self) -> str:
        return html.render(self.documents)

    def to_dict(self) -> dict[str, Any]:
        """The facts as plain data, ready for JSON."""
        told = self.told
        found = [Checked(each, Swept((), ())) for each in self.diagnoses]
        return {
            "version": VERSION,
            "known": bool(self),
            "kind": told.kind if told else None,
            "told": {name: _plain(value) for name, value in told.values.items()} if told else {},
            "findings": [machine.finding_to_dict(each) for each in found],
            "may_apply": list(self._may_apply),
        }


def explain(error: BaseException | str, *, lang: str | None = None) -> Explanation:
    """Say what is behind an error: an exception that was caught, or its text.

    An exception with a traceback is explained as `wellshaped run` does it, from the tensors that
    its frames still hold. One without, or a text (a message of torch's, or a whole traceback),
    is explained as far as its words go: where they allow two readings, both are given. `lang` is
    the language, that of the environment if it is not named.

    >>> import wellshaped
    >>> found = wellshaped.explain("mat1 and mat2 shapes cannot be multiplied (4x9 and 8x5)")
    >>> found.codes, found.to_dict()["told"]
    (('WS211', 'WS111'), {'left': [4, 9], 'right': [8, 5]})
    """
    if isinstance(error, str):
        return explain_text(error, lang)
    return explain_exception(error, lang=lang) or explain_text(_text_of(error), lang)


def explain_exception(
    error: BaseException, hazards: tuple[LossCall, ...] = (), lang: str | None = None
) -> Explanation | None:
    """The explanation by the frames of an exception; None where they do not show a fault."""
    found = diagnose_exception(error, hazards)
    return _explanation(found, lang) if found else None


def explain_hazards(calls: Iterable[LossCall], lang: str | None = None) -> list[Explanation]:
    """The explanations of loss calls that ran and are wrong, one for each place."""
    return [_explanation(found, lang) for found in diagnose_hazards(calls)]


def _explanation(diagnosis: Diagnosis, lang: str | None) -> Explanation:
    return Explanation((compose(diagnosis, words=words(lang)),), (diagnosis,))


def explain_text(text: str, lang: str | None = None) -> Explanation:
    """The explanation of a text, as far as its words go."""
    told = observe_message(text)
    found = tuple(_without_assumptions(each) for each in _readings(told))
    documents = in_one_language(words(lang), lambda each: tuple(_documents(told, found, each)))
    return Explanation(documents, found, told)


def _documents(told: Pasted, found: tuple[Diagnosis, ...], chosen: Words) -> Iterator[Document]:
    if not told.kind:
        yield compose_unknown(told, chosen)
    elif not found:
        yield compose_message(told, codes_for_message(told), chosen)
    for place, each in enumerate(found, 1):
        document = compose(each, words=chosen)
        yield compose_reading(document, _others(told, found), chosen, place=place, count=len(found))


def _readings(told: Pasted) -> Iterable[Diagnosis]:
    """One diagnosis for each fault that the text may be about."""
    found: dict[str, Diagnosis] = {}
    for observation in observations(told):
        diagnosis = diagnose(observation)
        if diagnosis is not None:
            found.setdefault(diagnosis.finding.code, diagnosis)
    return found.values()


def _others(told: Pasted, found: tuple[Diagnosis, ...]) -> tuple[str, ...]:
    """The codes that no shape of the text decides about: what came before the call does."""
    known = {each.finding.code for each in found}
    undecided = {"conv_axes": ("WS506",), "loss": ("WS401",), "class_loss": ("WS402",)}
    shapes = [each for each in told.values.values() if isinstance(each, tuple)]
    left = undecided.get(told.kind, ())
    if told.kind != "conv_axes" and all(shapes):
        left = ()  # no operand is without axes: nothing was squeezed away
    return tuple(code for code in left if code not in known)


def _without_assumptions(diagnosis: Diagnosis) -> Diagnosis:
    """Without the dtypes that the text does not name: plain ones are not printed."""
    seen = diagnosis.finding.observation
    operands = tuple(_plain_dtype(each) for each in seen.operands)
    finding = replace(diagnosis.finding, observation=replace(seen, operands=operands))
    return replace(diagnosis, finding=finding)


def _plain_dtype(operand: Operand) -> Operand:
    if operand.fact is None:
        return operand
    return replace(operand, fact=type(operand.fact)(operand.fact.shape))


def _text_of(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
