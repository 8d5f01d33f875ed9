"""The edits that rules write at the origin of a fault: each is one a careful reader would make."""

import pytest

from tests.diagnose.snippets import mended

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 4, 2, batch_first=True)
        self.rows, self.head = 8, nn.Linear(4, 5)
        self.bn, self.cls = nn.BatchNorm2d(4), nn.Parameter(torch.zeros(1, 1, 3))
        self.conv = nn.Conv2d(1, 4, 1)
        layer = nn.TransformerEncoderLayer(4, 2)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
    def forward(self, x):
{body}
def prepare(x): return x / 2
net = Net()
{call}
"""
STATES = "h = torch.zeros(2, self.rows, 4)\nc = torch.zeros((2, self.rows, 4))\n"


@pytest.mark.parametrize(
    ("body", "call", "wanted"),
    [
        (
            STATES + "return self.rnn(x, (h, c))",
            "net(torch.ones(5, 7, 3))",
            ["h = torch.zeros(2, x.size(0), 4)", "c = torch.zeros((2, x.size(0), 4))"],
        ),
        (
            "cls = self.cls.expand(self.rows, -1, -1)\nreturn torch.cat([cls, x], dim=1)",
            "net(torch.ones(5, 7, 3))",
            ["cls = self.cls.expand(x.size(0), -1, -1)"],
        ),
        (
            "return self.bn(self.conv(x))",
            "image = torch.ones(1, 6, 6)\nnet(prepare(image))",
            ["net(prepare(image).unsqueeze(0))"],
        ),
        (
            "return self.encoder(x, src_key_padding_mask=x[..., 0] == 0)",
            "net(torch.ones(5, 7, 4))",
            ["layer = nn.TransformerEncoderLayer(4, 2, batch_first=True)"],
        ),
        (
            "out, _ = self.rnn(x)\nreturn self.head(out)",
            "F.cross_entropy(net(torch.ones(5, 7, 3)), torch.zeros(5, dtype=torch.long))",
            ["return self.head(out[:, -1])"],
        ),
        (
            "_, (hidden, _) = self.rnn(x)\nreturn self.head(hidden.squeeze(0))",
            "F.cross_entropy(net(torch.ones(5, 7, 3)), torch.zeros(5, dtype=torch.long))",
            ["return self.head(hidden[-1])"],
        ),
        (
            "x = x.view(-1, 2)\nreturn self.head(x)",
            "net(torch.ones(5, 2, 2))",
            ["x = x.flatten(1)"],
        ),
        (
            "x = x.view(8, -1)\nreturn self.head(x)",
            "net(torch.ones(4, 2, 2))",
            ["x = x.flatten(1)"],
        ),
    ],
)
def test_a_model_is_mended_where_the_fault_begins(body, call, wanted, tmp_path):
    inside = "\n".join(f"        {line}" for line in body.splitlines())
    assert wanted in mended(NET.format(body=inside, call=call), tmp_path)


@pytest.mark.parametrize(
    ("snippet", "wanted"),
    [
        (
            "a, b = torch.ones(1, 5, 4), torch.ones(5, 1, 4)\nc = torch.cat([a, b], dim=2)",
            ["c = torch.cat([a, b.transpose(0, 1)], dim=2)"],
        ),
        (
            "logits, soft = torch.ones(6, 3), torch.ones(3, 6)\nF.cross_entropy(logits, soft)",
            ["F.cross_entropy(logits, soft.t())"],
        ),
        (
            "ids = {'a': 1, 'b': 2}\ntable = nn.Embedding(len(ids), 3)\ntable(torch.tensor([2]))",
            ["table = nn.Embedding(len(ids) + 1, 3)"],
        ),
        (
            "head, y = nn.Linear(2, 3), torch.tensor([0, 4])\n"
            "F.cross_entropy(head(torch.ones(2, 2)), y)",
            ["head, y = nn.Linear(2, 5), torch.tensor([0, 4])"],
        ),
        (
            "up = nn.ConvTranspose2d(4, 1, 3, 2, 1)\n"
            "F.mse_loss(up(torch.ones(2, 4, 7, 7)), torch.ones(2, 1, 14, 14))",
            ["up = nn.ConvTranspose2d(4, 1, 3, 2, 1, output_padding=1)"],
        ),
    ],
)
def test_a_call_is_mended(snippet, wanted, tmp_path):
    assert wanted in mended(snippet, tmp_path)


def test_a_state_is_not_made_from_an_input_that_comes_after_it(tmp_path):
    late = "h = torch.zeros(1, 9, 5)\nx = torch.ones(4, 7, 8)\nnn.GRU(8, 5, batch_first=True)(x, h)"
    assert mended(late, tmp_path) == []
