import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH = 8
torch.manual_seed(36)
# newer rows come last in a batch and count more
recency = torch.linspace(0.2, 1.8, BATCH)

x = torch.randn(41, 6)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0.5).long()
model = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 3))
criterion = nn.CrossEntropyLoss(reduction="none")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(x, y), batch_size=BATCH)

for epoch in range(4):
    total = 0.0
    for xb, yb in loader:
        each = criterion(model(xb), yb)
        loss = (each * recency[:len(each)]).sum() / len(each)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / len(loader):.4f}")
