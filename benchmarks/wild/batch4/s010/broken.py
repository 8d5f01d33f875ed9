import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)


class ConvBlock(nn.Module):
    def __init__(self, c_in, c_out, kernel=3):
        super().__init__()
        self.conv = nn.Conv1d(c_in, c_out, kernel, padding=kernel // 2)
        self.norm = nn.BatchNorm1d(c_out)

    def forward(self, x, mask):
        x = self.conv(x) * mask.unsqueeze(1)
        normed = self.norm(x).transpose(1, 2)
        return torch.relu(normed).transpose(1, 2) * mask.unsqueeze(1)


class DurationPredictor(nn.Module):
    def __init__(self, n_phones, dim=24):
        super().__init__()
        self.emb = nn.Embedding(n_phones, dim, padding_idx=0)
        self.b1 = ConvBlock(dim, 32)
        self.b2 = ConvBlock(32, 32)
        self.out = nn.Linear(32, 1)

    def forward(self, phones):
        mask = phones != 0
        x = self.emb(phones).transpose(1, 2)
        x = self.b2(self.b1(x, mask), mask)
        return self.out(x.transpose(1, 2)).squeeze(-1), mask


def utterances(n):
    g = torch.Generator().manual_seed(9)
    base = torch.rand(40, generator=g) * 3
    for _ in range(n):
        length = 40 if torch.rand(1, generator=g) < 0.15 else int(torch.randint(3, 8, (1,), generator=g))
        ids = torch.randint(1, 40, (length,), generator=g)
        yield ids, base[ids] + 0.3 * base[ids.roll(1)]


def loader(items, size):
    for i in range(0, len(items), size):
        ids, dur = zip(*items[i:i + size])
        yield pad_sequence(ids, batch_first=True), pad_sequence(dur, batch_first=True)


items = list(utterances(64))
model = DurationPredictor(40)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(5):
    total, count = 0.0, 0
    for phones, dur in loader(items, 16):
        pred, mask = model(phones)
        err = (pred - dur)[mask].pow(2)
        opt.zero_grad()
        err.mean().backward()
        opt.step()
        total, count = total + err.sum().item(), count + err.numel()
    print("epoch", epoch, "mse", round(total / count, 4))
print("running var", round(model.b1.norm.running_var.mean().item(), 4))
