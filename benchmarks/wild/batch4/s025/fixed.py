import math

import torch
from torch import nn
import torch.nn.functional as F


class TransformerModel(nn.Module):
    def __init__(self, ntoken, ninp=32, nhead=4, nhid=48):
        super().__init__()
        self.src_mask = None
        self.encoder = nn.Embedding(ntoken, ninp)
        self.pos = nn.Parameter(0.1 * torch.randn(64, 1, ninp))
        layer = nn.TransformerEncoderLayer(ninp, nhead, nhid, dropout=0.0)
        self.transformer = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.decoder = nn.Linear(ninp, ntoken)
        self.ninp = ninp

    def _generate_square_subsequent_mask(self, sz):
        mask = torch.triu(torch.ones(sz, sz), 1)
        return torch.zeros(sz, sz).masked_fill(mask == 1, float("-inf"))

    def forward(self, src):
        if self.src_mask is None or self.src_mask.size(0) != len(src):
            self.src_mask = self._generate_square_subsequent_mask(len(src))
        x = self.encoder(src) * math.sqrt(self.ninp) + self.pos[:len(src)]
        return self.decoder(self.transformer(x, self.src_mask))


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data[:nbatch * bsz].view(bsz, -1).t().contiguous()


def get_batch(source, i, bptt=15):
    seq_len = min(bptt, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].reshape(-1)


def markov(n, ntoken, seed=1):
    g = torch.Generator().manual_seed(seed)
    table = torch.rand(ntoken, ntoken, generator=g) ** 4
    out = [0]
    for _ in range(n - 1):
        out.append(int(torch.multinomial(table[out[-1]], 1, generator=g)))
    return torch.tensor(out)


torch.manual_seed(1111)
ntokens = 14
train_data = batchify(markov(1300, ntokens), 10)
model = TransformerModel(ntokens)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(4):
    total = 0.0
    steps = range(0, train_data.size(0) - 1, 15)
    for i in steps:
        data, targets = get_batch(train_data, i)
        loss = F.cross_entropy(model(data).view(-1, ntokens), targets)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print("epoch", epoch, "loss", round(total / len(steps), 4))
model.eval()
with torch.no_grad():
    data, targets = get_batch(train_data, 15)
    last = model(data)[-1]
    print("last position", round(F.cross_entropy(last, targets.view(len(data), -1)[-1]).item(), 4))
