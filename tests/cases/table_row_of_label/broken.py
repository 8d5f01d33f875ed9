import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class CenterLoss(nn.Module):
    def __init__(self, classes, dim):
        super().__init__()
        self.centers = nn.Parameter(torch.randn(classes, dim))

    def forward(self, feats, labels):
        return ((feats - self.centers) ** 2).sum(1).mean()


body, head = nn.Linear(14, 6), nn.Linear(6, 10)
center = CenterLoss(10, 6)
opt = torch.optim.SGD([*body.parameters(), *head.parameters(), *center.parameters()], lr=0.05)
ds = TensorDataset(torch.randn(90, 14), torch.randint(0, 10, (90,)))
for x, y in DataLoader(ds, batch_size=24):
    f = F.relu(body(x))
    loss = F.cross_entropy(head(f), y) + 0.01 * center(f, y)
    opt.zero_grad(); loss.backward(); opt.step()
    print(round(loss.item(), 5))
