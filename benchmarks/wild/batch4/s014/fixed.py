import torch
import torch.nn.functional as F
from torch import nn


class HaloAttention(nn.Module):
    """Queries of a block look at the block and a halo around it."""

    def __init__(self, dim, block, halo):
        super().__init__()
        self.block, self.halo, self.scale = block, halo, dim ** -0.5
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def windows(self, x):
        size = self.block + 2 * self.halo
        cols = F.unfold(x, size, stride=self.block, padding=self.halo)
        b, _, n = cols.shape
        return cols.view(b, x.shape[1], size * size, n).permute(0, 3, 2, 1)

    def forward(self, x):
        b, c, h, w = x.shape
        p = self.block
        q_in = x.view(b, c, h // p, p, w // p, p).permute(0, 2, 4, 3, 5, 1).reshape(b, -1, p * p, c)
        kv_in = self.windows(x)
        q = self.to_q(q_in) * self.scale
        k, v = self.to_kv(kv_in).chunk(2, dim=-1)
        sim = q @ k.transpose(-1, -2)
        mask = self.windows(torch.ones(1, 1, h, w)).squeeze(-1)
        mask = (mask == 0).unsqueeze(2)
        sim = sim.masked_fill(mask, torch.finfo(sim.dtype).min)
        out = self.to_out(sim.softmax(-1) @ v)
        out = out.view(b, h // p, w // p, p, p, c).permute(0, 5, 1, 3, 2, 4)
        return out.reshape(b, c, h, w)


class Net(nn.Module):
    def __init__(self, dim=16, classes=4):
        super().__init__()
        self.stem = nn.Conv2d(1, dim, 1)
        self.attn = HaloAttention(dim, 4, 2)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.stem(x)
        x = torch.relu(self.attn(x))
        return self.head(x.amax((2, 3)))


def batch(n):
    y = torch.randint(0, 4, (n,))
    x = 0.1 * torch.randn(n, 1, 8, 8)
    for i, label in enumerate(y.tolist()):
        r, c = torch.randint(0, 7, (2,)).tolist()
        x[i, 0, r:r + 2, c:c + 2] += label - 1.5
    return x, y


torch.manual_seed(3)
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(40):
    x, y = batch(24)
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print("step", step + 1, "loss", round(loss.item(), 4))
with torch.no_grad():
    x, y = batch(200)
    print("accuracy", round((net(x).argmax(1) == y).float().mean().item(), 4))
