import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class QuantileLoss(nn.Module):
    """Pinball loss of several quantiles at once: predictions (B, Q) against targets (B, 1)."""

    def __init__(self, quantiles):
        super().__init__()
        self.register_buffer("q", torch.tensor(quantiles))

    def forward(self, predicted, target):
        error = target - predicted
        return torch.maximum(self.q * error, (self.q - 1) * error).sum(dim=1).mean()


def build(n_quantiles):
    return nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, n_quantiles))


if __name__ == "__main__":
    torch.manual_seed(14)
    quantiles = [0.1, 0.5, 0.9]
    x = torch.rand(70, 1) * 6
    y = torch.sin(x) + (0.1 + 0.1 * x) * torch.randn(70, 1)
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = build(len(quantiles))
    criterion = QuantileLoss(quantiles)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(5):
        for xb, yb in loader:
            loss = criterion(model(xb), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        band = model(x)
    below = (y <= band).float().mean(dim=0)  # one row of quantiles against one value a row
    print("coverage", [f"{b:.2f}" for b in below.tolist()])
    inside = ((y >= band[:, :1]) & (y <= band[:, 2:])).float().mean().item()
    print(f"inside the band {inside:.2f}")
