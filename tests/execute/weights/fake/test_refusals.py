"""What torch refuses is refused without weights too, in the same words."""

# ruff: noqa: E501 - the programs keep the layout their authors gave them

import pytest

from tests.execute.weights.fake.dry import executed

BROKEN = {
    "column target": """
loss = F.cross_entropy(nn.Linear(4, 3)(torch.randn(8, 4)), torch.zeros(8, 1, dtype=torch.long))
""",
    "float class numbers": """
loss = nn.CrossEntropyLoss()(nn.Linear(4, 3)(torch.randn(8, 4)), torch.zeros(8))
""",
    "class number out of range": """
loss = nn.CrossEntropyLoss()(nn.Linear(4, 3)(torch.randn(8, 4)), torch.arange(8))
""",
    "wrong features": """
nn.Sequential(nn.Flatten(), nn.Linear(10, 2))(torch.randn(3, 4, 4))
""",
    "double data": """
nn.Linear(4, 2)(torch.from_numpy(np.ones((3, 4))))
""",
    "double data, large": """
nn.Linear(1024, 2048)(torch.ones(300, 1024, dtype=torch.float64))
""",
    "double target": """
loss = F.huber_loss(nn.Linear(4, 1)(torch.randn(3, 4)), torch.ones(3, 1, dtype=torch.float64))
loss.backward()
""",
    "no such axis": """
F.softmax(nn.Linear(4, 2)(torch.randn(3, 4)), dim=2)
""",
    "softmax of integers": """
nn.Linear(4, 2)(torch.randn(3, 4)).long().softmax(1)
""",
    "bce shapes": """
nn.BCEWithLogitsLoss()(nn.Linear(4, 1)(torch.randn(8, 4)), torch.ones(8))
""",
    "ranks of a ranking": """
out = nn.Linear(4, 1)(torch.randn(8, 4))
nn.MarginRankingLoss()(out, out, torch.ones(8))
""",
    "missing channels": """
nn.Conv2d(3, 8, 3)(torch.rand(2, 1, 8, 8))
""",
    "unsorted lengths": """
from torch.nn.utils.rnn import pack_padded_sequence
pack_padded_sequence(nn.Linear(4, 2)(torch.randn(2, 5, 4)), [2, 5], batch_first=True)
""",
    "token out of vocabulary": """
nn.Embedding(5, 3)(torch.tensor([[1, 7]]))
""",
    "concatenated sizes": """
torch.cat([nn.Linear(4, 2)(torch.randn(3, 4)), torch.zeros(4, 2)], dim=1)
""",
    "wrong mask": """
nn.Linear(4, 2)(torch.randn(3, 4))[torch.tensor([True, False])]
""",
    "large target": """
loss = F.cross_entropy(nn.Linear(4, 600)(torch.randn(32, 700, 4)), torch.zeros(32, 700, dtype=torch.long))
""",
    "ambiguous truth": """
if nn.Linear(4, 2)(torch.randn(3, 4)) > 0: pass
""",
    "numpy with gradient": """
nn.Linear(4, 2)(torch.randn(3, 4)).numpy()
""",
    "not a scalar": """
nn.Linear(4, 2)(torch.randn(3, 4)).backward()
""",
    "item of many": """
nn.Linear(4, 2)(torch.randn(3, 4)).item()
""",
    "hidden state": """
nn.LSTM(4, 6)(torch.randn(3, 2, 4), (torch.zeros(1, 3, 6), torch.zeros(1, 3, 6)))
""",
    "adaptive rows": """
nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5])(nn.Linear(4, 4)(torch.randn(5, 4)), torch.zeros(4, dtype=torch.long))
""",
    "view of a transposed tensor": """
out = nn.Linear(4, 6)(torch.randn(2, 5, 4)).transpose(1, 2)
out.view(2, 30)
""",
    "view after a recurrent layer": """
out, _ = nn.LSTM(4, 6, batch_first=True)(torch.randn(3, 5, 4))
out.view(15, 6)
""",
    "packed along the other axis": """
from torch.nn.utils.rnn import pack_padded_sequence
packed = pack_padded_sequence(nn.Linear(4, 4)(torch.randn(3, 7, 4)), [7, 5, 2], enforce_sorted=False)
nn.LSTM(4, 6, batch_first=True)(packed)
""",
    "in place": """
w = nn.Parameter(torch.zeros(3)); w += 1
""",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_program_raises_what_torch_raises(name):
    with pytest.raises(Exception) as real:  # noqa: PT011 - whatever torch raises
        executed(BROKEN[name])
    with pytest.raises(Exception) as dry:  # noqa: PT011
        executed(BROKEN[name], dry=True)
    assert (dry.type, str(dry.value)) == (real.type, str(real.value))
