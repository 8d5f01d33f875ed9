import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

# Domain adaptation: labelled source rows, unlabelled target rows, features drawn together by MMD.


def kernel(a, b, widths=(0.5, 1.0, 2.0)):
    square = torch.cdist(a, b).pow(2)
    return sum(torch.exp(-square / (2 * w * w)) for w in widths)


def mmd(a, b):
    return kernel(a, a).mean() + kernel(b, b).mean() - 2 * kernel(a, b).mean()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(5, 16), nn.Tanh())
        self.classify = nn.Linear(16, 2)

    def forward(self, x):
        f = self.features(x)
        return f, self.classify(f)


torch.manual_seed(44)
source_x = torch.randn(50, 5)
source_y = (source_x[:, 0] > 0).long()
target_x = torch.randn(45, 5) + torch.tensor([0.0, 1.0, 0.0, -1.0, 0.0])
target_y = (target_x[:, 0] > 0).long()
source = DataLoader(TensorDataset(source_x, source_y), batch_size=10, shuffle=True)
target = DataLoader(TensorDataset(target_x, target_y), batch_size=12, shuffle=True)
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for (xs, ys), (xt, _) in zip(source, target):
        fs, logits = model(xs)
        ft, _ = model(xt)
        loss = nn.functional.cross_entropy(logits, ys) + 0.5 * mmd(fs, ft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        hits = sum((model(x)[1].argmax(1) == y).sum().item() for x, y in target)
    print(f"epoch {epoch} loss {loss.item():.3f}, correct so far {hits}")
