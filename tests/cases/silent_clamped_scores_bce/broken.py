import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ChurnNet(nn.Module):
    def __init__(self, n_features: int, hidden: int = 16) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(n_features, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scores = self.layers(x).squeeze(1)
        return scores.clamp(0.0, 1.0)


def customers(n: int) -> TensorDataset:
    x = torch.randn(n, 6)
    leaves = (x[:, 0] - 2 * x[:, 1] + 0.3 * torch.randn(n) > 0).float()
    return TensorDataset(x, leaves)


def train(epochs: int = 5) -> None:
    torch.manual_seed(18)
    loader = DataLoader(customers(100), batch_size=20, shuffle=True)
    model = ChurnNet(6)
    criterion = nn.BCELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(1, epochs + 1):
        total = right = 0.0
        for x, leaves in loader:
            p = model(x)
            loss = criterion(p, leaves)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            right += ((p > 0.5) == leaves.bool()).sum().item()
        print(f"epoch {epoch}: bce {total / len(loader):.3f}, accuracy {right / 100:.2f}")


if __name__ == "__main__":
    train()
