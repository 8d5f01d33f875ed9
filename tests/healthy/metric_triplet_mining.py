"""Batch-hard triplets: all pairwise distances by broadcasting, the hardest of each row."""
from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset


def pairwise(x: Tensor) -> Tensor:
    difference = x.unsqueeze(1) - x.unsqueeze(0)  # (B, 1, D) - (1, B, D)
    return (difference.pow(2).sum(-1) + 1e-12).sqrt()


def batch_hard(embedding: Tensor, label: Tensor, margin: float = 0.5) -> Tensor:
    distance = pairwise(embedding)
    same = label[:, None] == label[None, :]
    farthest = (distance * same).max(dim=1).values
    nearest = distance.masked_fill(same, float("inf")).min(dim=1).values
    valid = torch.isfinite(nearest)
    hardest = torch.relu(farthest - nearest.where(valid, torch.zeros_like(nearest)) + margin)
    return (hardest * valid).sum() / valid.sum().clamp(min=1)


def one_nearest_neighbour(embedding: Tensor, label: Tensor) -> float:
    distance = pairwise(embedding)
    distance.fill_diagonal_(float("inf"))
    return (label[distance.argmin(dim=1)] == label).float().mean().item()


def main() -> None:
    torch.manual_seed(25)
    label = torch.arange(48) % 4
    data = torch.randn(4, 10)[label] + 0.8 * torch.randn(48, 10)
    loader = DataLoader(TensorDataset(data, label), batch_size=14, shuffle=True)
    model = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(4):
        for x, y in loader:
            loss = batch_hard(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            score = one_nearest_neighbour(model(data), label)
        print(f"epoch {epoch}: loss {loss.item():.4f}, 1-NN {score:.2f}")


if __name__ == "__main__":
    main()
