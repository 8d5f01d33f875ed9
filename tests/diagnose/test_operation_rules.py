"""The rules of operations beyond their own examples: what is blamed, shown and proposed."""

import pytest

from tests.diagnose.snippets import diagnosed
from wellshaped.report.compose import compose
from wellshaped.report.text.terminal import render
from wellshaped.verify.operation_call import try_operation_repair


@pytest.fixture
def found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda snippet: diagnosed(snippet, tmp_path)


def lines(diagnosis):
    """The lines a reader would write instead."""
    return [text for each in diagnosis.proposals for sign, text in each.lines if sign == "+"]


NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head, self.maps = nn.Linear(4, 1), nn.Conv1d(4, 1, 1)
    def forward(self, x):
        return {body}
net = Net()
x = torch.randn(1, 4)
"""


@pytest.mark.parametrize(
    "crash",
    [
        "net(x).size(0)",
        "out = net(x)\nlen(out)",
        "out = net(x)\nout[0]",
        "out = net(x)\nfor row in out: pass",
        "out = net(x)\n[row for row in out]",
        "out = net(x)\nlist(zip(out, x))",
        "out, rows = net(x), []\nrows.extend(out.tolist())",
        "rows = []\nrows.append(net(torch.ones(3, 4)))\nrows.append(net(x))\ntorch.cat(rows)",
        "out, y = net(x), torch.ones(1)\nF.binary_cross_entropy(out.sigmoid(), y)",
        "a, b, y = net(x), net(x), torch.ones(1)\nF.margin_ranking_loss(a, b, y)",
        "net(x).squeeze(1)",
    ],
)
def test_lost_batch_axis_is_traced_to_the_squeeze_in_the_model(found, crash):
    diagnosis = found(NET.format(body="self.head(x).squeeze()") + crash)
    assert diagnosis is not None
    assert diagnosis.finding.code == "WS401"
    assert diagnosis.finding.origin.text == "self.head(x).squeeze()"
    assert diagnosis.proposals[0].lines[-1][1].startswith("return self.head(x).")


@pytest.mark.parametrize(
    ("body", "crash", "repaired"),
    [
        ("self.head(x).squeeze()", "len(net(x))", "self.head(x).squeeze(-1)"),
        ("torch.squeeze(self.head(x))", "len(net(x))", "torch.squeeze(self.head(x), -1)"),
        ("torch.squeeze(x)", "net(x).sum(1)", "torch.flatten(x, 1)"),
        ("x.squeeze(0)", "net(x).softmax(1)", "x"),
        ("x.squeeze().mean(-1)", "len(net(x))", "x.flatten(1).mean(-1)"),
        (
            "self.maps(x[:, :, None]).squeeze()",
            "len(net(x))",
            "self.maps(x[:, :, None]).flatten(1).squeeze(1)",
        ),
    ],
)
def test_repair_stands_where_the_axis_was_lost(found, body, crash, repaired):
    diagnosis = found(NET.format(body=body) + crash)
    assert diagnosis.finding.code == "WS401"
    assert lines(diagnosis) == [f"return {repaired}"]


def test_squeeze_is_not_blamed_for_what_a_later_step_made(found):
    diagnosis = found("x = torch.randn(1, 4).squeeze().view(2, 2)\nx.sum(2)")
    assert diagnosis.finding.code == "WS112"


def test_layers_of_a_hidden_state_are_no_batch(found):
    snippet = (
        "gru = nn.GRU(3, 5)\n_, h = gru(torch.randn(7, 2, 3))\nlast = h.squeeze(0)\nlast.sum(dim=2)"
    )
    assert found(snippet).finding.code == "WS112"


@pytest.mark.parametrize(
    ("snippet", "code", "expected"),
    [
        ("x = torch.randn(4, 48)\nx.view(16, 8, 6)", "WS214", "x.view(-1, 8, 6)"),
        ("x = torch.randn(4, 48)\nx.reshape((16, 48))", "WS214", "x.reshape((-1, 48))"),
        ("x = torch.randn(4, 6).t()\nx.view(24)", "WS214", "x.reshape(24)"),
        ("a, b = torch.ones(4, 2), torch.ones(4, 3)\ntorch.cat([a, b], dim=0)", "WS215",
         "torch.cat([a, b], dim=1)"),
        ("a, b = torch.ones(4, 2), torch.ones(4, 3)\ntorch.cat((a, b), 0)", "WS215",
         "torch.cat((a, b), 1)"),
        ("a, b = torch.ones(4, 2), torch.ones(4)\ntorch.cat([a, b], 1)", "WS215",
         "torch.cat([a, b.unsqueeze(1)], 1)"),
        ("x, bias = torch.ones(2, 5, 3, 4), torch.ones(5)\nx + bias", "WS222",
         "x + bias[:, None, None]"),
        ("a, w = torch.ones(4, 3), torch.ones(4)\na * w", "WS222", "a * w.unsqueeze(1)"),
        ("x = torch.ones(6, 5)\nx.expand(6, 2, 5)", "WS221", "x.unsqueeze(1).expand(6, 2, 5)"),
        ("x, m = torch.ones(4, 9, 2), torch.ones(4, 9, 1).bool()\nx[m]", "WS218",
         "x[m.squeeze(2)]"),
    ],
)  # fmt: skip
def test_line_is_repaired(found, snippet, code, expected):
    diagnosis = found(snippet)
    assert diagnosis.finding.code == code
    assert lines(diagnosis)[:1] == [expected]


def test_mask_with_two_readings_gets_two_proposals(found):
    diagnosis = found("s, m = torch.ones(4, 3, 7, 7), torch.ones(4, 7).bool()\ns.masked_fill(m, 0)")
    assert len(lines(diagnosis)) == 2
    assert {each.repair.level for each in diagnosis.proposals} == {"choice"}


@pytest.mark.parametrize(
    ("snippet", "code"),
    [
        ("x = torch.ones(3, 4)\nb, c, h = x.size()", "WS112"),
        ("x = torch.ones(3, 4)\nx.transpose(1, 2)", "WS112"),
        ("x = torch.ones(3, 4)\nF.softmax(x, 2)", "WS112"),
        ("x = torch.ones(3, 4)\nx[..., 0, 0, 0]", "WS112"),
        ("x = torch.ones(32, 64)\nx.view(32, 128)", "WS214"),
        ("x = torch.ones(3, 4)\nx[None, 5]", "WS218"),
        ("x = torch.ones(3, 4)\nx[-4]", "WS218"),
        ("rows = [[1, 2], [3]]\ntorch.tensor([row for row in rows])", "WS223"),
        ("out = torch.zeros(3)\nout.add_(torch.ones(2, 3))", "WS222"),
    ],
)
def test_fault_is_recognised_in_other_clothes(found, snippet, code):
    diagnosis = found(snippet)
    assert diagnosis is not None
    assert diagnosis.finding.code == code


@pytest.mark.parametrize(
    "snippet",
    [
        "x, order = torch.ones(3, 4), (0, 0)\nx.permute(*order)",
        "x = torch.ones(3, 4)\nx.view(3, 4).view(torch.float16, 2)",
        "x = torch.ones(3, requires_grad=True)\nx.numpy()",
        "sizes, x = (3, 5), torch.ones(3, 4)\nx.view(*sizes)",
        "x, order = torch.ones(3, 4), (0, 1)\nx.permute(*order).numpy().missing",
    ],
)
def test_what_no_rule_knows_is_shown_as_it_is(found, snippet):
    diagnosis = found(snippet)
    assert diagnosis.finding.code == "WS231"
    assert diagnosis.finding.observation.operands[0].text.startswith("x")


@pytest.mark.parametrize(
    "snippet",
    [
        "rows = [1, 2]\nrows.extend(3)",
        "len(3)",
    ],
)
def test_what_is_not_known_well_enough_is_left_alone(found, snippet):
    assert found(snippet) is None


def test_batch_is_not_blamed_when_its_size_is_right(found):
    finding = found("x = torch.ones(32, 64)\nx.view(32, 128)").finding
    assert (finding.code, finding.variant) == ("WS214", "rest")


def test_failure_in_a_worker_that_is_not_collate_is_not_ours(found):
    snippet = """
