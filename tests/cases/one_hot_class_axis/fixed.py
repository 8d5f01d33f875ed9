import torch
import torch.nn as nn
import torch.nn.functional as F


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, target):
        n = logits.size(1)
        onehot = F.one_hot(target, n).permute(0, 3, 1, 2).float()
        logp = F.log_softmax(logits, 1)
        p = logp.exp()
        return -((1 - p) ** self.gamma * onehot * logp).sum(1).mean()


torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 5, 1))
crit = FocalLoss()
opt = torch.optim.Adam(net.parameters(), 1e-3)
for it in range(3):
    img, seg = torch.rand(2, 3, 10, 14), torch.randint(0, 5, (2, 10, 14))
    loss = crit(net(img), seg)
    opt.zero_grad(); loss.backward(); opt.step()
    print(it, round(loss.item(), 5))
