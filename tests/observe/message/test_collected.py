"""What torch says is known: each text collected from it is explained by the code it stands for."""

import json
from string import Formatter

import pytest
import torch
from torch.distributions import Distribution

from tests.observe.message.collected import collected, provoke
from wellshaped.diagnose.faults import rule
from wellshaped.locale.messages import HEADLINES, WHYS
from wellshaped.observe.message.tables import patterns
from wellshaped.pipeline.explain import explain_text

TEXTS = collected()
KNOWN = [each for each in TEXTS if each.code]


def test_share_of_known_texts():
    assert len({each.text for each in TEXTS}) == len(TEXTS) >= 1000
    assert len(KNOWN) / len(TEXTS) >= 0.98


@pytest.mark.parametrize("case", KNOWN, ids=lambda case: case.call or case.text[:60])
def test_text_is_explained_by_its_code(case):
    found = explain_text(case.text)
    assert case.code in found.codes
    assert case.code in str(found)
    text = str(found).split("\n  torch ")[0]
    assert all(len(line) <= 80 for line in text.splitlines())
    assert not {name for name in found.told.values if f"{{{name}}}" in text}
    json.dumps(found.to_dict())


@pytest.mark.parametrize("case", [each for each in TEXTS if not each.code], ids=lambda c: c.call)
def test_what_is_not_known_is_said_to_be_so(case):
    assert explain_text(case.text).codes == ()


def test_every_code_is_a_rule():
    assert all(rule(each.code) for each in KNOWN)


def test_every_wording_has_what_its_sentences_say():
    lacking = []
    for pattern in patterns():
        said = HEADLINES[pattern.kind] + WHYS[pattern.kind]
        needed = {name for _, name, _, _ in Formatter().parse(said) if name}
        for text in pattern.texts:
            blanks = {name for _, name, _, _ in Formatter().parse(text) if name}
            known = blanks | set(pattern.facts) | ({"callee"} if pattern.callee else set())
            lacking += [(text, needed - known)] if needed - known else []
    assert lacking == []


@pytest.mark.skipif(not torch.__version__.startswith("2.13."), reason="texts are those of 2.13")
def test_torch_says_so():
    Distribution.set_default_validate_args(True)  # torch.compile switches it off for good (2.13)
    asked = [each for each in TEXTS if each.call]
    other = [each for each in asked if words(provoke(each.call)) != words(each.text)]
    # With oneDNN a convolution may fail in the library, which has words of its own.
    torch._C._set_mkldnn_enabled(False)
    try:
        other = [each.call for each in other if words(provoke(each.call)) != words(each.text)]
    finally:
        torch._C._set_mkldnn_enabled(True)
    assert other == []


def words(text):
    """What a text consists of: sets are printed in any order."""
    return sorted((text or "").replace("{", " ").replace("}", " ").replace(",", " ").split())
