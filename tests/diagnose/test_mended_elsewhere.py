"""The edits that rules write where a wrong shape was made, not where it was refused."""

import pytest

from tests.diagnose.snippets import mended

TABLE = """
class Net(nn.Module):
    def __init__(self, places=4):
        super().__init__()
        self.places = nn.Parameter(torch.zeros(1, places, 3))
    def forward(self, x):
        return x + self.places
Net()(torch.ones(2, 5, 3))
"""
HEAD = """
class Net(nn.Module):
    def __init__(self, anchors=2):
        super().__init__()
        self.head = nn.Conv2d(3, anchors * 4, 1)
    def forward(self, x):
        return self.head(x).view(2, 2, 5, 6, 6)
Net()(torch.ones(2, 3, 6, 6))
"""
WORDS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.layer = nn.Embedding(9, 20), nn.Linear(40, 3)
    def forward(self, x):
        return self.layer(self.words(x).view(1, -1))
Net()(torch.zeros(6, 2, dtype=torch.long))
"""
PAIR = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Embedding(9, 8), nn.Embedding(9, 8)
        self.both = nn.Transformer(8, 2, 1, 1, 8, batch_first=True)
    def forward(self, given, told):
        mask = nn.Transformer.generate_square_subsequent_mask(given.size(1))
        return self.both(self.first(given), self.second(told), tgt_mask=mask)
Net()(torch.zeros(2, 6, dtype=torch.long), torch.zeros(2, 4, dtype=torch.long))
"""
JOINED = """
def joined(state, action): return torch.cat([state, action], 1)
states, actions = torch.ones(4, 3), torch.ones(4)
joined(states, actions)
"""
IMAGES = """
from torch.utils.data import DataLoader, Dataset
class Images(Dataset):
    def __len__(self): return 2
    def __getitem__(self, place):
        image = torch.ones(1 if place else 3, 8, 8)
        return image, place
next(iter(DataLoader(Images(), batch_size=2)))
"""
TWO_HEADS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(4, 3)
        self.spread = nn.Linear(4, 2)
    def forward(self, x):
        return self.mean(x), F.softplus(self.spread(x)) + 1e-3
net = Net()
mean, var = net(torch.ones(5, 4))
nn.GaussianNLLLoss()(mean, torch.ones(5, 3), var)
"""


@pytest.mark.parametrize(
    ("snippet", "wanted"),
    [
        (TWO_HEADS, "self.spread = nn.Linear(4, 3)"),
        (IMAGES, "return image.expand(3, -1, -1), place"),
        (TABLE, "self.places = nn.Parameter(torch.zeros(1, places + 1, 3))"),
        (HEAD, "self.head = nn.Conv2d(3, 10, 1)"),
        (WORDS, "return self.layer(self.words(x).flatten(1))"),
        (PAIR, "mask = nn.Transformer.generate_square_subsequent_mask(told.size(1))"),
        (JOINED, "joined(states, actions.unsqueeze(1))"),
    ],
)
def test_the_edit_stands_where_the_shape_was_made(snippet, wanted, tmp_path):
    assert [wanted] in mended(snippet, tmp_path)


@pytest.mark.parametrize(
    ("snippet", "wanted"),
    [
        (
            "scores, labels = torch.ones(6, 3), torch.zeros(6, dtype=torch.long)\n"
            "known = torch.arange(6) > 1\nseen = scores[known]\nF.cross_entropy(seen, labels)",
            "F.cross_entropy(seen, labels[known])",
        ),
        (
            "weights, states = torch.ones(2, 7), torch.ones(2, 7, 5)\ntorch.bmm(weights, states)",
            "torch.bmm(weights.unsqueeze(1), states)",
        ),
        (
            "weights, states = torch.ones(2, 7), torch.ones(2, 7, 5)\ntorch.bmm(weights, states)",
            "torch.bmm(weights.unsqueeze(1), states).squeeze(1)",
        ),
        (
            "clips = torch.ones(2, 7, 3, 8, 8)\nnn.Conv3d(3, 4, 3)(clips)",
            "nn.Conv3d(3, 4, 3)(clips.transpose(1, 2))",
        ),
        (
            "noise = torch.ones(6, 12)\nnn.ConvTranspose2d(12, 4, 3)(noise)",
            "nn.ConvTranspose2d(12, 4, 3)(noise[:, :, None, None])",
        ),
        (
            "waves = [torch.ones(1, 3), torch.ones(1, 5)]\ntorch.stack(waves)",
            "torch.nn.utils.rnn.pad_sequence([each.t() for each in waves], batch_first=True)"
            ".transpose(1, 2)",
        ),
        (
            "states = [torch.ones(1, 3) for _ in range(6)]\nrows = torch.stack(states)\n"
            "rows.gather(1, torch.zeros(6, 1, dtype=torch.long))",
            "rows = torch.cat(states)",
        ),
        (
            "small, x = torch.ones(2, 3, 4, 4), torch.ones(2, 3, 7, 7)\n"
            "x + F.interpolate(small, scale_factor=2)",
            "x + F.interpolate(small, size=x.shape[-2:])",
        ),
    ],
)
def test_the_edit_is_the_one_a_careful_reader_makes(snippet, wanted, tmp_path):
    assert [wanted] in mended(snippet, tmp_path)


def test_rows_picked_on_both_sides_are_not_picked_again(tmp_path):
    snippet = """
scores, labels = torch.ones(6, 3), torch.zeros(6, dtype=torch.long)
known, few = torch.arange(6) > 1, torch.arange(6) > 3
F.cross_entropy(scores[known], labels[few])
"""
    assert mended(snippet, tmp_path) == []
