"""What stands around the short examples on the pages of the codes: the rest of each program.

A page shows the lines that matter. Here is the rest, with `EXAMPLE` where those lines stand, or
`LINE 1` and `LINE 2` where they stand apart, as deep as they stand there.
"""

from __future__ import annotations

from dataclasses import dataclass

_PADDED = "from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence\n"
_LOADER = "from torch.utils.data import DataLoader, TensorDataset\n"


@dataclass(frozen=True)
class Around:
    """The rest of a program.

    `mends`: the last line of the example is right; `fires`: the example, or what comes before, is
    wrong.
    """

    text: str = "EXAMPLE"
    mends: bool = False
    fires: bool = True


def _module(*made: str, then: str, given: str = "x") -> str:
    """A module whose `forward` is the example."""
    lines = [
        "class Net(nn.Module):",
        "    def __init__(self):",
        "        super().__init__()",
        *(f"        {each}" for each in made),
        f"    def forward(self, {given}):",
        "        EXAMPLE",
    ]
    return "\n".join([*lines, then])


_WRITER = _module(
    "self.table, self.gru = nn.Embedding(9, 6), nn.GRU(6, 6, batch_first=True)",
    "self.head = nn.Linear(6, 9)",
    given="ids",
    then="model = Net()\n",
).replace("EXAMPLE", "return self.head(self.gru(self.table(ids))[0])")

