"""Where a layer was built, what its replay proves, and what the rules say on larger programs."""

from dataclasses import replace

import pytest

from tests.diagnose.snippets import diagnosed
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place
from wellshaped.verify.module_call import try_module_repair

PLACE = Passage(Place("a.py", 1, ""))


def observed(callee, options, /, **shapes):
    operands = tuple(
        Operand(role.replace("hx0", "hx[0]").replace("hx1", "hx[1]"), TensorFact(*fact))
        for role, fact in shapes.items()
    )
    return Observation("module", callee, callee, PLACE, operands, options)


def outcomes(observation, **changes):
    repair = Repair("", changes=tuple(Change(role, text) for role, text in changes.items()))
    return [(each.batch, each.outcome) for each in try_module_repair(observation, repair).trials]


LINEAR = {"in_features": 12, "out_features": 4000, "weight.dtype": "float32"}


@pytest.mark.parametrize(
    ("callee", "options", "shapes", "changes", "sizes"),
    [
        ("Linear", LINEAR, {"input": [(6, 3, 2, 2)]}, {"input": ".flatten(1)"}, (1, 2, 3, 6)),
        (
            "Linear",
            {**LINEAR, "weight.dtype": "float32"},
            {"input": [(6, 12), "float64"]},
            {"input": ".float()"},
            (1, 2, 3, 6),
        ),
        (
            "Conv2d",
            {"in_channels": 3, "out_channels": 64, "kernel_size": (3, 3), "padding": (1, 1)},
            {"input": [(5, 9, 8, 3)]},
            {"input": ".permute(0, 3, 1, 2)"},
            (1, 2, 3, 5),
        ),
        (
            "GRU",
            {"input_size": 8, "hidden_size": 5, "num_layers": 2, "batch_first": True},
            {"input": [(4, 7, 8)], "hx": [(4, 2, 5)]},
            {"hx": ".transpose(0, 1).contiguous()"},
            (1, 2, 3, 4),
        ),
        (
            "MultiheadAttention",
            {"embed_dim": 8, "num_heads": 2, "batch_first": False},
            {
                "query": [(7, 4, 8)],
                "key": [(7, 4, 8)],
                "value": [(7, 4, 8)],
                "key_padding_mask": [(7, 4), "bool"],
            },
            {"key_padding_mask": ".t()"},
            (1, 2, 3, 4),
        ),
        (
            "MultiheadAttention",
            {"embed_dim": 8, "num_heads": 2, "batch_first": True},
            {
                "query": [(4, 7, 8)],
                "key": [(4, 7, 8)],
                "value": [(4, 7, 8)],
                "attn_mask": [(4, 7, 7), "bool"],
            },
            {"attn_mask": ".repeat_interleave(2, 0)"},
            (1, 2, 3, 4),
        ),
        (
            "Embedding",
            {"num_embeddings": 9, "embedding_dim": 300},
            {"input": [(5, 3), "float32"]},
            {"input": ".long()"},
            (1, 2, 3, 5),
        ),
        (
            "BatchNorm1d",
            {"num_features": 16},
            {"input": [(4, 9, 16)]},
            {"input": ".transpose(1, 2)"},
            (1, 2, 3, 4),
        ),
    ],
)
def test_right_repair_is_proven(callee, options, shapes, changes, sizes):
    found = outcomes(observed(callee, options, **shapes), **changes)
    assert found == [(size, "equal") for size in sizes]


def test_view_that_mixes_rows_is_not_proven():
    seen = observed("Linear", LINEAR, input=[(6, 3, 2, 2)])
    assert ("equal") not in {outcome for _, outcome in outcomes(seen, input=".flatten(0)")}
    conv = {"in_channels": 3, "out_channels": 4, "kernel_size": (3, 3)}
    bare = outcomes(observed("Conv2d", conv, input=[(4, 9, 8, 3)]), input=".transpose(0, 3)")
    assert "equal" not in {outcome for _, outcome in bare}


def test_bare_squeeze_fails_for_one_row():
    seen = observed("Linear", LINEAR, input=[(6, 12, 1, 1)])
    found = dict(outcomes(seen, input=".squeeze()"))
    assert found[2] != "equal" or found[1] != "equal"


def test_new_setting_runs_but_is_no_proof():
    operands = (Operand("input", TensorFact((4, 400))), Operand("in_features", None, PLACE))
    seen = replace(observed("Linear", LINEAR), operands=operands)
    found = outcomes(seen, in_features="400")
    assert {outcome for _, outcome in found} == {"runs"}
    assert {outcome for _, outcome in outcomes(seen, in_features="401")} == {"refused"}


def test_added_batch_axis_is_no_proof():
    conv = {"in_channels": 1, "out_channels": 4, "kernel_size": (3, 3)}
    found = outcomes(observed("Conv2d", conv, input=[(1, 9, 8)]), input=".unsqueeze(0)")
    assert "equal" not in {outcome for _, outcome in found}


def test_unknown_module_is_not_tried():
    assert outcomes(observed("Bilinear", {}, input=[(4, 8)]), input=".t()") == []


MODEL = """
class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4 * 5 * 5, classes)

    def forward(self, x):
        x = self.bn(self.conv(x)).relu()
        return self.fc(x.flatten(1))

"""


