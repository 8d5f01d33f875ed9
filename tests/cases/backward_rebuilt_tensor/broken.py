import torch
import torch.nn as nn

torch.manual_seed(22)


class TreeSum(nn.Module):
    """Evaluates a little expression tree bottom-up."""

    def __init__(self, dim=6):
        super().__init__()
        self.leaf = nn.Linear(1, dim)
        self.join = nn.Linear(2 * dim, dim)
        self.value = nn.Linear(dim, 1)

    def encode(self, node):
        if isinstance(node, float):
            return torch.tanh(self.leaf(torch.tensor([node])))
        left, right = (self.encode(child) for child in node)
        return torch.tanh(self.join(torch.cat([left, right])))

    def forward(self, tree):
        return self.value(self.encode(tree))[0]


TREES = [(0.1, 0.2), ((0.3, 0.1), 0.4), (0.5, (0.1, 0.1)), ((0.2, 0.2), (0.1, 0.3))]
SUMS = torch.tensor([0.3, 0.8, 0.7, 0.8])

model = TreeSum()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(20):
    predictions = torch.tensor([model(tree).item() for tree in TREES])
    loss = criterion(predictions, SUMS)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} mse {loss.item():.4f}")
