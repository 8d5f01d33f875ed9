"""`explain`: a live exception by its frames, a text as far as its words go."""

import json
import traceback
import warnings

import pytest
import torch
from torch import nn
from torch.nn import functional as F

import wellshaped
from tests.diagnose.snippets import PRELUDE
from tests.observe.message.provoked import provoked
from wellshaped.diagnose.by_message import CODES
from wellshaped.diagnose.faults import rule, rules
from wellshaped.locale.messages import HEADLINES, WHYS
from wellshaped.observe.message.tables import patterns
from wellshaped.pipeline.diagnosis import diagnose_exception
from wellshaped.pipeline.explain import explain_text
from wellshaped.report.compose import compose
from wellshaped.report.text.terminal import render

INNER = "mat1 and mat2 shapes cannot be multiplied (4x9 and 8x5)"


def caught(act):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            act()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def test_every_kind_has_its_sentences_and_codes():
    kinds = {pattern.kind for pattern in patterns()}
    assert set(HEADLINES) == set(WHYS) == kinds
    assert {key.split()[0] for key in CODES} == kinds
    assert all(rule(code) for codes in CODES.values() for code in codes)
    for text in (*HEADLINES.values(), *WHYS.values()):
        assert not {"dimension", "you", "your", "just", "simply"} & set(text.lower().split()), text
    assert not any(text.endswith(".") for text in HEADLINES.values())
    assert all(text.endswith(".") for text in WHYS.values())


RAISING = [(each, tensors) for each in provoked() for tensors, says in each.says.items() if says]


@pytest.mark.parametrize(
    ("case", "tensors"), RAISING, ids=lambda value: getattr(value, "code", value)[-60:]
)
def test_whatever_torch_says_is_explained(case, tensors):
    message = case.message(tensors)
    found = explain_text(message)
    text = str(found)
    assert found
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "torch.Size" not in text.split("\n  torch ")[0]
    assert "{" not in text.split("\n  torch ")[0]
    json.dumps(found.to_dict())


# Examples of these raise nothing: there is no text to read.
SILENT = ("WS3", "WS507", "WS508")
# What no rule knows is shown with its tensors; a text has none, and its own rule knows more.
OBSERVED = ("WS231",)
FIRES = [
    (each, text)
    for each in rules()
    for text in each.fires
    if not each.code.startswith((*SILENT, *OBSERVED))
]


@pytest.mark.parametrize(("known", "snippet"), FIRES, ids=lambda value: getattr(value, "name", ""))
def test_text_of_a_rules_example_may_be_that_rule(known, snippet):
    """From the last line alone the reader is never led away from what really happened."""

    def run():
        exec(PRELUDE + snippet.strip("\n"), {"__name__": "__main__"})

    lines = traceback.format_exception_only(caught(run))
    found = explain_text("".join(lines))
    kind = found.told.kind if found.told else ""
    assert known.code in found.codes, (
        f"diagnose/by_message.py: may a text of kind {kind!r} be this?"
    )


def test_live_exception_is_explained_as_run_does():
    logits, labels = torch.zeros(4, 3), torch.zeros(4, 1, dtype=torch.long)
    error = caught(lambda: F.cross_entropy(logits, labels))
    found = wellshaped.explain(error)
    assert found
    assert found.told is None
    assert str(found) + "\n" == render(compose(diagnose_exception(error)))
    assert "F.cross_entropy(logits, labels)" in str(found)
    assert "labels.squeeze(1)" in str(found)
    assert found.codes == ("WS102",)
    assert found.to_dict()["findings"][0]["tensors"][1]["shape"] == [4, 1]


def test_exception_without_frames_is_explained_by_its_text():
    found = wellshaped.explain(RuntimeError(INNER))
    assert found.told is not None
    assert (found.told.kind, found.codes) == ("inner", ("WS211", "WS111"))
    assert "(4, 9) and (8, 5)" in str(found)


def test_exception_of_something_else_is_not_known():
    found = wellshaped.explain(caught(lambda: {}["missing"]))
    assert not found
    assert str(found).startswith("note[WS960]: ")
    assert found.to_dict()["known"] is False
    assert found.codes == ()


def test_text_with_all_shapes_lets_the_rule_speak():
    found = explain_text(
        "Target size (torch.Size([16])) must be the same as input size (torch.Size([16, 1]))"
    )
    assert found.codes == ("WS101",)
    text = str(found)
    assert text.startswith("error[WS101]: `binary_cross_entropy_with_logits` got a target")
    assert "give `target` the missing axis" in text
    assert "[choice]" in text
    assert "[safe]" not in text
    assert "read from the text alone" in text


def test_text_names_no_dtype_that_torch_did_not():
    text = str(explain_text("size mismatch (got input: [4, 3, 8, 8] , target: [4, 6, 8]"))
    assert "int64" not in text
    assert "`cross_entropy` / `nll_loss`" in text


def test_two_readings_give_two():
    text = "stack expects each tensor to be equal size, but got [3] at entry 0 and [4] at entry 2"
    found = explain_text(f"RuntimeError: {text}")
    assert found.codes == ("WS223", "WS215")
    assert "reading 1 of 2" in str(found)
    assert "reading 2 of 2" in str(found)
    assert "sample 2" in str(found)


def test_traceback_decides_between_readings():
    rows = [torch.zeros(3), torch.zeros(5)]
    error = caught(lambda: next(iter(torch.utils.data.DataLoader(rows, batch_size=2))))
    assert explain_text("".join(traceback.format_exception(error))).codes == ("WS223",)
    error = caught(lambda: torch.stack(rows))
    assert "WS215" in explain_text("".join(traceback.format_exception(error))).codes


def test_sample_without_batch_axis_is_a_second_reading():
    text = (
        "Given groups=1, weight of size [4, 1, 3, 3], expected input[{}, 5, 8, 9] to have 1 "
        "channels, but got 5 channels instead"
    )
    assert explain_text(text.format(1)).codes == ("WS212", "WS111")
    assert explain_text(text.format(2)).codes == ("WS212",)


def test_part_of_torch_narrows_the_codes():
    plain = (
        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1"
    )
    assert len(explain_text(plain).codes) > 3
    error = caught(lambda: F.l1_loss(torch.zeros(4, 3), torch.zeros(4, 2)))
    told = explain_text("".join(traceback.format_exception(error)))
    assert "WS222" not in told.codes
    assert "F.l1_loss(torch.zeros(4, 3)" in str(told)


def test_warning_is_a_silent_broadcast():
    text = (
        "Using a target size (torch.Size([64])) that is different to the input size "
        "(torch.Size([64, 1])). This will likely lead to incorrect results due to broadcasting."
    )
    assert explain_text(f"UserWarning: {text}").codes == ("WS301",)
    named = f"train.py:7: UserWarning: {text}\n  loss = F.mse_loss(pred, target)"
    found = explain_text(named)
    assert "64 x 64 = 4096 pairs" in str(found)
    assert "loss = F.mse_loss(pred, target)" in str(found)


def test_squeezed_batch_stays_possible():
    text = "Target size (torch.Size([1])) must be the same as input size (torch.Size([]))"
    assert "WS401" in explain_text(text).codes


def test_explanation_shows_itself_in_a_notebook():
    found = wellshaped.explain(caught(lambda: nn.Linear(8, 5)(torch.zeros(4, 9))))
    assert "WS211" in found._repr_html_()
    assert repr(found) == "<Explanation: WS211>"
    assert repr(wellshaped.explain("hello world")) == "<Explanation: nothing known>"
