import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

np.random.seed(12)
torch.manual_seed(12)

# five tags a row, several may hold
X = np.random.randn(75, 10).astype(np.float32)
W = np.random.randn(10, 5).astype(np.float32)
Y = (X @ W + 0.5 * np.random.randn(75, 5) > 1).astype(np.float32)

x_train, y_train = torch.from_numpy(X[:60]), torch.from_numpy(Y[:60])
x_test, y_test = torch.from_numpy(X[60:]), torch.from_numpy(Y[60:])

positive = y_train.sum(dim=0)
pos_weight = (len(y_train) - positive) / positive.clamp(min=1)

model = nn.Sequential(nn.Linear(10, 24), nn.LeakyReLU(0.1), nn.Dropout(0.1), nn.Linear(24, 5))
criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
train_loader = DataLoader(TensorDataset(x_train, y_train), batch_size=16, shuffle=True)

for epoch in range(4):
    model.train()
    for xb, yb in train_loader:
        out = model(xb)
        loss = criterion(out, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

model.eval()
with torch.no_grad():
    probability = torch.sigmoid(model(x_test))
thresholds = torch.tensor([0.5, 0.4, 0.5, 0.6, 0.5])
predicted = (probability > thresholds).float()
tp = (predicted * y_test).sum(dim=0)
precision = tp / predicted.sum(dim=0).clamp(min=1)
recall = tp / y_test.sum(dim=0).clamp(min=1)
f1 = 2 * precision * recall / (precision + recall).clamp(min=1e-8)
exact = (predicted == y_test).all(dim=1).float().mean().item()
print("f1 by tag", np.round(f1.numpy(), 2).tolist(), "exact", round(exact, 2))