def lines(diagnosis):
    return [text for each in diagnosis.proposals for _, text in each.lines]


def test_layer_is_repaired_where_it_is_built(tmp_path):
    found = diagnosed(MODEL + "model = Net(3)\nmodel(torch.randn(4, 1, 8, 8))", tmp_path)
    assert found.finding.code == "WS211"
    assert "self.fc = nn.Linear(144, classes)" in lines(found)
    assert found.finding.origin.text == "nn.Linear(4 * 5 * 5, classes)"


def test_sample_gets_its_batch_axis_where_it_enters(tmp_path):
    text = "model = Net(3)\nimage = torch.randn(1, 7, 7)\nmodel(image)"
    found = diagnosed(MODEL + text, tmp_path)
    assert found.finding.code == "WS111"
    assert "model(image.unsqueeze(0))" in lines(found)


def test_two_layers_alike_are_not_guessed(tmp_path):
    text = "layers = [nn.Linear(8, 8), nn.Linear(8, 8)]\nlayers[1](torch.randn(4, 9))"
    found = diagnosed(text, tmp_path)
    assert found.finding.code == "WS211"
    assert found.finding.origin is None
    assert lines(found) == []


def test_layer_of_a_sequential_is_found_by_its_place(tmp_path):
    text = "net = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 9), nn.Linear(8, 8))\n"
    found = diagnosed(text + "net(torch.randn(4, 8))", tmp_path)
    assert found.finding.observation.layer == "2"
    assert any("nn.Linear(9, 8))" in line for line in lines(found))


def test_mask_of_a_whole_encoder_is_turned_in_the_line(tmp_path):
    text = """
layer = nn.TransformerEncoderLayer(8, 2, batch_first=True)
x, pad = torch.randn(4, 7, 8), torch.zeros(7, 4, dtype=torch.bool)
layer(x, src_key_padding_mask=pad)
"""
    found = diagnosed(text, tmp_path)
    assert found.finding.code == "WS219"
    assert "layer(x, src_key_padding_mask=pad.t())" in lines(found)


def test_state_of_two_tensors_is_swapped_in_both(tmp_path):
    text = """
rnn = nn.LSTM(8, 5, batch_first=True)
x, h, c = torch.randn(4, 7, 8), torch.zeros(4, 1, 5), torch.zeros(4, 1, 5)
rnn(x, (h, c))
"""
    found = diagnosed(text, tmp_path)
    assert found.finding.code == "WS216"
    swap = ".transpose(0, 1).contiguous()"
    assert f"rnn(x, (h{swap}, c{swap}))" in lines(found)


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (
            "fc, x = nn.Linear(12, 2), torch.randn(4, 3, 2, 2)\nfc(x)",
            "fc(x.flatten(1))",
        ),
        (
            "fc, x = nn.Linear(6, 2), torch.randn(4, 5, 3, 2)\nfc(x)",
            "fc(x.flatten(2))",
        ),
        (
            "conv, x = nn.Conv2d(3, 2, 1), torch.randn(8, 9, 3)\nconv(x)",
            "conv(x.permute(2, 0, 1))",
        ),
        (
            "bn, x = nn.BatchNorm1d(6), torch.randn(4, 5, 6)\ny = bn(x)",
            "y = bn(x.transpose(1, 2)).transpose(1, 2)",
        ),
        (
            "fc = nn.Linear(2, 3)\nx = torch.from_numpy(__import__('numpy').ones((4, 2)))\nfc(x)",
            "x = torch.from_numpy(__import__('numpy').ones((4, 2))).float()",
        ),
    ],
)
def test_repair_is_the_one_people_write(tmp_path, program, line):
    found = diagnosed(program, tmp_path)
    assert line in lines(found)
    unbatched = "permute(2" in line
    assert found.proposals[0].repair.level == ("choice" if unbatched else "safe")


@pytest.mark.parametrize(
    "program",
    [
        "fc, x = nn.Linear(4, 2), torch.randn(4, 5)\nfc(x)",
        "conv, x = nn.Conv2d(1, 2, 1), torch.randn(3, 8, 9)\nconv(x)",
        "m, x = nn.MultiheadAttention(8, 2), torch.randn(7, 4, 8)\n"
        "pad = torch.zeros(7, 4, dtype=torch.bool)\nm(x, x, x, key_padding_mask=pad)",
    ],
)
def test_second_reading_makes_it_a_choice(tmp_path, program):
    found = diagnosed(program, tmp_path)
    assert found.proposals
    assert lines(found)
    assert {each.repair.level for each in found.proposals} == {"choice"}


@pytest.mark.parametrize(
    "program",
    [
        "nn.BatchNorm1d(3)(torch.randn(1, 3))",
        "nn.Conv2d(3, 4, 5)(torch.randn(2, 3, 4, 4))",
        "nn.Embedding(3, 4)(torch.tensor([7]))",
        "nn.LSTM(8, 5)(torch.randn(4, 7, 8), torch.zeros(1, 7, 5))",
    ],
)
def test_other_failures_of_layers_are_not_claimed(tmp_path, program):
    mine = ("WS111", "WS211", "WS212", "WS216", "WS217", "WS219", "WS220", "WS504", "WS505")
    found = diagnosed(program, tmp_path)
    assert found is None or found.finding.code not in mine
