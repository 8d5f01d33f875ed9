import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class MatrixFactorization(nn.Module):
    def __init__(self, n_users, n_items, k=6):
        super().__init__()
        self.user_factors = nn.Embedding(n_users, k)
        self.item_factors = nn.Embedding(n_items, k)

    def forward(self, user, item):
        return (self.user_factors(user) * self.item_factors(item)).sum(dim=1)


rng = np.random.default_rng(10)
ratings = np.column_stack([
    rng.integers(0, 15, 300),
    rng.integers(0, 25, 300),
    rng.integers(1, 6, 300) + 0.5 * rng.integers(0, 2, 300),
])
table = torch.as_tensor(ratings, dtype=torch.float32)

torch.manual_seed(10)
model = MatrixFactorization(15, 25)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(4):
    total = 0.0
    for rows in table.split(50):
        user, item, stars = rows[:, 0].long(), rows[:, 1].long(), rows[:, 2]
        loss = F.mse_loss(model(user, item), stars)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(rows)
    print(f"epoch {epoch + 1}: mse {total / len(table):.4f}")
