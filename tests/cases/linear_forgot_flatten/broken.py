import torch
import torch.nn as nn


class StarCNN(nn.Module):
    """Sorts telescope cut-outs into five kinds of objects."""

    def __init__(self, kinds=5):
        super().__init__()
        self.conv = nn.Conv2d(1, 10, kernel_size=5)
        self.act = nn.ReLU()
        self.pool = nn.MaxPool2d(3)
        self.fc = nn.Linear(10 * 4 * 4, kinds)
        self.log_probs = nn.LogSoftmax(dim=1)

    def forward(self, x):
        x = self.pool(self.act(self.conv(x)))
        x = self.fc(x)
        return self.log_probs(x)


class Survey:
    def __init__(self, n):
        self.cutouts = torch.rand(n, 1, 16, 16)
        self.kind = torch.randint(0, 5, (n,))

    def __iter__(self):
        for s in range(0, len(self.kind), 6):
            yield self.cutouts[s:s + 6], self.kind[s:s + 6]


torch.manual_seed(27)
survey = Survey(30)
model = StarCNN()
nll = nn.NLLLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(3):
    for cutout, kind in survey:
        loss = nll(model(cutout), kind)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "nll", f"{loss.item():.4f}")