AROUND: dict[str, tuple[Around, ...]] = {
    "WS101": (
        Around(
            "reward, ranking = nn.Linear(4, 1), nn.MarginRankingLoss()\n"
            "a, b = torch.randn(8, 4), torch.randn(8, 4)\nEXAMPLE"
        ),
    ),
    "WS102": (
        Around(
            "model, images, labels = nn.Linear(6, 10), torch.randn(32, 6), "
            "torch.randint(0, 10, (32, 1))\nEXAMPLE"
        ),
    ),
    "WS111": (
        Around(
            "model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4))\n"
            "images = torch.randn(8, 1, 28, 28)\nEXAMPLE"
        ),
    ),
    "WS112": (Around(mends=True),),
    "WS113": (
        Around(
            "logits, labels = torch.randn(8, 3, requires_grad=True), torch.zeros(8).long()\nEXAMPLE"
        ),
    ),
    "WS114": (
        Around(
            "policy, states, actions = nn.Linear(3, 4), torch.randn(8, 3), "
            "torch.zeros(8).long()\nEXAMPLE"
        ),
        Around(
            "policy, states, actions = nn.Linear(3, 4), torch.randn(8, 3), "
            "torch.zeros(8).long()\nlabels, onehot = actions, torch.zeros(8, 4)\nEXAMPLE",
            fires=False,
        ),
    ),
    "WS115": (Around(),),
    "WS201": (
        Around(
            "criterion = nn.CrossEntropyLoss()\n"
            + _module(
                "self.fc = nn.Linear(16 * 64 * 64, 4)",
                given="x, y",
                then="Net()(torch.randn(8, 16, 32, 32), torch.zeros(8).long())",
            )
        ),
        Around(
            f"{_LOADER}data, batch_size = TensorDataset(torch.randn(11, 4)), 4\n"
            "judge, criterion = nn.Linear(4, 1), nn.BCEWithLogitsLoss()\n"
            "for (images,) in DataLoader(data, batch_size):\n"
            "    EXAMPLE\n"
            "    criterion(judge(images), ones)"
        ),
    ),
    "WS202": (
        Around(
            _module(
                "self.lstm, self.fc = nn.LSTM(3, 8, batch_first=True), nn.Linear(8, 5)",
                then="net, labels = Net(), torch.zeros(4).long()\n"
                "scores = net(torch.randn(4, 7, 3))\nF.cross_entropy(scores, labels)",
            )
        ),
    ),
    "WS204": (
        Around(
            "model, tokens = nn.Embedding(600, 600), torch.randint(0, 600, (32, 100))\n"
            "following = torch.randint(0, 600, (32, 100))\nEXAMPLE"
        ),
    ),
    "WS205": (Around("x, y = torch.randn(8, 64), torch.randn(8, 3)\nEXAMPLE"),),
    "WS206": (
        Around(
            "words, decoder, x = 50, nn.Linear(6, 50), torch.randn(4, 7, 6)\n"
            "targets = torch.randint(0, 50, (4, 7))\nEXAMPLE"
        ),
    ),
    "WS207": (
        Around(
            "scores, masks = torch.randn(8, 9, 48, 64), torch.ones(8, 9, 48, 64)\n"
            "weights = torch.ones(9)\nEXAMPLE"
        ),
    ),
    "WS208": (
        Around(
            "model, images, ctc = nn.Linear(8, 37), torch.randn(16, 26, 8), nn.CTCLoss()\n"
            "targets = torch.randint(1, 37, (16, 5))\n"
            "input_lengths, target_lengths = torch.full((16,), 26), torch.full((16,), 5)\nEXAMPLE"
        ),
    ),
    "WS209": (Around(),),
    "WS210": (Around("image = torch.randn(2, 1, 28, 28)\nEXAMPLE"),),
    "WS211": (
        Around(
            "backbone = nn.Sequential(nn.Conv2d(3, 512, 3), nn.AdaptiveAvgPool2d(1))\n"
            "images = torch.randn(32, 3, 8, 8)\nEXAMPLE"
        ),
    ),
    "WS212": (Around("import numpy\npictures = numpy.zeros((8, 32, 32, 3), 'float32')\nEXAMPLE"),),
    "WS214": (Around("rows = torch.randn(4, 48)\nEXAMPLE", mends=True),),
    "WS215": (Around("seen, told = torch.randn(14, 12), torch.randn(14, 5)\nEXAMPLE", mends=True),),
    "WS216": (Around("batch_size, x = 4, torch.randn(4, 7, 8)\nEXAMPLE"),),
    "WS217": (
        Around(
            f"{_PADDED}lengths = torch.tensor([9, 4, 3, 2, 1])\n"
            "words = [torch.randn(each, 8) for each in lengths.tolist()]\nEXAMPLE"
        ),
    ),
    "WS218": (Around(mends=True),),
    "WS219": (
        Around(
            "tokens, x = torch.ones(200, 6).long(), torch.randn(200, 6, 8)\n"
            "attention = nn.MultiheadAttention(8, 2)\nEXAMPLE"
        ),
    ),
    "WS220": (
        Around("rnn, sequence = nn.GRU(8, 16, batch_first=True), torch.randn(8, 20, 8)\nEXAMPLE"),
    ),
    "WS221": (Around(mends=True),),
    "WS222": (Around(mends=True),),
    "WS223": (
        Around(
            f"{_LOADER}"
            "class Texts(torch.utils.data.Dataset):\n"
            "    sentences, labels = [[1] * 7, [2] * 4, [3] * 9], [0, 1, 0]\n"
            "    def __len__(self):\n        return 3\n"
            "    EXAMPLE\n"
            "next(iter(DataLoader(Texts(), batch_size=3)))"
        ),
        Around(
            f"{_PADDED}{_LOADER}"
            "EXAMPLE\n"
            "texts = [(torch.ones(each), 0) for each in (7, 4, 9)]\n"
            "rows, labels, lengths = next(iter(DataLoader(texts, batch_size=3, collate_fn=pad)))\n"
            "assert rows.shape == (3, 9)",
            fires=False,
        ),
    ),
    "WS224": (Around("queries, keys = torch.randn(4, 9, 16), torch.randn(4, 12, 8)\nEXAMPLE"),),
    "WS225": (
        Around("x = torch.randn(3, 8)\nEXAMPLE"),
        Around(
            'text = ["a", "b", "c"]\nEXAMPLE\n'
            "table = nn.Embedding(len(words), 16)\ntable(torch.tensor([words['c'], 0]))"
        ),
    ),
    "WS226": (Around(),),
    "WS227": (Around(),),
    "WS228": (Around(),),
    "WS229": (Around(),),
    "WS230": (Around(),),
    "WS231": (Around(),),
    "WS301": (
        Around("model, x, target = nn.Linear(3, 1), torch.randn(64, 3), torch.randn(64)\nEXAMPLE"),
    ),
    "WS302": (
        Around("model, x, y = nn.Linear(3, 1), torch.randn(64, 3), torch.randn(64)\nEXAMPLE"),
    ),
    "WS303": (
        Around(
            "x = torch.randn(10, 16, 12)\ntime, batch, hidden = x.shape\n"
            "out, _ = nn.GRU(12, 12)(x)\nEXAMPLE\nnn.Linear(12, 3)(out)"
        ),
    ),
    "WS304": (
        Around(
            f"{_LOADER}self = nn.Module()\n"
            "data = TensorDataset(torch.randn(12, 5, 8), torch.zeros(12).long())\n"
            "x, y = next(iter(DataLoader(data, batch_size=4)))\nEXAMPLE\n"
            "F.cross_entropy(nn.Linear(16, 3)(out[:, -1]), y)"
        ),
    ),
    "WS305": (
        Around(
            "words, tags = torch.randint(0, 9, (12, 6)), torch.randint(0, 6, (12, 6))\n"
            "model = nn.Sequential(nn.Embedding(9, 4), nn.Linear(4, 6))\nEXAMPLE"
        ),
    ),
    "WS306": (
        Around(
            _module(
                "self.encoder, self.head = nn.Linear(3, 4), nn.Linear(4, 1)",
                then="    def score(self, x):\n        return self.head(self.forward(x))\n"
                "net, x, y = Net(), torch.randn(8, 3), torch.randn(8, 1)\n"
                "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
                "F.mse_loss(net.score(x), y).backward()\noptimizer.step()",
            ).replace("        EXAMPLE", "        EXAMPLE\n        return features"),
            mends=True,
        ),
    ),
    "WS307": (
        Around(
            f"{_PADDED}lengths = torch.tensor([2, 7, 4, 6])\n"
            "x = pad_sequence([torch.randn(n, 3) for n in lengths.tolist()], batch_first=True)\n"
            "out, _ = nn.GRU(3, 8, batch_first=True)(x)\nEXAMPLE\nnn.Linear(8, 1)(last).mean()",
            mends=True,
        ),
    ),
    "WS308": (
        Around(
            "mask = torch.tensor([[1.0, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 1, 0, 0, 0]])\n"
            "net, score = nn.Linear(2, 1), torch.tensor([1.0, 2.0, 3.0])\n"
            "logprobs = net(torch.randn(3, 5, 2)).squeeze(-1)\nrewards = torch.zeros(3, 5)\n"
            "EXAMPLE\n(-(logprobs * rewards * mask).sum() / mask.sum()).backward()",
            mends=True,
        ),
    ),
    "WS309": (
        Around(
            _PADDED
            + _module(
                "self.gru, self.head = nn.GRU(3, 8, batch_first=True), nn.Linear(8, 1)",
                given="x, lengths",
                then="x = pad_sequence([torch.randn(n, 3) for n in (2, 7, 4, 6)], batch_first=True)"
                "\nNet()(x, torch.tensor([2, 7, 4, 6])).mean()",
            ).replace("        EXAMPLE", "        EXAMPLE\n        return self.head(h[-1])"),
            mends=True,
        ),
    ),
    "WS310": (
        Around(
            "adv, mask = torch.randn(3, 5), torch.arange(5) < torch.tensor([[3], [5], [2]])\n"
            "logprobs = nn.Linear(2, 1)(torch.randn(3, 5, 2)).squeeze(-1)\nEXAMPLE\n"
            "-(logprobs * adv * mask).sum() / mask.sum()",
            mends=True,
        ),
    ),
    "WS311": (
        Around(
            f"{_WRITER}ids = torch.randint(0, 9, (3, 6))\nlogits = model(ids)\nEXAMPLE\n"
            "(-logprobs.mean()).backward()",
            mends=True,
        ),
    ),
    "WS312": (
        Around(
            f"{_WRITER}"
            "ids = torch.tensor([[3, 4, 5, 1, 0], [5, 2, 7, 3, 1], [6, 1, 0, 0, 0]])\n"
            "every, mask = model(ids)[:, :-1].log_softmax(-1), ids[:, 1:] != 0\n"
            "logprobs, adv = every.gather(2, ids[:, 1:, None]).squeeze(2), torch.randn(3, 4)\n"
            "EXAMPLE\nloss.backward()",
            mends=True,
        ),
    ),
    "WS316": (
        Around(
            "x, policy = torch.randn(8, 3), nn.Linear(3, 4)\n"
            "optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)\n"
            "drawn = torch.distributions.Categorical(logits=policy(x))\n"
            "words = drawn.sample()\n"
            "log_probs = drawn.log_prob(words)\n"
            "def reward_of(words):\n    return (words % 2).float()\n"
            "reward = reward_of(words)\nEXAMPLE\nloss.backward()\noptimizer.step()",
            mends=True,
        ),
    ),
    "WS317": (
        Around(
            "net, x, y = nn.Linear(3, 1), torch.randn(8, 3), torch.randn(8, 1)\nout = net(x)\n"
            "EXAMPLE\nloss.backward()",
            mends=True,
        ),
    ),
    "WS401": (Around("model, rows = nn.Linear(3, 1), torch.randn(1, 3)\nEXAMPLE"),),
    "WS402": (
        Around(
            "head, pooled, label = nn.Linear(6, 5), torch.randn(1, 6), torch.tensor([2])\nEXAMPLE"
        ),
    ),
    "WS403": (
        Around(
            f"{_LOADER}data = TensorDataset(torch.randn(33, 4), torch.randn(33, 2))\n"
            "net = nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2))\n"
            "criterion = nn.MSELoss()\nEXAMPLE"
        ),
    ),
    "WS501": (
        Around("labels, logits = torch.randint(0, 10, (32,)), torch.randn(32, 10)\nEXAMPLE"),
    ),
    "WS502": (
        Around(
            "import types\nframe = {'label': types.SimpleNamespace(values=[0, 2, 1, 2])}\n"
            "logits = torch.randn(4, 3)\nEXAMPLE"
        ),
    ),
    "WS503": (
        Around(
            "import numpy, types\nframe = types.SimpleNamespace(values=numpy.ones((4, 1)))\n"
            "model, x = nn.Linear(3, 1), torch.randn(4, 3)\nEXAMPLE"
        ),
    ),
    "WS504": (Around("import numpy as np\nEXAMPLE"),),
    "WS505": (
        Around(
            "import numpy, types\n"
            "class Frame(dict):\n"
            "    def __getitem__(self, names):\n"
            "        return types.SimpleNamespace(values=numpy.ones((4, len(names))))\n"
            "frame = Frame()\nEXAMPLE"
        ),
    ),
    "WS506": (
        Around(
            _module(
                "self.embedding, self.conv = nn.Embedding(20, 8), nn.Conv1d(8, 4, 3)",
                given="tokens",
                then="net = Net()",
            ).replace("EXAMPLE", "LINE 2\n        return self.conv(x.movedim(-1, 1))")
            + "\nnumbers = torch.arange(18).reshape(3, 6)\nLINE 1\nnet(tokens)"
        ),
    ),
    "WS507": (
        Around(
            "scores, y = nn.Linear(3, 4)(torch.randn(8, 3)), torch.zeros(8).long()\nEXAMPLE",
            mends=True,
        ),
    ),
    "WS508": (
        Around(
            "x, y, model = torch.randn(8, 3), torch.ones(8, 1), nn.Linear(3, 1)\n"
            "F.binary_cross_entropy_with_logits(model(x), y)\nEXAMPLE",
            mends=True,
        ),
    ),
    "WS509": (Around(),),
    "WS510": (Around("scores, labels = torch.randn(8, 3), torch.zeros(8).long()\nEXAMPLE"),),
    "WS511": (Around(),),
}