from torch.utils.data import DataLoader, Dataset
class Rows(Dataset):
    def __len__(self): return 2
    def __getitem__(self, i): raise RuntimeError("stack expects each tensor to be equal size")
for row in DataLoader(Rows(), num_workers=1): pass
"""
    assert found(snippet) is None


def test_ragged_part_of_a_sample_is_pointed_at(found):
    diagnosis = found("""
from torch.utils.data import DataLoader, Dataset
class Rows(Dataset):
    def __len__(self): return 2
    def __getitem__(self, i):
        return {"image": torch.ones(3), "text": torch.ones(2 + i)}
for row in DataLoader(Rows(), batch_size=2): pass
""")
    assert diagnosis.finding.code == "WS223"
    assert diagnosis.finding.origin.text == "torch.ones(2 + i)"
    assert "`text` is (2,) in sample 0 and (3,)" in " ".join(render(compose(diagnosis)).split())


@pytest.mark.parametrize(
    "snippet",
    [
        "x = torch.randn(4, 48)\nx.view(16, 8, 6)",
        "a, b = torch.ones(4, 2), torch.ones(4, 5)\ntorch.cat([a, b])",
        "a, w = torch.rand(4, 3), torch.rand(4)\na * w",
        "x = torch.randn(4, 3, 2).transpose(1, 2)\nx.view(x.size(0), 6)",
        "x, keep = torch.rand(4, 3), torch.ones(4).bool()\nx.masked_fill(keep, 0.0)",
    ],
)
def test_repaired_operation_holds_at_every_batch_size(found, snippet):
    diagnosis = found(snippet)
    repair = diagnosis.proposals[0].repair
    evidence = try_operation_repair(diagnosis.finding.observation, repair)
    assert [trial.batch for trial in evidence.trials] == [1, 2, 3, 4]
    assert evidence.proven, evidence.trials


def test_wrong_repair_of_an_operation_is_rejected(found):
    diagnosis = found("a, w = torch.rand(4, 3), torch.rand(4)\na * w")
    repair = diagnosis.proposals[0].repair
    wrong = type(repair)("insert", changes=(type(repair.changes[0])("other", "[:3]"),))
    evidence = try_operation_repair(diagnosis.finding.observation, wrong)
    assert not evidence.proven
    assert evidence.breaks_at
