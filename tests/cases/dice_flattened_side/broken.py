import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class DiceLoss(nn.Module):
    def forward(self, logits, target, eps=1.0):
        prob = torch.sigmoid(logits)
        prob = prob.view(prob.size(0), -1)
        inter = (prob * target).sum(1)
        return 1 - ((2 * inter + eps) / (prob.sum(1) + target.sum(1) + eps)).mean()


torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
ds = TensorDataset(torch.rand(20, 1, 16, 16), (torch.rand(20, 1, 16, 16) > 0.5).float())
crit = DiceLoss()
for epoch in range(2):
    for x, y in DataLoader(ds, batch_size=5):
        loss = crit(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, round(loss.item(), 4))
