import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class ViT(nn.Module):
    def __init__(self, img=32, patch=8, dim=24, classes=5):
        super().__init__()
        self.patch = nn.Conv2d(3, dim, patch, patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.zeros(1, (img // patch) ** 2 + 1, dim))
        self.enc = nn.TransformerEncoderLayer(dim, 3, 48, dropout=0.0, batch_first=True)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        t = self.patch(x).flatten(2).transpose(1, 2)
        t = torch.cat([self.cls.expand(x.size(0), -1, -1), t], dim=1) + self.pos
        return self.head(self.enc(t)[:, 0])


net = ViT()
opt = torch.optim.AdamW(net.parameters(), 1e-3)
for step in range(3):
    x, y = torch.rand(6, 3, 32, 32), torch.randint(0, 5, (6,))
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
    print(step, round(loss.item(), 4))
