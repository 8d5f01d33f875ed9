"""Which repair comes first, and how it is written."""

from wellshaped.records.diagnosis import Proposal
from wellshaped.records.evidence import Evidence, Trial
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage, Place, Span
from wellshaped.repair.ranking import in_style, rank, replaced_text

TEXT = "scores = model(rows)\nloss = loss_fn(scores, labels)\n"
CALL = Passage(Place("a.py", 2, ""), Span(2, 7, 2, 30), lines=((2, "loss = ..."),))
ORIGIN = Passage(Place("a.py", 1, ""), Span(1, 9, 1, 20), lines=((1, "scores = ..."),))
SEEN = Observation("loss", "mse_loss", "mse_loss", CALL, (), error_type="RuntimeError")


def finding(origin=None):
    return Finding("WS101", "missing-axis", "error", SEEN, origin=origin)


def proposal(*edits, proven=True):
    repair = Repair("", edits=edits)
    outcome = "equal" if proven else "runs"
    return Proposal(repair, Evidence(repair, (Trial(1, outcome),)))


def at_call(text, column=15, end=21):
    return Edit("a.py", Span(2, column, 2, end), text)


def at_origin(text):
    return Edit("a.py", Span(1, 9, 1, 20), text)


def first(*proposals, origin=None):
    return min(proposals, key=lambda each: rank(each, finding(origin), {"a.py": TEXT}))


def test_proven_comes_before_everything():
    small, proven = (
        proposal(at_call("scores[0]"), proven=False),
        proposal(at_call("scores.squeeze(-1)"), at_call("labels.flatten()", 23, 29)),
    )
    assert first(small, proven) is proven


def test_then_the_root_cause():
    call, root = (
        proposal(at_call("scores.squeeze(1)")),
        proposal(at_origin("model(rows).flatten(0)")),
    )
    assert first(call, root, origin=ORIGIN) is root
    assert first(call, root) is call  # where no origin is known, the call is the root


def test_then_the_smallest():
    one, two = (
        proposal(at_call("scores.squeeze(1)")),
        proposal(at_call("scores[0]"), at_call("labels[0]", 23, 29)),
    )
    assert first(two, one) is one
    short, long = proposal(at_call("scores.t()")), proposal(at_call("scores.transpose(0, 1)"))
    assert first(long, short) is short


def test_then_what_names_its_axis():
    named, counted = proposal(at_call("scores.mT()")), proposal(at_call("scores.view()"))
    shorter = proposal(at_call("scores.viuw()"))
    assert first(counted, shorter) is shorter
    assert first(counted, named) is named


def test_the_text_an_edit_replaces():
    assert replaced_text(at_call(""), TEXT) == "scores"
    assert replaced_text(Edit("a.py", Span(1, 9, 2, 4), ""), TEXT) == "model(rows)\nloss"
    assert replaced_text(Edit("a.py", Span(9, 0, 9, 1), ""), TEXT) == ""


def test_an_axis_is_added_the_way_the_file_does_it():
    edit = at_call("labels.unsqueeze(1)")
    assert in_style(edit, "x = y[:, None] * 2").text == "labels[:, None]"
    assert in_style(at_call("labels.unsqueeze(-1)"), "x = y[..., None]").text == "labels[..., None]"
    assert in_style(edit, "x = y[:, None] + z.unsqueeze(0)") is edit
    assert in_style(edit, "x = f(None)") is edit
