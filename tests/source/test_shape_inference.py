"""Shapes of steps that are over, and of the same steps with another number of rows."""

import pytest

from tests.report.pictures import SILENT, SQUEEZED, pictured


def operand(source: str, role: str, **names):
    return pictured(source, names=names).diagnosis.finding.observation.operand(role)


def origins(source: str, role: str, **names) -> list[tuple[str, tuple[int, ...] | None]]:
    steps = operand(source, role, **names).origins
    return [(each.operation, each.fact.shape if each.fact else None) for each in steps]


LOSS = "\nloss = nn.functional.mse_loss({pred}, torch.zeros({rows}))"
TORCH = "import torch\nfrom torch import nn\n"


def test_each_step_has_its_shape():
    assert origins(SQUEEZED, "input") == [
        ("Linear", (5,)),
        ("squeeze", (6,)),
        ("Sequential", (1, 6, 1, 1)),
        ("iterate", (1, 3, 8, 8)),
    ]


def test_other_rows_are_replayed_from_the_data():
    found = dict(operand(SQUEEZED, "input").at)
    assert (found[1], found[2], found[3]) == ((5,), (2, 5), (3, 5))


@pytest.mark.parametrize(
    ("lines", "shape"),
    [
        ("x = torch.zeros(6, 2)\nx = linear(x)\npred = x[:, 0:1]", (6, 4)),
        ("def made(n):\n    return torch.zeros(n, 4)\npred = made(6)[:, 0:1]", (6, 4)),
        ("a, (b, c) = lstm(torch.zeros(6, 3))\npred = a[:, 0:1]", (6, 4)),
        ("a, (b, c) = lstm(torch.zeros(6, 3))\npred = c[:, 0:1].expand(6, 1)", (1, 1)),
    ],
    ids=["set anew", "returned", "first of several", "deep in several"],
)
def test_names_are_followed(lines, shape):
    layers = "linear, lstm = nn.Linear(2, 4), nn.LSTM(3, 4)\n"
    with pytest.warns(UserWarning, match="target size"):
        found = origins(TORCH + layers + lines + LOSS.format(pred="pred", rows=6), "input")
    assert shape in [each for _, each in found]


def test_a_name_that_was_set_anew_is_not_read_at_its_end():
    source = TORCH + "x = torch.zeros(6, 2)\npred = x[:, 0:1]\nx = torch.zeros(9)"
    with pytest.warns(UserWarning, match="target size"):
        found = dict(origins(source + LOSS.format(pred="pred", rows=6), "input"))
    assert found["zeros"] == (6, 2)


@pytest.mark.parametrize(
    ("moved", "shape"),
    [
        ("x, y = x.to(device), y.to(device)", (6, 4)),
        ("x = x.cpu()", (6, 4)),
        ("x = x.to(torch.float64)", None),  # what it was before is not what it is now
    ],
)
def test_a_name_that_is_only_moved_to_a_device_keeps_its_shapes(moved, shape):
    loop = "device = 'cpu'\nlinear = nn.Linear(2, 4)\n"
    loop += "for x, y in [(torch.zeros(6, 2), torch.zeros(6))]:\n"
    lines = [moved, "pred = linear(x.float())[:, 0:1]", "loss = nn.functional.mse_loss(pred, y)"]
    with pytest.warns(UserWarning, match="target size"):
        found = dict(origins(TORCH + loop + "".join(f"    {each}\n" for each in lines), "input"))
    assert found["Linear"] == shape


def test_what_the_program_defines_is_not_run():
    source = TORCH + (
        "class Loud(nn.Module):\n"
        "    def forward(self, x):\n"
        "        calls.append(1)\n"
        "        return x.sum(1, keepdim=True)\n"
        "model = nn.Sequential(Loud())\npred = model(torch.zeros(6, 2))"
    )
    calls: list[int] = []
    with pytest.warns(UserWarning, match="target size"):
        found = origins(source + LOSS.format(pred="pred", rows=6), "input", calls=calls)
    assert calls == [1]
    assert found[0] == ("Sequential", None)


def test_replay_that_does_not_give_the_seen_shape_is_dropped():
    source = TORCH + "x = torch.zeros(6, 2)\nx.resize_(6, 1)\npred = x + 0" + LOSS
    with pytest.warns(UserWarning, match="target size"):
        found = operand(source.format(pred="pred", rows=6), "input")
    assert found.at == () or dict(found.at)[6] == (6, 1)


def test_replay_leaves_hazards_of_the_program_alone():
    with pytest.warns(UserWarning, match="target size"):
        assert pictured(SILENT).diagnosis.finding.observation.count == 1


def test_nobody_waits_for_pictures_that_were_not_asked_for():
    from wellshaped.observe.loss_guard.watch import guard
    from wellshaped.pipeline.diagnosis import diagnose_hazards

    names: dict[str, object] = {}
    with guard("record") as seen, pytest.warns(UserWarning, match="target size"):
        exec(compile(SILENT, "train.py", "exec"), names)
    (found,) = diagnose_hazards(seen.calls)
    (pred, _) = found.finding.observation.operands
    assert [each.fact for each in pred.origins] == [None] * len(pred.origins)
    assert pred.at == ()
