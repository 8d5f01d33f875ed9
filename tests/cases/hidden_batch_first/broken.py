from typing import NamedTuple

import torch
from torch import Tensor, nn


class Batch(NamedTuple):
    series: Tensor
    activity: Tensor


class ActivityGRU(nn.Module):
    def __init__(self, channels: int, hidden: int, layers: int, activities: int):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.gru = nn.GRU(channels, hidden, layers, batch_first=True)
        self.out = nn.Linear(hidden, activities)

    def initial_state(self, batch: int) -> Tensor:
        return torch.zeros(batch, self.layers, self.hidden)

    def forward(self, series: Tensor) -> Tensor:
        h0 = self.initial_state(series.size(0))
        states, _ = self.gru(series, h0)
        return self.out(states[:, -1])


def fake_batches(count: int, size: int = 14) -> list[Batch]:
    gen = torch.Generator().manual_seed(8)
    made = []
    for _ in range(count):
        activity = torch.randint(0, 4, (size,), generator=gen)
        series = torch.randn(size, 25, 3, generator=gen) + activity[:, None, None]
        made.append(Batch(series, activity))
    return made


def main() -> None:
    torch.manual_seed(8)
    model = ActivityGRU(channels=3, hidden=22, layers=2, activities=4)
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for number, batch in enumerate(fake_batches(4)):
        loss = loss_fn(model(batch.series), batch.activity)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"batch {number}: loss {loss.item():.4f}")


main()
