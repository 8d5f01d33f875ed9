import torch
import torch.nn.functional as F
from torch import nn

CFG = dict(rows=90, features=5, hidden=20, lr=0.03, epochs=30, fold=30)


class YieldModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cfg["features"], cfg["hidden"]), nn.ReLU())
        self.head = nn.Linear(cfg["hidden"], 1)

    def forward(self, soil):
        return self.head(self.body(soil))


def r2_score(y_true, y_pred):
    residual = ((y_true - y_pred.squeeze(1)) ** 2).sum()
    total = ((y_true - y_true.mean()) ** 2).sum()
    return 1 - residual / total


def main(cfg=CFG):
    torch.manual_seed(12)
    soil = torch.randn(cfg["rows"], cfg["features"])
    crop = soil @ torch.tensor([1.0, -2.0, 0.5, 0.0, 1.5]) + 0.1 * torch.randn(cfg["rows"])
    held, kept = slice(0, cfg["fold"]), slice(cfg["fold"], None)
    model = YieldModel(cfg)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"])
    for epoch in range(cfg["epochs"]):
        prediction = model(soil[kept])
        loss = F.smooth_l1_loss(prediction, crop[kept].unsqueeze(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch % 10 == 9:
            with torch.no_grad():
                score = r2_score(crop[held], model(soil[held]))
            print(f"{epoch + 1:3d} loss {loss.item():.4f} R2 {score.item():.3f}")


if __name__ == "__main__":
    main()
