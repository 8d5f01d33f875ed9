import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

# ResNet-like blocks with batch norm: training batches are whole (drop_last), so no row is alone.


class Stripes(Dataset):
    def __init__(self, n, seed):
        self.n = n
        self.seed = seed

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(self.seed * 1000 + index)
        kind = index % 3
        image = torch.rand(1, 12, 12, generator=g)
        if kind == 0:
            image[:, ::2] += 1
        elif kind == 1:
            image[:, :, ::2] += 1
        return image, kind


class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(cin, cout, 3, padding=1, bias=False),
            nn.BatchNorm2d(cout),
            nn.ReLU(inplace=True),
            nn.Conv2d(cout, cout, 3, padding=1, bias=False),
            nn.BatchNorm2d(cout),
        )
        self.skip = nn.Identity() if cin == cout else nn.Conv2d(cin, cout, 1)
        self.gate = nn.Linear(cout, cout)

    def forward(self, x):
        h = self.body(x)
        squeeze = torch.sigmoid(self.gate(h.mean(dim=(2, 3))))
        h = h * squeeze[:, :, None, None]
        return torch.relu(h + self.skip(x))


model = nn.Sequential(
    Block(1, 8), nn.MaxPool2d(2), Block(8, 8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 3)
)
torch.manual_seed(1)
train_loader = DataLoader(Stripes(30, 1), batch_size=8, shuffle=True, drop_last=True)
test_loader = DataLoader(Stripes(13, 2), batch_size=6)
loss_fn = nn.CrossEntropyLoss()
opt = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(2):
    model.train()
    for x, y in train_loader:
        loss = loss_fn(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()

model.eval()
hits, seen = 0, 0
with torch.inference_mode():
    for x, y in test_loader:
        prob = model(x).softmax(dim=-1)
        conf, pred = prob.max(dim=-1)
        hits += pred.eq(y).sum().item()
        seen += y.numel()
print(f"accuracy {hits / seen:.2f}, last confidence {conf.mean():.2f}")
