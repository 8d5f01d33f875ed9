"""Encoder from scratch with padding masks: sums of the real numbers of a padded row."""
import math

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader


def sinusoid(length: int, width: int) -> Tensor:
    place = torch.arange(length).unsqueeze(1)
    rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    table = torch.zeros(length, width)
    table[:, 0::2] = torch.sin(place * rate)  # (T, 1) x (D/2,): an outer product
    table[:, 1::2] = torch.cos(place * rate)
    return table


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))

    def split(self, x: Tensor) -> Tensor:
        b, t, _ = x.shape
        return x.reshape(b, t, self.heads, self.size).permute(0, 2, 1, 3)

    def forward(self, x: Tensor, real: Tensor) -> Tensor:
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = torch.einsum("bhid,bhjd->bhij", q, k) * self.size**-0.5
        distance = (torch.arange(x.size(1))[:, None] - torch.arange(x.size(1))[None, :]).abs()
        slope = torch.tensor([0.5 ** (h + 1) for h in range(self.heads)])
        scores = scores - slope[:, None, None] * distance
        scores = scores.masked_fill(~real[:, None, None, :], -1e9)
        mixed = torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), v)
        return self.o(mixed.permute(0, 2, 1, 3).flatten(2))


class Encoder(nn.Module):
    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.lift = nn.Linear(1, width)
        self.register_buffer("places", sinusoid(32, width))
        self.attention = Attention(width, 4)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 48), nn.ReLU(), nn.Linear(48, width))
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.head = nn.Linear(width, 1)

    def forward(self, values: Tensor, real: Tensor) -> Tensor:
        b, t = values.shape
        x = self.lift(values.unsqueeze(-1)) + self.places[:t]
        x = torch.cat([self.cls.expand(b, -1, -1), x], dim=1)
        real = torch.cat([torch.ones(b, 1, dtype=torch.bool), real], dim=1)
        x = self.norm1(x + self.attention(x, real))
        x = self.norm2(x + self.feed(x))
        return self.head(x[:, 0]).squeeze(-1)


def collate(rows: list[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    longest = max(len(r) for r in rows)
    values = torch.zeros(len(rows), longest)
    lengths = torch.tensor([len(r) for r in rows])
    for i, r in enumerate(rows):
        values[i, : len(r)] = r
    real = torch.arange(longest)[None, :] < lengths[:, None]
    return values, real, torch.stack([r.sum() for r in rows])


if __name__ == "__main__":
    torch.manual_seed(8)
    rows = [torch.randn(int(torch.randint(1, 9, ()))) for _ in range(45)]
    model = Encoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(3):
        for values, real, total in DataLoader(rows, batch_size=10, shuffle=True, collate_fn=collate):
            loss = nn.functional.mse_loss(model(values, real), total)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} mse {loss.item():.4f}")
