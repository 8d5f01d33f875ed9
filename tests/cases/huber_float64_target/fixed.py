import numpy as np
import torch
import torch.nn as nn

np.random.seed(1)
torch.manual_seed(1)

area = np.random.uniform(30, 150, 100)
rooms = np.random.randint(1, 6, 100)
price = 2.5 * area + 12 * rooms + np.random.normal(0, 8, 100)

X = np.column_stack([area, rooms])
X = (X - X.mean(axis=0)) / X.std(axis=0)
y = (price - price.mean()) / price.std()

inputs = torch.tensor(X).float()
targets = torch.tensor(y).float().view(-1, 1)

model = nn.Linear(2, 1)
criterion = nn.HuberLoss(delta=1.0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(20):
    outputs = model(inputs)
    loss = criterion(outputs, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (epoch + 1) % 5 == 0:
        print(f"Epoch [{epoch + 1}/20], Loss: {loss.item():.4f}")
