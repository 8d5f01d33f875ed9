"""Rare events: focal loss by hand from logits, threshold chosen on validation rows."""
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset


class FocalLoss(nn.Module):
    def __init__(self, gamma: float = 2.0, alpha: float = 0.75) -> None:
        super().__init__()
        self.gamma = gamma
        self.alpha = alpha

    def forward(self, logits: Tensor, target: Tensor) -> Tensor:
        bce = nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
        p = torch.sigmoid(logits)
        p_t = p * target + (1 - p) * (1 - target)
        alpha_t = self.alpha * target + (1 - self.alpha) * (1 - target)
        return (alpha_t * (1 - p_t) ** self.gamma * bce).mean()


def best_threshold(score: Tensor, truth: Tensor) -> tuple[float, float]:
    cuts = torch.linspace(0.05, 0.95, 19)
    guess = score.unsqueeze(1) >= cuts  # every row at every cut
    hit = (guess & truth.bool().unsqueeze(1)).sum(dim=0)
    f1 = 2 * hit / (guess.sum(dim=0) + truth.sum()).clamp(min=1)
    best = f1.argmax()
    return cuts[best].item(), f1[best].item()


def main() -> None:
    torch.manual_seed(39)
    x = torch.randn(140, 6)
    y = (x[:, 0] + x[:, 1] > 1.6).float().unsqueeze(1)
    train, valid = TensorDataset(x[:100], y[:100]), TensorDataset(x[100:], y[100:])
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    criterion = FocalLoss()
    for _ in range(3):
        for xb, yb in DataLoader(train, batch_size=32, shuffle=True):
            loss = criterion(model(xb), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    scores, truths = [], []
    with torch.no_grad():
        for xb, yb in DataLoader(valid, batch_size=16):
            scores.append(model(xb).sigmoid().squeeze(1))
            truths.append(yb.squeeze(1))
    cut, f1 = best_threshold(torch.cat(scores), torch.cat(truths))
    print(f"loss {loss.item():.4f} best cut {cut:.2f} f1 {f1:.2f}")


if __name__ == "__main__":
    main()
