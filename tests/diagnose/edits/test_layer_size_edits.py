"""A size of a layer that does not fit: where its number is written, and how it is changed."""

import pytest

from tests.diagnose.snippets import mended

NET = """
class Net(nn.Module):
    def __init__(self, width={default}):
        super().__init__()
        self.head = nn.Linear({written}, 2)
    def forward(self, x):
        return self.head(x)
{build}(torch.ones(3, 8))
"""


@pytest.mark.parametrize(
    ("default", "written", "build", "first"),
    [
        (4, "6 * 2", "Net()", "self.head = nn.Linear(8, 2)"),
        (4, "width", "Net()", "self.head = nn.Linear(2 * width, 2)"),
        (4, "width * 1", "Net()", "self.head = nn.Linear(width * 2, 2)"),
        (8, "width + 1", "Net()", "self.head = nn.Linear(width, 2)"),
        (8, "2 * width", "Net()", "self.head = nn.Linear(width, 2)"),
        (9, "width", "Net()", "def __init__(self, width=8):"),
        (8, "width", "Net(9)", "Net(8)(torch.ones(3, 8))"),
        (8, "width", "size = 9\nNet(width=size)", "Net(width=8)(torch.ones(3, 8))"),
    ],
)
def test_a_size_is_changed_where_it_is_written(default, written, build, first, tmp_path):
    snippet = NET.format(default=default, written=written, build=build)
    found = mended(snippet, tmp_path)
    if "size = 9" in build:
        assert ["size = 8"] in found, "also where the name comes from"
        assert ["self.head = nn.Linear(8, 2)"] in found, "last, the number instead of the name"
    else:
        assert found[0] == [first]


def test_of_several_callers_the_one_that_made_the_layer_is_changed(tmp_path):
    snippet = """
def block(cin, cout): return nn.Sequential(nn.Conv2d(cin, cout, 1), nn.ReLU())
base = 3
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = block(1, base)
        self.two = block(base * 2, base)
    def forward(self, x):
        x = self.one(x)
        return self.two(torch.cat([x, x, x, x], dim=1))
Net()(torch.ones(2, 1, 4, 4))
"""
    assert ["self.two = block(base * 4, base)"] in mended(snippet, tmp_path)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("F.mse_loss(head(x), torch.ones(4, 3))", "head = nn.Linear(6, 3)"),
        ("F.mse_loss(torch.ones(4, 3), head(x))", "head = nn.Linear(6, 3)"),
        (
            "F.binary_cross_entropy_with_logits(head(x), y)",
            "F.binary_cross_entropy_with_logits(head(x), "
            "torch.nn.functional.one_hot(y, 5).float())",
        ),
    ],
)
def test_the_last_layer_gets_as_many_outputs_as_there_are_targets(call, wanted, tmp_path):
    snippet = f"head = nn.Linear(6, 5)\nx, y = torch.ones(4, 6), torch.tensor([1, 0, 4, 2])\n{call}"
    assert [wanted] in mended(snippet, tmp_path)
